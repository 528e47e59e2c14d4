//! Tests of the engine as a whole.

mod changes;
mod data;
mod fixture;
mod opening;
mod oracle;
mod predicates;
mod random;
mod text;
