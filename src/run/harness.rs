//! The harness's own share: the `null` engine over the same steps.

use std::path::PathBuf;

use super::ending::End;
use super::watch::Life;
use crate::archive::{ARCHIVE_VERSION, HarnessRecord};
use crate::plan::{Assignment, Job, PLAN_VERSION, Plan};

/// Kind of the engine that does nothing.
pub const KIND: &str = "null";
/// Runs per answer key, spread over the rounds.
pub const RUNS: u32 = 3;

/// What it is asked: the job, delivering as many records as the oracle counted.
pub fn assignment(plan: &Plan, job: &Job, directory: PathBuf, deliver: Vec<u64>) -> Assignment {
    let mut job = job.clone();
    job.options.clear();
    Assignment {
        version: PLAN_VERSION,
        kind: KIND.into(),
        job,
        pools: plan.pools.clone(),
        hooks: plan.hooks.clone(),
        seed: plan.study.seed,
        cold: false,
        directory,
        memory_bytes: plan.study.limits.memory_bytes,
        verify: false,
        deliver: Some(deliver),
    }
}

/// What its life tells; `None` where it was interrupted.
pub fn record(job: &Job, run: u32, life: &Life) -> Option<HarnessRecord> {
    let failed = match &life.end {
        End::Interrupted => return None,
        End::Done => None,
        End::Died(death) => Some(format!("{}: {}", death.cause, death.message)),
    };
    Some(HarnessRecord {
        version: ARCHIVE_VERSION,
        answer_key: job.answer_key.clone(),
        trial: job.trial.clone(),
        run,
        steps: life.transcript.steps.clone(),
        failed,
    })
}
