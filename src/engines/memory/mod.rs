//! The oracle: plain structures in memory, every other engine is held against.
//!
//! Nothing here is clever. Records stand in a sorted map by row, predicates
//! are evaluated on every record, every change goes through one function
//! ([`store::Store::put`]) that keeps the few maps beside the records in step,
//! and a transaction is the list of what was there before.

mod ask;
mod change;
mod delete;
mod engine;
mod explain;
mod insert;
mod order;
mod record;
mod session;
mod store;
mod view;

pub use engine::MemoryEngine;
