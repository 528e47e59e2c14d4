//! What the order and the spread of the rounds tell.

use super::about;
use crate::plan::Plan;
use crate::stats::drift::trend;
use crate::stats::group::JobRuns;
use crate::stats::outlier::outliers;
use crate::stats::warning::{Finding, Warning};

/// Chance that a run without any drift is said to have some, over all its
/// rows and steps together.
pub const FALSE_ALARM: f64 = 0.05;

pub(super) fn find(plan: &Plan, jobs: &[JobRuns<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut trends = Vec::new();
    for runs in jobs {
        let Some(job) = plan.jobs.get(runs.job) else {
            continue;
        };
        for step in &job.steps {
            let times: Vec<f64> = runs.rounds(&step.label).iter().map(|(_, ns)| *ns).collect();
            let far = u32::try_from(outliers(&times).len()).unwrap_or(u32::MAX);
            if far > 0 {
                let warning = Warning::Outliers { runs: far };
                findings.push(about(plan, runs, Some(&step.label), warning));
            }
            if let Some(drift) = trend(&times) {
                trends.push((runs, &step.label, drift));
            }
        }
    }
    // Holm would say a little more; one threshold is easier to check by hand.
    let tests = trends.len().max(1) as f64;
    for (runs, label, drift) in trends {
        if drift.p < FALSE_ALARM / tests {
            let warning = Warning::Drift { tau: drift.tau };
            findings.push(about(plan, runs, Some(label), warning));
        }
    }
    findings
}
