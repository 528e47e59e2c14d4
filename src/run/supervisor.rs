//! One session: the loop over all cells that are left.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::deaths::Deaths;
use super::estimate::Estimate;
use super::events::{Events, Progress};
use super::harness;
use super::interrupt::Interrupt;
use super::judge::Peers;
use super::options::RunOptions;
use super::oracle::Reach;
use super::scrub::Scrub;
use super::setout::{Setout, now_unix_s};
use super::summary::Summary;
use super::watch::Watch;
use super::workplace::Workplace;
use crate::archive::{Archive, Expected, HarnessRecord, Note, Recorder, State};
use crate::diagnostics::Diagnostic;
use crate::plan::Plan;
use crate::plan::order::Cell;
use crate::sample::{CellRecord, Outcome};

/// One session of a run.
pub struct Supervisor<'a> {
    pub(super) plan: &'a Plan,
    pub(super) machine_bytes: u64,
    pub(super) recorder: Recorder,
    pub(super) workplace: Workplace,
    pub(super) watch: Watch<'a>,
    pub(super) events: &'a mut dyn Events,
    pub(super) scrub: Scrub,
    pub(super) deaths: Deaths,
    pub(super) peers: Peers,
    /// How far the oracle reaches.
    pub(super) reach: Reach,
    /// What the oracle answered, by answer key.
    pub(super) expected: BTreeMap<String, Expected>,
    /// Runs of the `null` engine that are done, by answer key.
    pub(super) harness_runs: BTreeMap<String, u32>,
    /// How long the cell before took: the disk may need as much more time to settle.
    pub(super) cell_before: Duration,
    /// Cells that have no record, in order.
    left: Vec<Cell>,
    began: Instant,
    estimate: Estimate,
    summary: Summary,
}

/// What stops a session before its end.
pub(super) enum Stop {
    /// Someone asked to.
    Interrupted,
    /// The environment refuses.
    Fault(Diagnostic),
}

impl From<Diagnostic> for Stop {
    fn from(fault: Diagnostic) -> Stop {
        Stop::Fault(fault)
    }
}

impl<'a> Supervisor<'a> {
    /// Takes over what an earlier session left.
    pub fn new(
        plan: &'a Plan,
        options: &'a RunOptions,
        setout: Setout,
        interrupt: &'a Interrupt,
        events: &'a mut dyn Events,
    ) -> Supervisor<'a> {
        let directory = setout.recorder.directory().to_owned();
        let mut supervisor = Supervisor {
            plan,
            machine_bytes: setout.machine_bytes,
            scrub: Scrub::new(setout.workplace.root(), &directory),
            watch: Watch {
                command: &options.worker,
                interrupt,
            },
            events,
            deaths: Deaths::default(),
            peers: Peers::default(),
            reach: Reach::default(),
            expected: BTreeMap::new(),
            harness_runs: BTreeMap::new(),
            cell_before: Duration::ZERO,
            began: Instant::now(),
            estimate: Estimate::default(),
            summary: Summary::new(directory, setout.order.len() as u64),
            left: setout.order,
            recorder: setout.recorder,
            workplace: setout.workplace,
        };
        if let Some(earlier) = setout.earlier {
            supervisor.take_over(earlier);
        }
        supervisor
    }

    fn take_over(&mut self, earlier: Archive) {
        for record in earlier.answers {
            if let Some(job) = self.plan.jobs.iter().find(|job| job.id == record.job) {
                self.reach.learn(job, &record.expected);
            }
            self.expected.insert(record.answer_key, record.expected);
        }
        for record in &earlier.harness {
            self.learn_harness(record);
        }
        for record in &earlier.cells {
            // The archive's reader has made sure that the job is there.
            if let (Outcome::Unchecked(_), Some(job)) =
                (&record.outcome, self.plan.jobs.get(record.cell.job))
            {
                self.peers.compare(job, &record.steps);
            }
            self.learn(record, Duration::ZERO);
        }
        let done: std::collections::BTreeSet<Cell> =
            earlier.cells.iter().map(|record| record.cell).collect();
        self.left.retain(|cell| !done.contains(cell));
        self.summary.resumed = self.summary.done();
    }

    /// Runs all cells that are left, and ends the session in order.
    ///
    /// # Errors
    /// Where the environment refuses.
    pub fn run(mut self) -> Result<Summary, Diagnostic> {
        let (state, fault) = match self.all() {
            Ok(state) => (state, None),
            Err(Stop::Interrupted) => (State::Interrupted, None),
            Err(Stop::Fault(fault)) => (State::Interrupted, Some(fault)),
        };
        self.summary.state = state;
        // Stores first: they are no part of what is sealed.
        drop(self.workplace);
        let ended = self.recorder.finish(state, now_unix_s());
        if let Some(fault) = fault {
            return Err(fault);
        }
        ended?;
        self.events.finished(&self.summary);
        Ok(self.summary)
    }

    fn all(&mut self) -> Result<State, Stop> {
        let directory = self.recorder.directory().to_owned();
        self.tell(|events, progress| events.began(&directory, progress));
        while let Some(&cell) = self.left.first() {
            if self.watch.interrupt.asked() {
                return Err(Stop::Interrupted);
            }
            let begin = Instant::now();
            let record = match self.deaths.forbid(self.plan, cell.job) {
                Some(why) => self.not_tried(cell, why),
                None if self.budget_spent() => {
                    let cells = self.left.len() as u64;
                    self.recorder.note(Note::NotReached { cells })?;
                    return Ok(State::BudgetSpent);
                }
                None => self.cell(cell)?,
            };
            self.recorder.cell(&record)?;
            self.left.remove(0);
            let around = begin.elapsed().saturating_sub(self.cell_before);
            self.learn(&record, around.min(Duration::from_secs(1)));
            self.tell(|events, progress| events.ended(&record, progress));
        }
        Ok(State::Complete)
    }

    /// Tells something together with where the run stands.
    pub(super) fn tell(&mut self, what: impl FnOnce(&mut dyn Events, &Progress<'_>)) {
        let progress = Progress {
            plan: self.plan,
            done: self.summary.done(),
            total: self.summary.cells,
            left: self.estimate.left(self.plan, &self.left),
        };
        what(self.events, &progress);
    }

    fn budget_spent(&self) -> bool {
        self.plan
            .study
            .budget_ns
            .is_some_and(|budget| self.began.elapsed() >= Duration::from_nanos(budget))
    }

    /// `around`: time that the cell took beyond its worker's.
    fn learn(&mut self, record: &CellRecord, around: Duration) {
        self.summary.add(record);
        self.deaths.learn(self.plan, record);
        if let Some(job) = self.plan.jobs.get(record.cell.job)
            && !matches!(record.outcome, Outcome::NotTried(_))
        {
            let time = Duration::from_nanos(record.wall_ns) + around;
            self.estimate.learn(record.cell.job, job, time);
        }
    }

    pub(super) fn learn_harness(&mut self, record: &HarnessRecord) {
        let runs = self
            .harness_runs
            .entry(record.answer_key.clone())
            .or_default();
        // One that failed would fail again.
        *runs = match record.failed {
            Some(_) => harness::RUNS,
            None => *runs + 1,
        };
    }
}
