//! Expected answers, and the harness's own share.

use serde::{Deserialize, Serialize};

use crate::sample::{Answer, StepSample};

/// What the oracle answered for all jobs of one answer key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// [`super::ARCHIVE_VERSION`].
    pub version: u32,
    /// [`Job::answer_key`](crate::plan::Job::answer_key).
    pub answer_key: String,
    /// Id of the job that the oracle was given.
    pub job: String,
    /// Its answers.
    pub expected: Expected,
    /// How long it took, ns.
    pub wall_ns: u64,
}

/// Expected answers of one trial at one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// The oracle ran to its end.
    Answered {
        /// Records that each setup step stored or delivered, in order.
        setup: Vec<u64>,
        /// Measured steps, in order.
        steps: Vec<ExpectedStep>,
    },
    /// It could not; says why.
    Unchecked(String),
}

/// The expected answer of one measured step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpectedStep {
    /// Label of the step.
    pub label: String,
    /// Whether the oracle has such a step; where not, engines are not held against it.
    pub applicable: bool,
    /// What is expected.
    pub answer: Answer,
}

impl Expected {
    /// The expected answer of a step; `None` where there is nothing to hold it against.
    pub fn step(&self, label: &str) -> Option<&Answer> {
        match self {
            Expected::Answered { steps, .. } => steps
                .iter()
                .find(|step| step.label == label && step.applicable)
                .map(|step| &step.answer),
            Expected::Unchecked(_) => None,
        }
    }

    /// How many records each step delivers, setup first: what the `null` engine
    /// is given. `None` where the oracle could not answer.
    pub fn deliver(&self) -> Option<Vec<u64>> {
        match self {
            Expected::Answered { setup, steps } => Some(
                setup
                    .iter()
                    .copied()
                    .chain(steps.iter().map(|step| step.answer.count))
                    .collect(),
            ),
            Expected::Unchecked(_) => None,
        }
    }
}

/// One run of the `null` engine: what the harness itself costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HarnessRecord {
    /// [`super::ARCHIVE_VERSION`].
    pub version: u32,
    /// It speaks for all jobs of this answer key.
    pub answer_key: String,
    /// Label of the trial.
    pub trial: String,
    /// Number of the run, from 0.
    pub run: u32,
    /// Measured steps, in order; those before the end where it ended early.
    pub steps: Vec<StepSample>,
    /// Why it ended early, if it did.
    pub failed: Option<String>,
}
