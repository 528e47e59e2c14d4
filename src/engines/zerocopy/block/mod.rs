//! Column blocks: the values of one column in one cluster.

mod builder;
mod column;
mod fixed;
mod ints;
mod lists;
mod nulls;
pub mod packed;
mod texts;
mod types;

#[cfg(test)]
mod tests;

pub use builder::Builder;
pub use column::{Cell, Column, text};
pub use ints::Ints;
pub use lists::ELEMENTS;
pub use texts::Texts;
pub use types::{ColumnType, Type};
