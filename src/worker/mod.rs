//! One cell in a process of its own: generation, timed engine calls, probes.
//!
//! Invariants:
//! - Nothing but the engine's work and the touch of its records stands inside
//!   a timed [window](clock::Clock::window); `prepare` does, once per step, in
//!   its first window, for every engine alike.
//! - The harness's own memory does not grow with the number of records: they
//!   come in [batches](batch) of bounded size. (Identities of a change made one
//!   by one, and the records that a hook gets, are held as an app would.)
//! - Nothing but frames goes to the supervisor's pipe; every end that the
//!   worker can see is told on it.

mod arguments;
mod batch;
mod bench;
mod cell;
mod clock;
mod constant;
mod crash;
mod done;
mod entry;
mod failure;
mod grouping;
mod latency;
mod linked;
mod output;
mod probes;
mod process;
mod question;
mod steps;
mod store;
mod told;
mod verify;
mod weight;

pub use entry::{Confinement, main, serve, serve_with};
pub use failure::Failure;
