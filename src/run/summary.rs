//! What came of a run.

use std::path::PathBuf;

use crate::archive::State;
use crate::sample::{CellRecord, Outcome, StepState};

/// What came of a run, all sessions together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The archive.
    pub directory: PathBuf,
    /// How far it got.
    pub state: State,
    /// Cells of the plan.
    pub cells: u64,
    /// All answers agreed.
    pub complete: u64,
    /// The oracle could not answer.
    pub unchecked: u64,
    /// An answer differed.
    pub void: u64,
    /// Ended early.
    pub died: u64,
    /// Not tried, since something smaller died.
    pub not_tried: u64,
    /// Cells in which an `expect` did not hold.
    pub expects_failed: u64,
    /// Cells that were finished before this session began.
    pub resumed: u64,
}

impl Summary {
    /// Nothing yet.
    pub fn new(directory: PathBuf, cells: u64) -> Summary {
        Summary {
            directory,
            state: State::Running,
            cells,
            complete: 0,
            unchecked: 0,
            void: 0,
            died: 0,
            not_tried: 0,
            expects_failed: 0,
            resumed: 0,
        }
    }

    /// Counts a record.
    pub fn add(&mut self, record: &CellRecord) {
        match record.outcome {
            Outcome::Complete => self.complete += 1,
            Outcome::Unchecked(_) => self.unchecked += 1,
            Outcome::Void { .. } => self.void += 1,
            Outcome::Died { .. } => self.died += 1,
            Outcome::NotTried(_) => self.not_tried += 1,
        }
        let failed = record
            .steps
            .iter()
            .any(|step| matches!(step.state, StepState::Expected { held: false, .. }));
        self.expects_failed += u64::from(failed);
    }

    /// Cells that have their record.
    pub fn done(&self) -> u64 {
        self.complete + self.unchecked + self.void + self.died + self.not_tried
    }

    /// Cells that were not reached.
    pub fn not_reached(&self) -> u64 {
        self.cells.saturating_sub(self.done())
    }

    /// Whether every answer that could be checked agreed and every `expect` held.
    pub fn good(&self) -> bool {
        self.void == 0 && self.expects_failed == 0
    }
}

/// One line.
impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} cells done", self.done(), self.cells)?;
        for (count, what) in [
            (self.void, "void"),
            (self.died, "died"),
            (self.not_tried, "not tried"),
            (self.unchecked, "unchecked"),
            (self.expects_failed, "with a failed expect"),
        ] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        match self.state {
            State::BudgetSpent => write!(f, "; budget spent"),
            State::Interrupted => write!(f, "; interrupted"),
            State::Running | State::Complete => Ok(()),
        }
    }
}
