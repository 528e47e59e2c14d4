//! Tests of the engine as a whole.

mod changes;
pub(crate) mod data;
pub(crate) mod fixture;
mod opening;
mod oracle;
mod predicates;
mod random;
mod text;
