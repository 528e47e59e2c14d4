//! How steady the disk was.

use super::about;
use crate::plan::Plan;
use crate::stats::group::JobRuns;
use crate::stats::warning::{Finding, Warning};

/// Probes that differ by more than this leave no verdict on sync time.
pub const NOISY_FACTOR: f64 = 2.0;
/// Dirty bytes at a cell's start that could still cost it something.
pub const RESIDUE_BYTES: u64 = 16 << 20;

pub(super) fn find(plan: &Plan, runs: &JobRuns<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for record in &runs.records {
        if let Some((before, after)) = record.sync_probe_ns {
            let (low, high) = (before.min(after).max(1), before.max(after));
            let factor = high as f64 / low as f64;
            if factor > NOISY_FACTOR {
                findings.push(about(plan, runs, None, Warning::NoisyDisk { factor }));
            }
        }
        let bytes = record.residue_bytes;
        if bytes > RESIDUE_BYTES {
            findings.push(about(plan, runs, None, Warning::Residue { bytes }));
        }
    }
    findings
}
