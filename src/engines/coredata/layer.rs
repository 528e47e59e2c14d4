//! What a framework above Core Data adds: SwiftData is one.

use super::context::Context;
use super::entity::SlotId;
use crate::engines::EngineError;
use crate::plan::schema::ModelId;

/// State that a layer keeps beside each object.
pub trait Backing {
    /// A property was read.
    fn accessed(&self, slot: SlotId);
    /// A property is set.
    fn mutated(&self, slot: SlotId);
    /// The object was inserted into a context.
    fn inserted(&self);
}

/// A layer above the graph.
pub trait Layer {
    /// What it keeps beside a new object or fault.
    fn backing(&self, entity: ModelId) -> Option<Box<dyn Backing>>;
    /// Statements for tables of its own, in a store that is being created.
    fn tables(&self) -> Vec<String>;
    /// Called inside the transaction of a save, after its rows were written.
    fn saved(&self, context: &Context, changes: &[Change]) -> Result<(), EngineError>;
    /// The transaction ended; what was written in it is kept or undone.
    fn ended(&self, kept: bool);
    /// In words, what a save writes besides.
    fn explain(&self) -> Option<&'static str>;
}

/// Kinds of changes, by their numbers in `NSPersistentHistoryChangeType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A new record.
    Insert = 0,
    /// A changed one.
    Update = 1,
    /// A deleted one.
    Delete = 2,
}

/// One change that a save wrote.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which kind.
    pub kind: ChangeKind,
    /// The entity.
    pub entity: ModelId,
    /// `Z_PK`.
    pub id: i64,
    /// Slots that an update changed.
    pub slots: Vec<SlotId>,
}
