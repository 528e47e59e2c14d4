//! One cell, from a quiet disk to its record.

use std::path::PathBuf;
use std::time::Duration;

use super::ending::End;
use super::judge;
use super::setout::now_unix_s;
use super::supervisor::{Stop, Supervisor};
use super::watch::Life;
use crate::archive::Expected;
use crate::plan::order::Cell;
use crate::plan::{Assignment, Job, PLAN_VERSION, Plan};
use crate::sample::{CellRecord, Outcome, SAMPLE_VERSION};

impl Supervisor<'_> {
    /// Runs a cell, after the oracle and the `null` engine where it is their turn.
    pub(super) fn cell(&mut self, cell: Cell) -> Result<CellRecord, Stop> {
        let plan = self.plan;
        let job = &plan.jobs[cell.job];
        let expected = self.expect(job)?;
        self.measure_harness(cell, job, &expected)?;
        self.tell(|events, progress| events.cell(cell, job, progress));

        let residue_bytes = self.workplace.settle(self.cell_before);
        let before = self.workplace.probe();
        let directory = self.workplace.fresh()?;
        let began_unix_s = now_unix_s();
        let assignment = assignment(plan, job, directory.clone());
        let events = &mut *self.events;
        let life = self
            .watch
            .run(&assignment, &plan.study.limits, &mut |lived| {
                events.pulse(lived);
            })?;
        // Before the probe: what a killed worker left unwritten is not to be written now.
        self.workplace.remove(&directory)?;
        let after = self.workplace.probe();
        self.cell_before = Duration::from_nanos(life.wall_ns);
        if let Some(ready) = &life.transcript.ready {
            self.recorder.allocator(&ready.allocator)?;
        }
        let mut record = CellRecord {
            sync_probe_ns: before.zip(after),
            residue_bytes,
            start_ns: life.start_ns,
            wall_ns: life.wall_ns,
            began_unix_s,
            ..blank(cell, job, Outcome::Complete)
        };
        self.fill(&mut record, job, life, &expected)?;
        Ok(record)
    }

    /// Takes over what the worker told, and judges it.
    fn fill(
        &mut self,
        record: &mut CellRecord,
        job: &Job,
        life: Life,
        expected: &Expected,
    ) -> Result<(), Stop> {
        let transcript = life.transcript;
        record.steps = transcript.steps;
        record.indexes = transcript.indexes;
        record.files = transcript.files.unwrap_or_default();
        record.baseline_bytes = transcript.ready.map_or(0, |ready| ready.baseline_bytes);
        record.outcome = match life.end {
            End::Interrupted => return Err(Stop::Interrupted),
            End::Done => judge::outcome(&record.steps, expected),
            End::Died(death) => {
                let mut message = self.scrub.text(&death.message);
                if let Some(words) = judge::trim(&mut record.steps, expected) {
                    message = format!("{message}; {words}");
                }
                Outcome::Died {
                    step: death.step,
                    cause: death.cause,
                    message,
                    place: death.place,
                }
            }
        };
        if let Outcome::Unchecked(reason) = &mut record.outcome
            && let Some(note) = self.peers.compare(job, &record.steps)
        {
            *reason = format!("{reason}; {note}");
            self.recorder.note(note)?;
        }
        Ok(())
    }

    /// The record of a cell that is not tried.
    pub(super) fn not_tried(&self, cell: Cell, why: String) -> CellRecord {
        CellRecord {
            began_unix_s: now_unix_s(),
            ..blank(cell, &self.plan.jobs[cell.job], Outcome::NotTried(why))
        }
    }
}

fn assignment(plan: &Plan, job: &Job, directory: PathBuf) -> Assignment {
    Assignment {
        version: PLAN_VERSION,
        kind: plan.engines[job.engine].kind.clone(),
        job: job.clone(),
        pools: plan.pools.clone(),
        hooks: plan.hooks.clone(),
        seed: plan.study.seed,
        cold: plan.study.cold,
        directory,
        memory_bytes: plan.study.limits.memory_bytes,
        verify: true,
        deliver: None,
    }
}

fn blank(cell: Cell, job: &Job, outcome: Outcome) -> CellRecord {
    CellRecord {
        version: SAMPLE_VERSION,
        cell,
        job: job.id.clone(),
        outcome,
        steps: Vec::new(),
        files: Vec::new(),
        indexes: Vec::new(),
        baseline_bytes: 0,
        sync_probe_ns: None,
        residue_bytes: 0,
        start_ns: 0,
        wall_ns: 0,
        began_unix_s: 0,
    }
}
