//! The steps of one cell, from opening the store to closing it.

use std::rc::Rc;

use super::bench::Bench;
use super::done::Done;
use super::failure::Failure;
use super::output::Output;
use super::probes::io::DeviceBytes;
use super::probes::memory::Watch;
use super::steps;
use super::told::Told;
use super::verify::verify;
use crate::plan::{Assignment, Op, Step};
use crate::probe::monotonic_ns;
use crate::sample::{Answer, Message, StepSample, StepState};
use crate::workload::Digest;

/// One cell under way.
pub struct Cell<'a, 'o> {
    /// What is to be done.
    pub assignment: &'a Assignment,
    /// What the steps work with.
    pub bench: Bench<'a>,
    /// Memory of this process.
    pub watch: Rc<Watch>,
    /// To the supervisor.
    pub output: &'a mut Output<'o>,
    /// For the `null` engine: what each step delivers.
    pub told: Option<Told<'a>>,
    /// Whether an `expect` has failed: the rest runs without times.
    pub untimed: bool,
    /// Whether the engine's indexes have been told.
    pub indexed: bool,
}

impl Cell<'_, '_> {
    /// Runs setup and measured steps, closes the store, tells its files.
    pub fn run(&mut self) -> Result<(), Failure> {
        let job = self.bench.job;
        let first = job.setup.first().or(job.steps.first());
        if !first.is_some_and(opens) {
            self.bench.store.open()?;
        }
        self.tell_indexes()?;
        for step in &job.setup {
            self.prepare(step)?;
        }
        if self.assignment.cold {
            self.cool()?;
        }
        for (position, step) in job.steps.iter().enumerate() {
            self.measure(position, step)?;
        }
        self.output.step("close");
        self.bench.store.close()?;
        let files = self.bench.store.files()?;
        self.output.send(&Message::Done { files })
    }

    /// Tells the `null` engine what it is to deliver.
    fn tell(&mut self, step: &Step) {
        if let Some(told) = &mut self.told {
            told.step(step);
        }
    }

    /// Runs a setup step.
    fn prepare(&mut self, step: &Step) -> Result<(), Failure> {
        self.output.started(step, true)?;
        self.tell(step);
        self.bench.clock.reset();
        let done = steps::run(&mut self.bench, step)?;
        self.tell_indexes()?;
        self.output.send(&Message::Prepared {
            label: step.label.clone(),
            count: done.count,
        })?;
        self.remember(step, &done, None);
        Ok(())
    }

    /// `cache cold`: before the first measured step the store is closed, its
    /// pages are dropped, and it is opened again.
    fn cool(&mut self) -> Result<(), Failure> {
        let store = &mut self.bench.store;
        if !store.capabilities().persistent {
            return Ok(());
        }
        let open = store.is_open();
        store.close()?;
        store.chill()?;
        if open {
            store.open()?;
        }
        Ok(())
    }

    /// Runs a measured step, then its verifying pass, and tells the figures.
    fn measure(&mut self, position: usize, step: &Step) -> Result<(), Failure> {
        self.output.started(step, false)?;
        self.tell(step);
        let bench = &mut self.bench;
        bench.resident_before = bench.store.resident()?;
        bench.clock.reset();
        self.watch.begin();
        let device = DeviceBytes::now();
        let begin_ns = monotonic_ns();
        let mut done = steps::run(bench, step)?;
        let end_ns = monotonic_ns();
        let device = DeviceBytes::now().since(device);
        let memory = self.watch.end(done.harness_bytes);
        self.tell_indexes()?;

        let digest = match self.assignment.verify {
            true => verify(&mut self.bench, step)?,
            false => None,
        };
        let answer = self.remember(step, &done, digest);
        let state = match done.state.take() {
            Some(state) => state,
            None if self.untimed => StepState::Untimed,
            None => StepState::Measured,
        };
        let mut sample = StepSample {
            step: position,
            label: step.label.clone(),
            state,
            wall_ns: 0,
            cpu_ns: 0,
            hook_ns: 0,
            decode_ns: 0,
            foreign_calls: 0,
            operations: done.operations.max(1),
            commits: done.commits,
            objects: done.stored.objects,
            logical_bytes: done.stored.logical_bytes,
            answer,
            latency: None,
            memory: None,
            files: done.files,
            read_bytes: 0,
            written_bytes: 0,
            minor_faults: 0,
            major_faults: 0,
            context_switches: 0,
            resident_before: None,
            span_ns: (begin_ns, end_ns),
        };
        if sample.state == StepState::Measured && !matches!(step.op, Op::Storage) {
            let clock = &self.bench.clock;
            let spent = clock.spent();
            sample.wall_ns = spent.wall_ns;
            sample.cpu_ns = spent.cpu_ns;
            sample.hook_ns = spent.hook_ns;
            sample.decode_ns = spent.decode_ns;
            sample.foreign_calls = spent.foreign_calls;
            sample.latency = clock.latency();
            sample.memory = Some(memory);
            sample.read_bytes = device.read;
            sample.written_bytes = device.written;
            sample.minor_faults = spent.usage.minor_faults;
            sample.major_faults = spent.usage.major_faults;
            sample.context_switches = spent.usage.switches;
            sample.resident_before = self.bench.resident_before;
        }
        // What the `null` engine computes means nothing: its times count all the same.
        if self.told.is_none() && matches!(sample.state, StepState::Expected { held: false, .. }) {
            self.untimed = true;
        }
        self.output.send(&Message::Finished(Box::new(sample)))
    }

    /// Keeps the answer for later `expect`s; a step that the engine does not
    /// have has none.
    fn remember(&mut self, step: &Step, done: &Done, digest: Option<Digest>) -> Answer {
        let answer = Answer {
            count: done.count,
            order: digest.as_ref().and_then(|digest| digest.order.clone()),
            digest: digest.map(|digest| digest.records),
            value: done.value.clone(),
        };
        if done.state.is_none() {
            let answers = &mut self.bench.answers;
            answers.insert(step.label.clone(), answer.clone());
        }
        answer
    }

    /// Tells the indexes that are really there, once, as soon as the store is open.
    fn tell_indexes(&mut self) -> Result<(), Failure> {
        if self.indexed || !self.bench.store.is_open() {
            return Ok(());
        }
        let indexes = self.bench.store.session()?.indexes()?;
        self.indexed = true;
        self.output.send(&Message::Indexes(indexes))
    }
}

fn opens(step: &Step) -> bool {
    matches!(step.op, Op::Open { .. })
}
