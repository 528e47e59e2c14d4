//! The engine that does nothing: its time is the harness's own share.
//!
//! Changes are accepted and forgotten. A read delivers as many records as it
//! is told to (what the oracle counted), from rows built beforehand, of the
//! types that the query asks for.

mod delivery;
mod engine;
mod rows;
mod session;

pub use delivery::Delivery;
pub use engine::NullEngine;
