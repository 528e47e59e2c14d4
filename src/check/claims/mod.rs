//! Claims: what they compare must be measured, and in the same unit.

mod axes;
mod condition;
mod metric;
mod relation;
mod term;
