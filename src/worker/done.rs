//! What a step did.

use super::weight::Weight;
use crate::base::Value;
use crate::sample::{FileSize, StepState};

/// What a step did, beside the time it took.
#[derive(Debug, Default)]
pub struct Done {
    /// As [`crate::sample::Answer::count`].
    pub count: u64,
    /// Computed value.
    pub value: Option<Value>,
    /// Executions; 0 stands for 1.
    pub operations: u64,
    /// Commits.
    pub commits: u64,
    /// What was stored.
    pub stored: Weight,
    /// The most that the harness held of generated records, in bytes.
    pub harness_bytes: u64,
    /// Files, where the step asks for them.
    pub files: Vec<FileSize>,
    /// State, if it is another than [`StepState::Measured`].
    pub state: Option<StepState>,
}

impl Done {
    /// The engine has no such step.
    pub fn not_applicable(why: impl Into<String>) -> Done {
        Done {
            state: Some(StepState::NotApplicable(why.into())),
            ..Done::default()
        }
    }
}
