//! SwiftData's mechanism: Core Data's, with what the `@Model` macro and the
//! framework add. Sources are in `docs/engines/swiftdata.md`.
//!
//! [`backing`] and [`observation`] stand beside each object; [`history`] is
//! written at each save.

pub mod backing;
pub mod engine;
pub mod history;
pub mod layer;
pub mod observation;
pub mod options;

pub use engine::SwiftData;

#[cfg(test)]
mod tests;
