//! Checked model to plan: the matrix of engines, trials, points and runs.
//!
//! [`lower`] closes what `check` left open. For each trial and engine it finds
//! the axes that they name, and for each point on these it makes one
//! [`crate::plan::Job`] with every number resolved. Nothing is measured or
//! written here.

mod answer_key;
mod claims;
mod columns;
mod engines;
pub mod estimate;
pub mod explain;
mod fold;
mod job;
mod matrix;
mod names;
pub mod overrides;
mod quick;
mod reach;
mod schema;
mod state;
mod steps;
mod study;
mod verify;

pub use estimate::{Estimate, estimate};
pub use explain::{Explained, explain};
pub use overrides::Overrides;
pub use study::{lower, unknown_labels};
