//! Writing: new objects, changed ones, deleted ones, and the rules that Realm
//! does not keep by itself: uniqueness beside the primary key, required links,
//! cascades, statements that are whole or nothing.

pub mod delete;
pub mod insert;
pub mod shape;
pub mod target;
pub mod undo;
pub mod update;
pub mod upsert;
pub mod watch;

pub use insert::Inserts;
pub use target::Targets;
