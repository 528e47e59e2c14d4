//! From evidence to report.

mod effects;
mod figures;
mod row;
mod step_line;
mod tables;

use super::evidence::Evidence;
use super::model::{ClaimLine, Note, REPORT_VERSION, Report, RowState};
use super::words;
use crate::stats::{self, Finding, Warning};

/// The report of a run.
pub fn build(evidence: &Evidence<'_>) -> Report {
    let plan = evidence.plan;
    let findings = stats::warnings::find(
        plan,
        evidence.records,
        &evidence.harness,
        evidence.debug_build,
    );
    let tables = tables::tables(evidence);
    let good = tables.iter().flat_map(|t| &t.rows).all(|row| {
        !matches!(
            row.state,
            RowState::Died { .. } | RowState::Void { .. } | RowState::NotTried { .. }
        )
    }) && !findings
        .iter()
        .any(|f| matches!(f.warning, Warning::ExpectFailed { .. }));
    Report {
        format: "persist-lab report",
        version: REPORT_VERSION,
        title: plan.study.title.clone(),
        sources: plan.study.sources.clone(),
        seed: plan.study.seed,
        quick: plan.study.quick,
        overrides: plan.study.overrides.clone(),
        environment: evidence.environment.clone(),
        notes: evidence.notes.clone(),
        warnings: findings
            .into_iter()
            .map(|finding| note(evidence, finding))
            .collect(),
        tables,
        claims: plan
            .claims
            .iter()
            .map(|claim| ClaimLine {
                text: claim.text.clone(),
                comparisons: claim.comparisons.iter().map(|c| c.text.clone()).collect(),
                verdict: "not judged",
            })
            .collect(),
        good,
    }
}

fn note(evidence: &Evidence<'_>, finding: Finding) -> Note {
    Note {
        job_ids: finding
            .jobs
            .iter()
            .filter_map(|job| evidence.plan.jobs.get(*job))
            .map(|job| job.id.clone())
            .collect(),
        text: words::sentence(evidence.plan, &finding),
        finding,
    }
}
