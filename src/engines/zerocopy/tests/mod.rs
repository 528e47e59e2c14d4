//! Tests of the store below its engine.

mod damage;
mod failing;
mod fixture;
mod model;
mod readers;
mod tree;
