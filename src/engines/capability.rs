//! What an engine can do, so that `check` and the worker need not try.

/// What an engine can do. What it cannot is either not applicable or done
/// above the engine, where that is what an app would have to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// It has an object layer of its own: `instantiate` means something.
    pub instantiate: bool,
    /// It has a compaction.
    pub compact: bool,
    /// It has a checkpoint.
    pub checkpoint: bool,
    /// It keeps files; without, `storage`, `reopen` and cold reads are not applicable.
    pub persistent: bool,
    /// One statement can change a set of records.
    pub update_by_statement: bool,
}
