//! Core Data's mechanism, re-created over SQLite from public sources, which
//! `docs/engines/coredata.md` names.
//!
//! [`entity`] and [`ddl`] say what lies in the tables; [`context`] is the
//! object graph with its faults; [`save`] writes what is pending. SQL text
//! comes from the `sqlite` engine's compiler, over this engine's names.

pub mod ask;
pub mod batch;
pub mod batch_insert;
pub mod change;
pub mod context;
pub mod ddl;
pub mod delete;
pub mod deliver;
pub mod engine;
pub mod entity;
pub mod explain;
pub mod fetch;
pub mod identity;
pub mod insert;
pub mod layer;
pub mod naming;
pub mod object;
pub mod opening;
pub mod options;
pub mod pushdown;
pub mod relationship;
pub mod request;
pub mod running;
pub mod save;
pub mod seen;
pub mod session;
pub mod store;
pub mod tier;
pub mod transformable;
pub mod upsert;

pub use engine::CoreData;

#[cfg(test)]
mod tests;
