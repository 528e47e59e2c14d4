//! One cell as the archive keeps it.

use serde::{Deserialize, Serialize};

use super::figures::{FileSize, StepSample};
use crate::plan::order::Cell;

/// One finished cell, however it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// [`super::SAMPLE_VERSION`].
    pub version: u32,
    /// Which cell; its job's position in the plan.
    pub cell: Cell,
    /// Id of the job, so that a record stands by itself.
    pub job: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Measured steps, in order; those before the end where it ended early.
    pub steps: Vec<StepSample>,
    /// Files after close.
    pub files: Vec<FileSize>,
    /// Indexes really there.
    pub indexes: Vec<String>,
    /// Resident memory of the worker before the engine was loaded.
    pub baseline_bytes: u64,
    /// Median fdatasync before and after the cell, ns.
    pub sync_probe_ns: Option<(u64, u64)>,
    /// Dirty bytes still there when the cell began, after the bounded wait.
    pub residue_bytes: u64,
    /// From the start of the worker to the first engine call, ns.
    pub start_ns: u64,
    /// The whole cell, ns.
    pub wall_ns: u64,
    /// When it began: seconds since the epoch.
    pub began_unix_s: u64,
}

/// How a cell ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All steps ran and every answer agreed with the oracle.
    Complete,
    /// All steps ran, but the oracle could not answer: the answers are unchecked; says why.
    Unchecked(String),
    /// An answer differed: no time counts. Step and difference.
    Void {
        /// Label of the first step that differed.
        step: String,
        /// How.
        difference: String,
    },
    /// It ended early.
    Died {
        /// Label of the step it was in, if any had begun.
        step: Option<String>,
        /// `memory limit`, `time limit`, `disk limit`, `signal 11`, `panic`, `engine error`, `hook error` …
        cause: String,
        /// In words.
        message: String,
        /// Place in the experiment, where it has one: file, line, column.
        place: Option<(String, u32, u32)>,
    },
    /// Not started, since a smaller size ended early; says which.
    NotTried(String),
}
