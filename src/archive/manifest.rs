//! What an archive says about itself.

use serde::{Deserialize, Serialize};

use super::source::SourceEntry;

/// State, sessions and notes of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`super::ARCHIVE_VERSION`].
    pub version: u32,
    /// Version of persist-lab that began the run.
    pub tool: String,
    /// How far it got.
    pub state: State,
    /// When the first session began: seconds since the epoch.
    pub started_unix_s: u64,
    /// When the last session ended in order; `None` while running, or after a kill.
    pub ended_unix_s: Option<u64>,
    /// SHA-256 of `plan.json`, 64 hex digits.
    pub plan_digest: String,
    /// Cells of the whole plan.
    pub cells: u64,
    /// The experiment, then the modules and pool files that it uses.
    pub sources: Vec<SourceEntry>,
    /// One for the first run, one more for each time it was resumed.
    pub sessions: Vec<Session>,
    /// What a reader should know, in the order in which it came up.
    pub notes: Vec<Note>,
}

/// How far a run got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A session is at work, or was killed without a word.
    Running,
    /// Every cell of the plan has its record.
    Complete,
    /// The budget was spent before every cell had its turn.
    BudgetSpent,
    /// It was interrupted in order (Ctrl-C, or an error of the environment).
    Interrupted,
}

/// One sitting of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Seconds since the epoch.
    pub started_unix_s: u64,
    /// Seconds since the epoch; `None` while it runs, or after a kill.
    pub ended_unix_s: Option<u64>,
    /// File with its environment.
    pub environment: String,
}

/// What a reader should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// A line at the end of a file was torn by an interruption, and dropped.
    TornLine {
        /// The file.
        file: String,
    },
    /// The budget was spent: so many cells were not reached.
    NotReached {
        /// How many.
        cells: u64,
    },
    /// A session ran in another environment than the first.
    EnvironmentChanged {
        /// Number of the session, from 1.
        session: u64,
        /// What differs, as `name: before -> after`.
        differs: Vec<String>,
    },
    /// The oracle could not answer.
    NoOracle {
        /// Which answers.
        answer_key: String,
        /// Label of the trial.
        trial: String,
        /// Why.
        reason: String,
    },
    /// Two engines answered differently where the oracle could not answer.
    Disagreement {
        /// Id of the job that answered first.
        first: String,
        /// Id of the job that differs.
        other: String,
        /// Label of the step.
        step: String,
        /// How.
        difference: String,
    },
    /// The `null` engine did not run to its end: the harness's share is not known there.
    NoHarness {
        /// Label of the trial.
        trial: String,
        /// Why.
        reason: String,
    },
    /// The stores lie on another disk than the archive.
    OtherDisk,
    /// Files are no longer as the run sealed them; found while reading, never written.
    Changed {
        /// Which: changed or gone.
        files: Vec<String>,
    },
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::TornLine { file } => {
                write!(
                    f,
                    "an interruption tore the last line of `{file}`; it was dropped"
                )
            }
            Note::NotReached { cells } => {
                write!(
                    f,
                    "the budget was spent before {cells} cells had their turn"
                )
            }
            Note::EnvironmentChanged { session, differs } => write!(
                f,
                "session {session} ran in another environment ({})",
                differs.join("; ")
            ),
            Note::NoOracle { trial, reason, .. } => {
                write!(f, "answers of trial `{trial}` are unchecked: {reason}")
            }
            Note::Disagreement {
                first,
                other,
                step,
                difference,
            } => write!(
                f,
                "`{other}` and `{first}` answer step `{step}` differently ({difference}), \
                 and the oracle could not say which is right"
            ),
            Note::NoHarness { trial, reason } => {
                write!(
                    f,
                    "the harness's share of trial `{trial}` is unknown: {reason}"
                )
            }
            Note::OtherDisk => f.write_str("the stores lay on another disk than the archive"),
            Note::Changed { files } => write!(
                f,
                "CHANGED after the run: {}; what stands here may not be what was measured",
                files.join(", ")
            ),
        }
    }
}
