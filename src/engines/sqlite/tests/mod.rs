//! Tests of the engine as a whole.

mod fixture;
mod text;
