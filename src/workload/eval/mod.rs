//! Expressions over records: predicates, `set`, aggregates, generators.
//!
//! The meaning is that of [`crate::plan::expr`]. Beyond it: a null where a
//! condition is asked counts as false; a list or to-many link behind a null
//! link has no elements (`count` is 0, `all` and `none` hold) and is null, so
//! not empty; a float that is not a number is null.

pub mod arithmetic;
pub mod context;
pub mod error;
pub mod evaluate;
pub mod json;
pub mod scope;
pub mod text;

pub use context::{Context, Element, Elements};
pub use error::EvalError;
pub use evaluate::{compared, evaluate, holds};
pub use scope::{Scope, View};
