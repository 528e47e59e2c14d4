//! One job as a row.

use super::figures::figures;
use crate::plan::Fidelity;
use crate::report::evidence::Evidence;
use crate::report::model::{Answers, Figures, Row, RowState, StepLine};
use crate::sample::Outcome;
use crate::stats::{JobRuns, Summary};

pub(super) fn row(evidence: &Evidence<'_>, runs: &JobRuns<'_>, steps: &[StepLine]) -> Row {
    let plan = evidence.plan;
    let job = &plan.jobs[runs.job];
    let engine = plan.engines.get(job.engine);
    let state = state(evidence, runs);
    // One wrong answer makes every time of the row worthless.
    let void = matches!(state, RowState::Void { .. });
    let figures: Vec<Figures> = steps
        .iter()
        .map(|step| figures(evidence, runs, step, void))
        .collect();
    let last = runs.records.last();
    Row {
        job: job.id.clone(),
        engine: engine.map(|e| e.label.clone()).unwrap_or_default(),
        kind: engine.map(|e| e.kind.clone()).unwrap_or_default(),
        fidelity: engine.map_or(Fidelity::Native, |e| e.fidelity),
        engine_version: engine.and_then(|e| e.version.clone()),
        tier: job.tier,
        tested: engine
            .and_then(|e| e.tested)
            .filter(|tested| job.tier >= Some(*tested)),
        options: job.options.clone(),
        point: job.point.clone(),
        runs: u32::try_from(counted(runs)).unwrap_or(u32::MAX),
        planned_runs: job.runs,
        answers: answers(runs),
        peak_bytes: highest(&figures),
        harness_share: figures
            .iter()
            .filter_map(|f| f.harness_share)
            .max_by(f64::total_cmp),
        indexes: last.map(|r| r.indexes.clone()).unwrap_or_default(),
        files_after_close: last.map(|r| r.files.clone()).unwrap_or_default(),
        steps: figures,
        state,
    }
}

fn counted(runs: &JobRuns<'_>) -> usize {
    runs.records
        .iter()
        .filter(|r| matches!(r.outcome, Outcome::Complete | Outcome::Unchecked(_)))
        .count()
}

/// The worst that happened to the job's runs.
fn state(evidence: &Evidence<'_>, runs: &JobRuns<'_>) -> RowState {
    let job = &evidence.plan.jobs[runs.job];
    let engine = evidence.plan.engines.get(job.engine);
    if let Some(how) = engine.and_then(|e| e.missing.clone()) {
        return RowState::Missing { how };
    }
    if let Some(why) = job.skipped.clone() {
        return RowState::Skipped { why };
    }
    let outcomes = || runs.records.iter().map(|r| &r.outcome);
    let void = outcomes().find_map(|outcome| match outcome {
        Outcome::Void { step, difference } => Some(RowState::Void {
            step: step.clone(),
            difference: difference.clone(),
        }),
        _ => None,
    });
    let died = || {
        outcomes().find_map(|outcome| match outcome {
            Outcome::Died {
                step,
                cause,
                message,
                ..
            } => Some(RowState::Died {
                step: step.clone(),
                cause: cause.clone(),
                message: message.clone(),
            }),
            _ => None,
        })
    };
    let not_tried = || {
        outcomes().find_map(|outcome| match outcome {
            Outcome::NotTried(why) => Some(RowState::NotTried { why: why.clone() }),
            _ => None,
        })
    };
    void.or_else(died)
        .or_else(not_tried)
        .unwrap_or_else(|| match counted(runs) {
            0 => RowState::NotReached,
            n if n < job.runs as usize => RowState::Partial,
            _ => RowState::Measured,
        })
}

fn answers(runs: &JobRuns<'_>) -> Answers {
    let outcomes = || runs.records.iter().map(|r| &r.outcome);
    if outcomes().any(|o| matches!(o, Outcome::Void { .. })) {
        Answers::Void
    } else if outcomes().any(|o| matches!(o, Outcome::Unchecked(_))) {
        Answers::Unchecked
    } else if outcomes().any(|o| matches!(o, Outcome::Complete)) {
        Answers::Ok
    } else {
        Answers::None
    }
}

fn highest(figures: &[Figures]) -> Option<Summary> {
    figures
        .iter()
        .filter_map(|f| f.peak_bytes)
        .max_by(|a, b| a.median.total_cmp(&b.median))
}
