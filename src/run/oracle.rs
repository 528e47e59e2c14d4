//! What every engine should answer: the `memory` engine's answers, from a
//! worker of its own.

use std::path::PathBuf;

use super::ending::End;
use super::transcript::Transcript;
use super::watch::Life;
use crate::archive::{ARCHIVE_VERSION, AnswerRecord, Expected, ExpectedStep};
use crate::plan::{Assignment, Job, Limits, PLAN_VERSION, Plan};
use crate::sample::StepState;

/// Kind of the engine that answers.
pub const KIND: &str = "memory";

/// What the oracle is asked: the job, without options that belong to another engine.
pub fn assignment(plan: &Plan, job: &Job, directory: PathBuf, limits: &Limits) -> Assignment {
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
        memory_bytes: limits.memory_bytes,
        verify: true,
        deliver: None,
    }
}

/// Its limits: half of the machine's memory, whatever a cell may take.
pub fn limits(plan: &Plan, machine_bytes: u64) -> Limits {
    Limits {
        memory_bytes: machine_bytes / 2,
        ..plan.study.limits
    }
}

/// What its life tells; `None` where it was interrupted.
pub fn record(job: &Job, life: &Life) -> Option<AnswerRecord> {
    let expected = match &life.end {
        End::Interrupted => return None,
        End::Done => answered(&life.transcript),
        End::Died(death) => Expected::Unchecked(match &death.step {
            Some(step) => format!(
                "the oracle died in step `{step}` ({}: {})",
                death.cause, death.message
            ),
            None => format!("the oracle died ({}: {})", death.cause, death.message),
        }),
    };
    Some(AnswerRecord {
        version: ARCHIVE_VERSION,
        answer_key: job.answer_key.clone(),
        job: job.id.clone(),
        expected,
        wall_ns: life.wall_ns,
    })
}

fn answered(transcript: &Transcript) -> Expected {
    Expected::Answered {
        setup: transcript.setup.clone(),
        steps: transcript
            .steps
            .iter()
            .map(|step| ExpectedStep {
                label: step.label.clone(),
                applicable: !matches!(step.state, StepState::NotApplicable(_)),
                answer: step.answer.clone(),
            })
            .collect(),
    }
}
