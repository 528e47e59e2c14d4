//! Engines whose code this project does not carry: their pins, where they are
//! installed, and how their library is loaded.
//!
//! A package client brings the pinned package, `install` builds what needs
//! building, and the library lies with its [`Provenance`](crate::sample::Provenance) under
//! [`mod@home`]`/engines`. Only a worker loads it: a crash in it costs one cell.

pub mod calls;
pub mod home;
pub mod installed;
pub mod library;
pub mod pin;

pub use home::home;
pub use installed::{Installed, find, presence};
pub use library::load;
pub use pin::{PINS, Pin};
