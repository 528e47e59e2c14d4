//! Words that every room shares: places in text, units, values.

pub mod span;
pub mod units;
pub mod value;

pub use span::{FileId, Span, Spanned};
pub use value::{Value, ValueRef};
