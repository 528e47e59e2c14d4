//! The counted runs of each job.

use crate::plan::Plan;
use crate::sample::{CellRecord, Outcome, StepSample, StepState};

use super::summary::Summary;

/// One job with its counted runs, in the order they were recorded.
#[derive(Clone, Debug)]
pub struct JobRuns<'a> {
    /// Position in [`Plan::jobs`].
    pub job: usize,
    /// Records of counted runs; warm-up left out.
    pub records: Vec<&'a CellRecord>,
}

/// One entry per job of the plan, in its order; jobs without a run have no records.
pub fn group<'a>(plan: &Plan, records: &'a [CellRecord]) -> Vec<JobRuns<'a>> {
    let mut jobs: Vec<JobRuns<'a>> = (0..plan.jobs.len())
        .map(|job| JobRuns {
            job,
            records: Vec::new(),
        })
        .collect();
    for record in records.iter().filter(|r| !r.cell.warmup) {
        if let Some(runs) = jobs.get_mut(record.cell.job) {
            runs.records.push(record);
        }
    }
    jobs
}

impl<'a> JobRuns<'a> {
    /// Samples of one step over all runs, untimed ones included.
    pub fn samples(&self, label: &str) -> impl Iterator<Item = &'a StepSample> {
        self.records
            .iter()
            .filter_map(move |record| record.steps.iter().find(|s| s.label == label))
    }

    /// Samples whose times count: measured, in runs whose answers did not differ.
    pub fn timed(&self, label: &str) -> impl Iterator<Item = &'a StepSample> {
        self.records
            .iter()
            .filter(|record| !matches!(record.outcome, Outcome::Void { .. }))
            .filter_map(move |record| record.steps.iter().find(|s| s.label == label))
            .filter(|sample| sample.state == StepState::Measured)
    }

    /// Summary of a figure of one step over the runs that count.
    pub fn summary(&self, label: &str, figure: impl Fn(&StepSample) -> f64) -> Option<Summary> {
        Summary::of(self.timed(label).map(figure))
    }

    /// Wall time per operation of each run that counts, with its round, ns.
    pub fn rounds(&self, label: &str) -> Vec<(u32, f64)> {
        self.records
            .iter()
            .filter(|record| !matches!(record.outcome, Outcome::Void { .. }))
            .filter_map(|record| {
                let sample = record.steps.iter().find(|s| s.label == label)?;
                let measured = sample.state == StepState::Measured;
                let each = sample.wall_ns as f64 / sample.operations.max(1) as f64;
                measured.then_some((record.cell.run, each))
            })
            .collect()
    }

    /// Wall time per operation, ns.
    pub fn wall_ns(&self, label: &str) -> Option<Summary> {
        self.summary(label, |s| s.wall_ns as f64 / s.operations.max(1) as f64)
    }
}
