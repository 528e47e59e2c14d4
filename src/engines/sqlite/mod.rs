//! SQLite, native: rusqlite's bundled library.
//!
//! [`sql`] turns requests into SQL text, [`layout`] and [`ddl`] the schema into
//! tables; all of that is pure. [`session`] executes it. Everything that a
//! predicate can say is said in SQL; hooks are registered functions.

pub mod arena;
pub mod ddl;
pub mod decode;
pub mod engine;
pub mod error;
pub mod explain;
pub mod facts;
pub mod functions;
pub mod inserting;
pub mod layout;
pub mod options;
pub mod reading;
pub mod running;
pub mod session;
pub mod slots;
pub mod sql;
pub mod statement;
pub mod tier;
pub mod upserting;

pub use engine::Sqlite;

#[cfg(test)]
pub(crate) mod tests;
