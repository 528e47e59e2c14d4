//! How the runs of a job ended.

use super::about;
use crate::plan::{Fidelity, Plan};
use crate::sample::{Outcome, StepState};
use crate::stats::RUNS_FOR_INTERVAL;
use crate::stats::group::JobRuns;
use crate::stats::warning::{Finding, Warning};

pub(super) fn find(plan: &Plan, runs: &JobRuns<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if runs.records.is_empty() {
        return findings;
    }
    let mut counted = 0;
    for record in &runs.records {
        match &record.outcome {
            Outcome::Complete => counted += 1,
            Outcome::Unchecked(reason) => {
                counted += 1;
                let reason = reason.clone();
                findings.push(about(plan, runs, None, Warning::Unchecked { reason }));
            }
            Outcome::Void { step, difference } => {
                let difference = difference.clone();
                findings.push(about(plan, runs, Some(step), Warning::Void { difference }));
            }
            Outcome::Died { step, cause, .. } => findings.push(about(
                plan,
                runs,
                step.as_deref(),
                Warning::Died {
                    cause: cause.clone(),
                    runs: 1,
                },
            )),
            Outcome::NotTried(_) => {}
        }
        for sample in &record.steps {
            if let StepState::Expected { held: false, text } = &sample.state {
                let text = text.clone();
                findings.push(about(
                    plan,
                    runs,
                    Some(&sample.label),
                    Warning::ExpectFailed { text },
                ));
            }
        }
    }
    if counted > 0 && counted < RUNS_FOR_INTERVAL {
        findings.push(Finding {
            trial: None,
            ..about(plan, runs, None, Warning::FewRuns { runs: counted })
        });
    }
    let engine = plan.jobs.get(runs.job).map(|job| &plan.engines[job.engine]);
    if engine.is_some_and(|engine| engine.fidelity == Fidelity::Model) {
        findings.push(Finding {
            trial: None,
            ..about(plan, runs, None, Warning::Modelled)
        });
    }
    findings
}
