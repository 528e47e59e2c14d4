//! Words that every room shares: places in text, units, values.

pub mod value;

pub use value::{Value, ValueRef};
