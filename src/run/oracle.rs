//! What every engine should answer: the `memory` engine's answers, from a
//! worker of its own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::deaths::point;
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

/// Trials whose larger sizes the oracle is not asked about any more: it would
/// spend its memory or its time once more to end in the same way.
#[derive(Debug, Default)]
pub struct Reach {
    /// By trial: the smallest size at which it died, in numbers and in words.
    fell: BTreeMap<String, (u64, String)>,
}

impl Reach {
    /// Takes an answer into account.
    pub fn learn(&mut self, job: &Job, expected: &Expected) {
        let Expected::Unchecked(_) = expected else {
            return;
        };
        let fell = self.fell.entry(job.trial.clone());
        let here = (job.size, point(job));
        fell.and_modify(|fell| {
            if here.0 < fell.0 {
                fell.clone_from(&here);
            }
        })
        .or_insert(here);
    }

    /// The answer where it is not asked.
    pub fn beyond(&self, job: &Job) -> Option<AnswerRecord> {
        let (size, words) = self.fell.get(&job.trial)?;
        (job.size > *size).then(|| AnswerRecord {
            version: ARCHIVE_VERSION,
            answer_key: job.answer_key.clone(),
            job: job.id.clone(),
            expected: Expected::Unchecked(format!(
                "the oracle was not asked: it died at {words} already"
            )),
            wall_ns: 0,
        })
    }
}
