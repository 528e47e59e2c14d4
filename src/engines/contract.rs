//! The two traits that an engine implements.

use std::path::Path;
use std::rc::Rc;

use super::capability::Capabilities;
use super::error::EngineError;
use super::options::{OptionSpec, Options};
use super::presence::Presence;
use crate::base::Value;
use crate::plan::engine::{Fidelity, Tier};
use crate::plan::query::Request;
use crate::plan::schema::{ModelId, Schema};
use crate::sample::{Native, Provenance};
use crate::workload::{HookRunner, Record, Sink};

/// A kind of engine: facts, and the way to open a store.
pub trait Engine: Send + Sync {
    /// Its name in experiments (`sqlite`).
    fn kind(&self) -> &'static str;
    /// One line for `persist-lab engines`.
    fn about(&self) -> &'static str;
    /// What stands behind the name.
    fn fidelity(&self) -> Fidelity;
    /// Version of the engine itself, as it tells it.
    fn version(&self) -> String;
    /// Whether it can run on this machine. Loads nothing.
    fn presence(&self) -> Presence {
        Presence::Here
    }
    /// Where its code came from, if it was installed; `None` for what is compiled in.
    fn provenance(&self) -> Option<Provenance> {
        None
    }
    /// What it can do.
    fn capabilities(&self) -> Capabilities;
    /// Whether a transaction is a unit: a kill in the middle of its commit leaves
    /// all of it or nothing.
    fn atomic_commit(&self) -> bool {
        true
    }
    /// Options it takes.
    fn options(&self) -> &'static [OptionSpec];
    /// Durability promised under these options.
    fn tier(&self, options: &Options) -> Tier;
    /// The request in the engine's own words, and what of it runs above the engine.
    /// Opens nothing on disk.
    fn explain(&self, setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError>;
    /// Opens (creating it if it is not there) the store in `directory`.
    fn open(
        &self,
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError>;
}

/// What a store is opened with.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Models, relationships, indexes.
    pub schema: &'a Schema,
    /// Names of the hooks, by position, for words in `explain`.
    pub hooks: &'a [crate::plan::Hook],
    /// Options as given.
    pub options: &'a Options,
}

/// A prepared request; valid until released or the session is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prepared(pub usize);

/// The engine's own housekeeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maintenance {
    /// Give unused space back.
    Compact,
    /// Carry the log over into the main file, or make all durable.
    Checkpoint,
}

/// An open store, used from one thread.
///
/// A write outside `begin` and `commit` is a transaction of its own, by the
/// engine's own autocommit where it has one; so is a read.
pub trait Session {
    /// Begins a write transaction.
    fn begin(&mut self) -> Result<(), EngineError>;
    /// Commits it, as durably as the options say.
    fn commit(&mut self) -> Result<(), EngineError>;
    /// Undoes it.
    fn rollback(&mut self) -> Result<(), EngineError>;

    /// Stores new records with their children and links. A uniqueness rule that
    /// they break may come to light at the commit only.
    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError>;

    /// Stores records by key: new ones are inserted, present ones get all new
    /// values. The model has a key and owns nothing.
    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError>;

    /// Builds objects in the engine's own representation and keeps them for
    /// [`Session::insert_instantiated`]. Only with [`Capabilities::instantiate`].
    fn instantiate(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError>;

    /// Stores the next `count` objects of `model` that were instantiated, in order.
    fn insert_instantiated(&mut self, model: ModelId, count: u64) -> Result<(), EngineError>;

    /// Prepares a request.
    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError>;

    /// Executes a prepared request. What it delivers goes to `sink`; returns
    /// the count that [`Request`] names for each kind.
    fn execute(
        &mut self,
        prepared: Prepared,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError>;

    /// Gives a prepared request back.
    fn release(&mut self, prepared: Prepared);

    /// Runs the engine's own housekeeping. Only with the capability for it.
    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError>;

    /// The indexes that the store really has, automatic ones included, in the
    /// engine's own words.
    fn indexes(&mut self) -> Result<Vec<String>, EngineError>;

    /// Closes the store; what the options promise is on disk afterwards.
    fn close(self: Box<Self>) -> Result<(), EngineError>;
}
