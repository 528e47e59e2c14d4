//! A generated record: what an engine is given to store.

use crate::base::Value;

/// One record with all that it owns.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number in the model, from 0.
    pub row: u64,
    /// One entry per field of the model, in order.
    pub fields: Vec<Content>,
}

/// What a field of a generated record holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A scalar, a list, or null.
    Value(Value),
    /// A link to an object that is stored already (or earlier in the same batch), or to none.
    Link(Option<Target>),
    /// Links to stored objects; distinct.
    Links(Vec<Target>),
    /// New children, to be stored with this record. Also for an owned to-one: at most one.
    Children(Vec<Record>),
    /// The link back to the owner, from which it follows.
    Owner,
}

/// The object that a link points to.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its row in its model.
    pub row: u64,
    /// Value of its key field, if its model has one.
    pub key: Option<Value>,
}
