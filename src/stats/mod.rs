//! Statistics over the samples of a run: pure functions of plan and records.
//!
//! Figures stay numbers here and warnings stay data; `report` puts both into
//! words. Below [`RUNS_FOR_INTERVAL`] runs there is a range and no more.

pub mod drift;
#[cfg(test)]
pub mod fixture;
pub mod group;
pub mod interval;
pub mod outlier;
pub mod ratio;
pub mod share;
pub mod summary;
pub mod warning;
pub mod warnings;

pub use group::{JobRuns, group};
pub use interval::Interval;
pub use ratio::{Ratio, paired};
pub use share::Harness;
pub use summary::{Summary, ratio_to_best};
pub use warning::{Finding, Warning};

/// Fewest runs from which an interval would mean anything.
pub const RUNS_FOR_INTERVAL: u32 = 6;
