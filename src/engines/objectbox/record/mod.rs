//! Objects as FlatBuffers: one table, a property a field.

pub mod cell;
pub mod decode;
pub mod encode;
pub mod row;
pub mod vector;

pub use cell::Cell;
pub use encode::Encoder;
pub use row::Row;
