//! The harness's own share of a time.

use std::collections::BTreeMap;

use super::group::JobRuns;
use crate::plan::Plan;

/// What the `null` engine took, by the questions asked: key of the answers
/// ([`crate::plan::Job::answer_key`]) and label of the step; ns per operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Harness {
    times: BTreeMap<(String, String), Vec<f64>>,
}

impl Harness {
    /// Notes one measurement of the null engine: wall time per operation, ns.
    pub fn add(&mut self, answer_key: &str, step: &str, wall_ns: f64) {
        self.times
            .entry((answer_key.to_owned(), step.to_owned()))
            .or_default()
            .push(wall_ns);
    }

    /// Median of the null engine's time, ns per operation.
    pub fn wall_ns(&self, answer_key: &str, step: &str) -> Option<f64> {
        let times = self.times.get(&(answer_key.to_owned(), step.to_owned()))?;
        Some(super::Summary::of(times.iter().copied())?.median)
    }

    /// The null engine's time over the job's own median, 0 to 1 (more only
    /// where a step is as fast as doing nothing); `None` where either is missing.
    pub fn share(&self, plan: &Plan, runs: &JobRuns<'_>, step: &str) -> Option<f64> {
        let own = runs.wall_ns(step)?.median;
        let harness = self.wall_ns(&plan.jobs.get(runs.job)?.answer_key, step)?;
        (own > 0.0).then(|| harness / own)
    }
}
