//! The generated data: every record a pure function of (seed, model, field,
//! row, generation), in any order, never stored.

pub mod bytes;
pub mod coerce;
pub mod draw;
pub mod error;
pub mod extent;
pub mod field;
pub mod json;
pub mod letters;
pub mod link;
pub mod paragraph;
pub mod records;
pub mod spell;
pub mod words;

pub use bytes::{logical_bytes, objects};
pub use error::GenerateError;
pub use records::Source;
pub use spell::spell;
