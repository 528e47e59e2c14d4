//! Finds the warnings of a run.

mod disk;
mod outcomes;
mod rounds;
mod rows;
pub mod steps;
#[cfg(test)]
mod tests;

use super::group::{JobRuns, group};
use super::share::Harness;
use super::warning::{Finding, Warning, merge};
use crate::plan::Plan;
use crate::sample::CellRecord;

/// Everything that limits what the figures of a run mean, merged by kind,
/// trial and step; the whole run's first.
pub fn find(
    plan: &Plan,
    records: &[CellRecord],
    harness: &Harness,
    debug_build: bool,
) -> Vec<Finding> {
    let jobs = group(plan, records);
    let mut findings = Vec::new();
    if debug_build {
        findings.push(Finding {
            warning: Warning::DebugBuild,
            trial: None,
            step: None,
            jobs: Vec::new(),
        });
    }
    for runs in &jobs {
        findings.extend(outcomes::find(plan, runs));
        findings.extend(steps::find(plan, runs, harness));
        findings.extend(disk::find(plan, runs));
    }
    findings.extend(rounds::find(plan, &jobs));
    findings.extend(rows::find(plan, &jobs));
    merge(findings)
}

/// A finding about one job, or one step of it.
fn about(plan: &Plan, runs: &JobRuns<'_>, step: Option<&str>, warning: Warning) -> Finding {
    Finding {
        warning,
        trial: plan.jobs.get(runs.job).map(|job| job.trial.clone()),
        step: step.map(str::to_owned),
        jobs: vec![runs.job],
    }
}
