//! Small plans whose trials tell the worker of [`super::fake`] what to do.

use std::path::{Path, PathBuf};

use persist_lab::archive::{self, Archive, SourceFile};
use persist_lab::base::Value;
use persist_lab::diagnostics::Diagnostic;
use persist_lab::plan::study::TrialTitle;
use persist_lab::plan::{
    EngineRow, Fidelity, Job, Limits, Op, PLAN_VERSION, Plan, Pool, Schema, Step, Study,
};
use persist_lab::run::{RunOptions, Silent, Summary, WorkerCommand, execute};
use persist_lab::sample::{CellRecord, Outcome};

/// A plan of one trial over engines and sizes, and the place where it runs.
pub struct Bench {
    pub plan: Plan,
    pub directory: tempfile::TempDir,
    /// What this program is as a worker.
    pub worker: &'static str,
}

impl Bench {
    /// The trial is what workers of the kind `bad` do; those of the kind `good` behave.
    pub fn new(trial: &str, engines: &[&str], sizes: &[u64], runs: u32) -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log").to_str().unwrap().to_owned();
        let plan = Plan {
            version: PLAN_VERSION,
            study: Study {
                title: "Misbehaviour".into(),
                sources: Vec::new(),
                about: None,
                authors: None,
                seed: 7,
                warmup: 0,
                interleaved: true,
                cold: false,
                tiers_mixed: false,
                budget_ns: None,
                limits: Limits {
                    memory_bytes: 1 << 30,
                    time_ns: 20_000_000_000,
                    disk_bytes: 1 << 30,
                },
                quick: false,
                overrides: Vec::new(),
            },
            engines: engines.iter().map(|kind| engine(kind)).collect(),
            trials: vec![TrialTitle {
                label: trial.into(),
                title: trial.into(),
            }],
            // The way for workers to find where to leave their marks.
            pools: vec![Pool {
                name: "log".into(),
                values: vec![Value::Text(log)],
            }],
            hooks: Vec::new(),
            jobs: sizes
                .iter()
                .flat_map(|size| {
                    (0..engines.len()).map(|at| job(trial, at, engines[at], *size, runs))
                })
                .collect(),
            claims: Vec::new(),
        };
        Bench {
            plan,
            directory,
            worker: "worker",
        }
    }

    pub fn out(&self) -> PathBuf {
        self.directory.path().join("out")
    }

    pub fn options(&self) -> RunOptions {
        RunOptions {
            out: Some(self.out()),
            resume: None,
            results: self.directory.path().to_owned(),
            work: None,
            worker: WorkerCommand {
                program: std::env::current_exe().unwrap(),
                arguments: vec![self.worker.into()],
            },
        }
    }

    pub fn try_run(&self) -> Result<Summary, Diagnostic> {
        execute(&self.plan, &sources(), &self.options(), &mut Silent)
    }

    pub fn run(&self) -> (Summary, Archive) {
        let summary = self.try_run().unwrap();
        (summary, self.open())
    }

    pub fn try_resume(&self) -> Result<Summary, Diagnostic> {
        let options = RunOptions {
            out: None,
            resume: Some(self.out()),
            ..self.options()
        };
        execute(&self.plan, &sources(), &options, &mut Silent)
    }

    pub fn open(&self) -> Archive {
        archive::open(&self.out()).unwrap()
    }

    /// What workers wrote: a line for each start, `kind job`, and what else they tell.
    pub fn log(&self) -> Vec<String> {
        read_lines(&self.directory.path().join("log"))
    }

    /// How many workers of that kind were started.
    pub fn starts(&self, kind: &str) -> usize {
        let prefix = format!("{kind} ");
        self.log()
            .iter()
            .filter(|line| line.starts_with(&prefix))
            .count()
    }
}

pub fn read_lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

pub fn sources() -> Vec<SourceFile> {
    let source = |name: &str, text: &str| SourceFile {
        name: name.into(),
        text: text.into(),
    };
    vec![
        source("experiments/misbehaviour.exp", "experiment \"x\" {}\n"),
        source("std/people.exp", "// people\n"),
    ]
}

/// Records of one engine, in the order in which they ran.
pub fn of<'a>(archive: &'a Archive, engine: &str) -> Vec<&'a CellRecord> {
    let prefix = format!("{engine}/");
    archive
        .cells
        .iter()
        .filter(|record| record.job.starts_with(&prefix))
        .collect()
}

/// Step, cause and message of a cell that died.
pub fn death(record: &CellRecord) -> (Option<&str>, &str, &str) {
    match &record.outcome {
        Outcome::Died {
            step,
            cause,
            message,
            ..
        } => (step.as_deref(), cause, message),
        other => panic!("it did not die: {other:?}"),
    }
}

fn engine(kind: &str) -> EngineRow {
    EngineRow {
        label: kind.into(),
        kind: kind.into(),
        options: Default::default(),
        fidelity: Fidelity::Own,
        tier: None,
        tested: None,
        version: None,
        missing: None,
    }
}

fn job(trial: &str, engine: usize, label: &str, size: u64, runs: u32) -> Job {
    Job {
        id: format!("{label}/{trial}/n={size}"),
        engine,
        options: [("option".to_owned(), Value::Int(1))].into(),
        tier: None,
        trial: trial.into(),
        point: vec![("n".into(), Value::Int(size as i64))],
        size,
        runs,
        skipped: None,
        schema: Schema::default(),
        generators: Vec::new(),
        extents: Vec::new(),
        setup: vec![step("fill")],
        steps: vec![step("first"), step("second")],
        answer_key: format!("key-{trial}-{size}"),
    }
}

fn step(label: &str) -> Step {
    Step {
        label: label.into(),
        op: Op::Storage,
        verify: Vec::new(),
        depth: None,
        text: "storage".into(),
        file: "misbehaviour.exp".into(),
        line: 1,
    }
}
