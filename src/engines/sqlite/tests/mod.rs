//! Tests of the engine as a whole.

mod data;
mod fixture;
mod opening;
mod oracle;
mod predicates;
mod text;
