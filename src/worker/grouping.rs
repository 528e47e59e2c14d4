//! Grouping of changes into commits.

use crate::engines::{EngineError, Session};
use crate::plan::Transaction;

/// Begins and commits around units: top-level objects, passes, repetitions.
///
/// All calls stand inside timed windows.
pub struct Grouping {
    transaction: Transaction,
    /// Units in the open transaction.
    held: u64,
    /// Whether a transaction was begun and not committed.
    open: bool,
    commits: u64,
}

impl Grouping {
    /// Nothing begun yet.
    pub fn new(transaction: Transaction) -> Grouping {
        Grouping {
            transaction,
            held: 0,
            open: false,
            commits: 0,
        }
    }

    /// Units that still fit into the running transaction; at least 1.
    pub fn room(&self) -> u64 {
        match self.transaction {
            Transaction::One => u64::MAX,
            Transaction::Of(most) => most.saturating_sub(self.held).max(1),
            Transaction::Autocommit => 1,
        }
    }

    /// Before a unit: begins a transaction unless one is open or the engine's
    /// autocommit is asked for.
    pub fn enter(&mut self, session: &mut dyn Session) -> Result<(), EngineError> {
        match self.transaction {
            Transaction::Autocommit => Ok(()),
            Transaction::One | Transaction::Of(_) => self.begin(session),
        }
    }

    /// Begins a transaction unless one is open, under autocommit too: shared
    /// pools and the first object stand in one transaction.
    pub fn begin(&mut self, session: &mut dyn Session) -> Result<(), EngineError> {
        if !self.open {
            session.begin()?;
            self.open = true;
        }
        Ok(())
    }

    /// After `units` of at most [`Grouping::room`]: commits where that is due.
    /// Returns whether a commit was made.
    pub fn leave(&mut self, session: &mut dyn Session, units: u64) -> Result<bool, EngineError> {
        self.held += units;
        match self.transaction {
            Transaction::Autocommit if !self.open => {
                self.held = 0;
                self.commits += 1;
                Ok(true)
            }
            Transaction::Autocommit => self.commit(session),
            Transaction::Of(most) if self.held >= most => self.commit(session),
            Transaction::Of(_) | Transaction::One => Ok(false),
        }
    }

    /// After the last unit: commits what is open.
    pub fn finish(&mut self, session: &mut dyn Session) -> Result<bool, EngineError> {
        match self.open {
            true => self.commit(session),
            false => Ok(false),
        }
    }

    fn commit(&mut self, session: &mut dyn Session) -> Result<bool, EngineError> {
        session.commit()?;
        self.open = false;
        self.held = 0;
        self.commits += 1;
        Ok(true)
    }

    /// Commits made so far, the engine's own included.
    pub fn commits(&self) -> u64 {
        self.commits
    }
}
