//! The rhai host: what a hook may call, how far it may go, where it went wrong.
//!
//! A hook is a pure function of its arguments. Its script sees arithmetic,
//! texts, arrays, blobs and maps; no file, network, process, module, clock or
//! random number, no `eval`; `print` and `debug` go nowhere. Mathematics comes
//! from `libm`, so a result is the same on every machine.
//!
//! The hooks of one file form one script and may call each other.
//! [`check`] finds syntax errors with their place in the `.exp` file;
//! [`Host`] runs hooks in a worker, in [`limits`], and keeps the time they took.

mod check;
mod convert;
mod fault;
mod host;
pub mod limits;
mod math;
mod sandbox;
mod script;
#[cfg(test)]
mod tests;

pub use check::{HookSource, check};
pub use host::Host;
