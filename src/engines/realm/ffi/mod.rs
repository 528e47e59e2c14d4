//! Realm Core's C API as it is used here: types and a table of functions, read
//! from the installed library. Declared by hand after `realm.h` of version 12.12.0.

pub mod functions;
pub mod types;

pub use functions::{Functions, functions};
