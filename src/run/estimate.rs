//! How much longer it takes, from the cells that are done.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::plan::order::Cell;
use crate::plan::{Job, Plan};

/// Times of finished cells.
#[derive(Debug, Default)]
pub struct Estimate {
    by_job: BTreeMap<usize, Mean>,
    by_trial: BTreeMap<(String, u64), Mean>,
    all: Mean,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum_ns: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, ns: f64) {
        self.sum_ns += ns;
        self.count += 1.0;
    }

    fn get(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.sum_ns / self.count)
    }
}

impl Estimate {
    /// Learns how long a cell took, with everything around it.
    pub fn learn(&mut self, at: usize, job: &Job, time: Duration) {
        let ns = time.as_nanos() as f64;
        self.by_job.entry(at).or_default().add(ns);
        let key = (job.trial.clone(), job.size);
        self.by_trial.entry(key).or_default().add(ns);
        self.all.add(ns);
    }

    /// Time that the cells will take; `None` before anything is known.
    pub fn left(&self, plan: &Plan, cells: &[Cell]) -> Option<Duration> {
        self.all.get()?;
        let ns: f64 = cells
            .iter()
            .filter_map(|cell| self.one(plan, cell.job))
            .sum();
        Some(Duration::from_nanos(ns as u64))
    }

    /// The same job's mean; else that of its trial at the nearest size, in
    /// proportion; else the mean of all.
    fn one(&self, plan: &Plan, at: usize) -> Option<f64> {
        if let Some(known) = self.by_job.get(&at).and_then(Mean::get) {
            return Some(known);
        }
        let job = plan.jobs.get(at)?;
        let nearest = self
            .by_trial
            .iter()
            .filter(|((trial, _), _)| *trial == job.trial)
            .min_by_key(|((_, size), _)| size.abs_diff(job.size));
        match nearest {
            Some(((_, size), mean)) => {
                let ratio = (job.size.max(1) as f64 / (*size).max(1) as f64).max(1.0);
                mean.get().map(|ns| ns * ratio)
            }
            None => self.all.get(),
        }
    }
}
