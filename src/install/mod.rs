//! Brings engines whose code this project does not carry.
//!
//! A package client fetches the pinned package, its hash is compared with the
//! pin, the machine's compiler builds what needs building, and the library
//! lies with its provenance below the user's home of this program, where
//! `engines::native` finds it. Everything is made in a staging directory and
//! renamed into place as the last act: an engine is there whole or not at all.
//!
//! Nothing here loads a library, and nothing here speaks to the network: the
//! clients do, as they are set up on the machine.

mod build;
mod client;
mod compiler;
mod elapsed;
mod fault;
pub mod hash;
mod inside;
mod installer;
mod log;
mod package;
mod parallel;
mod place;
mod progress;
mod recipe;
pub mod recipes;
mod remove;
mod space;
mod staging;
#[cfg(test)]
mod tests;
mod tool;
mod unpack;

pub use installer::{Installer, Outcome, Stop};
pub use progress::{Progress, StderrProgress};
pub use recipe::{Build, Library, Own, Recipe};
pub use remove::{Removed, remove};
