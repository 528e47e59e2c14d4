//! Statistics over the samples of a run: pure functions of plan and records.
//!
//! Figures stay numbers here and warnings stay data; `report` puts both into
//! words. Intervals and verdicts need more runs than the simple form of this
//! version takes: below [`RUNS_FOR_INTERVAL`] there is a range and no more.

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
pub use share::Harness;
pub use summary::{Summary, ratio_to_best};
pub use warning::{Finding, Warning};

/// Fewest runs from which an interval would mean anything.
pub const RUNS_FOR_INTERVAL: u32 = 6;
