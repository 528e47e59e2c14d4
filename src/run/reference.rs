//! What a cell is held against: the oracle's answers, the harness's own time.

use super::supervisor::{Stop, Supervisor};
use super::watch::Life;
use super::{harness, oracle};
use crate::archive::{AnswerRecord, Expected, Note};
use crate::plan::order::Cell;
use crate::plan::{Assignment, Job, Limits};

impl Supervisor<'_> {
    /// The expected answers of a job: the oracle is asked once for each answer key.
    pub(super) fn expect(&mut self, job: &Job) -> Result<Expected, Stop> {
        if let Some(known) = self.expected.get(&job.answer_key) {
            return Ok(known.clone());
        }
        let mut record = match self.reach.beyond(job) {
            Some(record) => record,
            None => self.ask_oracle(job)?,
        };
        if let Expected::Unchecked(reason) = &mut record.expected {
            *reason = self.scrub.text(reason);
            self.recorder.note(Note::NoOracle {
                answer_key: job.answer_key.clone(),
                trial: job.trial.clone(),
                reason: reason.clone(),
            })?;
        }
        self.reach.learn(job, &record.expected);
        self.recorder.answer(&record)?;
        self.expected
            .insert(record.answer_key, record.expected.clone());
        Ok(record.expected)
    }

    fn ask_oracle(&mut self, job: &Job) -> Result<AnswerRecord, Stop> {
        self.tell(|events, progress| events.oracle(job, progress));
        let limits = oracle::limits(self.plan, self.machine_bytes);
        let plan = self.plan;
        let life = self.aside(&limits, |directory| {
            oracle::assignment(plan, job, directory, &limits)
        })?;
        oracle::record(job, &life).ok_or(Stop::Interrupted)
    }

    /// Runs the `null` engine where this round's run of it is missing, so that its
    /// runs are spread over the rounds as those of the engines are.
    pub(super) fn measure_harness(
        &mut self,
        cell: Cell,
        job: &Job,
        expected: &Expected,
    ) -> Result<(), Stop> {
        let done = self.harness_runs.get(&job.answer_key).copied().unwrap_or(0);
        let due = !cell.warmup && done <= cell.run && done < harness::RUNS;
        let Some(deliver) = expected.deliver().filter(|_| due) else {
            return Ok(());
        };
        let (plan, limits) = (self.plan, self.plan.study.limits);
        let life = self.aside(&limits, |directory| {
            harness::assignment(plan, job, directory, deliver)
        })?;
        let mut record = harness::record(job, done, &life).ok_or(Stop::Interrupted)?;
        if let Some(reason) = &mut record.failed {
            *reason = self.scrub.text(reason);
            self.recorder.note(Note::NoHarness {
                trial: job.trial.clone(),
                reason: reason.clone(),
            })?;
        }
        self.learn_harness(&record);
        self.recorder.harness(&record)?;
        Ok(())
    }

    /// A worker beside the cells.
    fn aside(
        &mut self,
        limits: &Limits,
        assignment: impl FnOnce(std::path::PathBuf) -> Assignment,
    ) -> Result<Life, Stop> {
        let directory = self.workplace.fresh()?;
        let assignment = assignment(directory.clone());
        let events = &mut *self.events;
        let life = self.watch.run(&assignment, limits, &mut |lived| {
            events.pulse(lived);
        })?;
        self.workplace.remove(&directory)?;
        if let Some(ready) = &life.transcript.ready {
            self.recorder.allocator(&ready.allocator)?;
        }
        Ok(life)
    }
}
