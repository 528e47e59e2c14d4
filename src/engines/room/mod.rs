//! Room, modelled: its documented mechanism over the real SQLite.
//!
//! [`plan`] turns requests into the statements of a DAO with the compiler of
//! [`super::sqlite`]; [`ddl`] writes the entities' tables, [`database`] opens
//! them as the platform does, [`tracker`] notes what changed, and [`cursor`]
//! reads rows through a [`window`]. What is modelled and what is not, with the
//! sources, is in `docs/engines/room.md`.

pub mod adapter;
pub mod by_entity;
pub mod cursor;
pub mod database;
pub mod ddl;
pub mod engine;
pub mod explain;
pub mod lane;
pub mod master;
pub mod names;
pub mod object;
pub mod options;
pub mod plan;
pub mod query;
pub mod reading;
pub mod relation;
pub mod running;
pub mod session;
pub mod tier;
pub mod tracker;
pub mod upserting;
pub mod window;

pub use engine::Room;

#[cfg(test)]
mod tests;
