//! What is not tried any more, since something smaller died.

use std::collections::BTreeMap;

use crate::base::Value;
use crate::plan::{Job, Plan};
use crate::sample::{CellRecord, Outcome};

/// Cells that died so far.
#[derive(Debug, Default)]
pub struct Deaths {
    /// By engine and trial: the smallest size that died, its point and cause.
    by_trial: BTreeMap<(usize, String), (u64, String)>,
    /// By job: the cause.
    by_job: BTreeMap<usize, String>,
}

impl Deaths {
    /// Takes a record into account.
    pub fn learn(&mut self, plan: &Plan, record: &CellRecord) {
        let Outcome::Died { cause, .. } = &record.outcome else {
            return;
        };
        let Some(job) = plan.jobs.get(record.cell.job) else {
            return;
        };
        self.by_job
            .entry(record.cell.job)
            .or_insert_with(|| cause.clone());
        let key = (job.engine, job.trial.clone());
        if self
            .by_trial
            .get(&key)
            .is_none_or(|(size, _)| job.size < *size)
        {
            let words = format!("died at {}: {cause}", point(job));
            self.by_trial.insert(key, (job.size, words));
        }
    }

    /// Why a job is not tried, if it is not: an earlier run of it died, or one of
    /// the same engine and trial at a smaller size, whatever its other axes were.
    pub fn forbid(&self, plan: &Plan, at: usize) -> Option<String> {
        if let Some(cause) = self.by_job.get(&at) {
            return Some(format!("died in an earlier run: {cause}"));
        }
        let job = plan.jobs.get(at)?;
        let (size, words) = self.by_trial.get(&(job.engine, job.trial.clone()))?;
        (job.size > *size).then(|| words.clone())
    }
}

/// A point in words: `n = 10k, batch = 100`; the size where there are no axes.
pub fn point(job: &Job) -> String {
    if job.point.is_empty() {
        return format!("{} objects", short(job.size as i64));
    }
    let values: Vec<String> = job
        .point
        .iter()
        .map(|(axis, value)| format!("{axis} = {}", words(value)))
        .collect();
    values.join(", ")
}

fn words(value: &Value) -> String {
    match value {
        Value::Int(number) => short(*number),
        Value::Float(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Text(text) => text.clone(),
        other => format!("{other:?}"),
    }
}

/// A number as the language writes it.
fn short(number: i64) -> String {
    match number {
        0 => "0".into(),
        n if n % 1_000_000 == 0 => format!("{}M", n / 1_000_000),
        n if n % 1_000 == 0 => format!("{}k", n / 1_000),
        n => n.to_string(),
    }
}
