//! What the layer needs of the engine under it.

use crate::engines::{EngineError, Maintenance};
use crate::plan::schema::ModelId;

/// A store of values under keys, one space of keys per model.
///
/// No key that the layer makes is empty, nor is any value.
pub trait KeyValue {
    /// Appends the value under a key; false, with nothing appended, where there is none.
    fn get(&self, space: ModelId, key: &[u8], into: &mut Vec<u8>) -> Result<bool, EngineError>;

    /// Whether there is a value under a key.
    fn contains(&self, space: ModelId, key: &[u8]) -> Result<bool, EngineError>;

    /// Shows every key with its value, in the engine's order, until `visit` returns false.
    fn scan(&self, space: ModelId, visit: &mut Visit<'_>) -> Result<(), EngineError>;

    /// Number of keys.
    fn count(&self, space: ModelId) -> Result<u64, EngineError>;

    /// Carries out a commit: these writes in this order, as durably as the
    /// options say; all of them or, where the engine has no transactions,
    /// possibly some on an error.
    fn apply(&mut self, writes: &mut dyn Iterator<Item = Write<'_>>) -> Result<(), EngineError>;

    /// The engine's own housekeeping.
    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError>;

    /// How the engine finds keys, in its own words.
    fn indexes(&self) -> Vec<String>;

    /// Closes the store.
    fn close(self: Box<Self>) -> Result<(), EngineError>;
}

/// Takes a key and its value; false ends the scan.
pub type Visit<'v> = dyn FnMut(&[u8], &[u8]) -> Result<bool, EngineError> + 'v;

/// One write of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write<'a> {
    /// The model.
    pub space: ModelId,
    /// The key.
    pub key: &'a [u8],
    /// What is to be under it; `None` for nothing.
    pub value: Option<&'a [u8]>,
}
