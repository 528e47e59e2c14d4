//! `objectbox`: ObjectBox by its C API, as a careful app drives it.
//!
//! - `ffi`: the table of C functions; `api`: a safe layer over it
//! - `layout`: entities, properties and relations of a schema
//! - `record`: objects as FlatBuffers; `keys`: their ids
//! - `compile`: what the query builder can say of a predicate; `selection`,
//!   `query` and `finder`: from there to found records
//! - `reading`, `inserting`, `upserting`, `updating`, `deleting`: requests
//! - `explain`: all that in words
//!
//! `docs/engines/objectbox.md` says what runs above the engine and why.

mod api;
mod compile;
mod deleting;
mod delivery;
mod engine;
mod explain;
pub mod ffi;
mod finder;
mod inserting;
mod keys;
mod layout;
mod options;
mod query;
mod reading;
mod record;
mod running;
mod selection;
mod session;
mod setup;
mod tier;
mod undo;
mod uniques;
mod updating;
mod upserting;
mod view;

pub use engine::ObjectBox;

#[cfg(test)]
mod tests;
