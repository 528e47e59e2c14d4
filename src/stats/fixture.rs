//! Hand-made plans and records for the tests of statistics and reports.

use std::collections::BTreeMap;

use crate::base::Value;
use crate::plan::order::Cell;
use crate::plan::study::TrialTitle;
use crate::plan::{
    EngineRow, Fidelity, Job, Limits, Op, Plan, Query, Schema, Select, Step, Study, Tier,
    Transaction,
};
use crate::sample::{Answer, CellRecord, FileSize, Memory, Outcome, StepSample, StepState};

/// An engine that is here.
pub fn engine(label: &str, fidelity: Fidelity, tier: Tier) -> EngineRow {
    EngineRow {
        label: label.into(),
        kind: label.into(),
        options: BTreeMap::new(),
        fidelity,
        tier: Some(tier),
        tested: None,
        version: Some("1.0".into()),
        missing: None,
    }
}

/// An engine that is not.
pub fn missing(label: &str, fidelity: Fidelity) -> EngineRow {
    EngineRow {
        tier: None,
        tested: None,
        version: None,
        missing: Some("not here yet: this version has no adapter for it".into()),
        ..engine(label, fidelity, Tier::T0)
    }
}

/// A plan of one trial `simple` without jobs.
pub fn plan(engines: Vec<EngineRow>) -> Plan {
    Plan {
        version: crate::plan::PLAN_VERSION,
        study: Study {
            title: "Hand-made".into(),
            sources: vec!["A comparison, 2024".into()],
            about: None,
            authors: None,
            seed: 1,
            warmup: 0,
            interleaved: true,
            cold: false,
            tiers_mixed: true,
            budget_ns: None,
            limits: Limits::default(),
            quick: false,
            overrides: Vec::new(),
        },
        engines,
        trials: vec![TrialTitle {
            label: "simple".into(),
            title: "Simple objects".into(),
        }],
        pools: Vec::new(),
        hooks: Vec::new(),
        jobs: Vec::new(),
        claims: Vec::new(),
    }
}

/// `write`, `jane` and `size`.
pub fn steps(count: u64) -> Vec<Step> {
    vec![
        step(
            "write",
            &format!("write: create {count} User in one transaction"),
            Op::Create {
                model: 0,
                first_row: 0,
                count,
                pools: Vec::new(),
                transaction: Transaction::One,
                instantiated: false,
            },
        ),
        read("jane", "jane: read User where first_name == \"Jane\""),
        step("size", "size: storage", Op::Storage),
    ]
}

/// A read of everything.
pub fn read(label: &str, text: &str) -> Step {
    let mut step = step(
        label,
        text,
        Op::Read {
            query: Query {
                model: 0,
                select: Select::All,
                order: Vec::new(),
                limit: None,
                offset: 0,
                columns: Vec::new(),
            },
            access: None,
            compute: None,
            repeat: 1,
        },
    );
    step.depth = Some("all fields".into());
    step
}

/// Any step.
pub fn step(label: &str, text: &str, op: Op) -> Step {
    Step {
        label: label.into(),
        op,
        verify: Vec::new(),
        depth: None,
        text: text.into(),
        file: "hand-made.exp".into(),
        line: 1,
    }
}

/// A job of engine `engine` at a point; its size is axis `n`, or 1,000.
pub fn job(plan: &Plan, engine: usize, point: &[(&str, Value)], runs: u32) -> Job {
    let size = point
        .iter()
        .find_map(|(axis, value)| match value {
            Value::Int(n) if *axis == "n" => u64::try_from(*n).ok(),
            _ => None,
        })
        .unwrap_or(1_000);
    let point: Vec<(String, Value)> = point
        .iter()
        .map(|(axis, value)| ((*axis).to_owned(), value.clone()))
        .collect();
    Job {
        id: format!("{}/simple/{point:?}", plan.engines[engine].label),
        engine,
        options: plan.engines[engine].options.clone(),
        tier: plan.engines[engine].tier,
        trial: "simple".into(),
        point,
        size,
        runs,
        skipped: None,
        schema: Schema::default(),
        generators: Vec::new(),
        extents: Vec::new(),
        setup: Vec::new(),
        steps: steps(size),
        answer_key: format!("key-{size}"),
    }
}

/// A sample in milliseconds.
pub fn sample(at: usize, label: &str, ms: f64, count: u64) -> StepSample {
    let wall_ns = (ms * 1e6) as u64;
    StepSample {
        step: at,
        label: label.into(),
        state: StepState::Measured,
        wall_ns,
        cpu_ns: wall_ns / 2,
        hook_ns: 0,
        decode_ns: 0,
        foreign_calls: 0,
        operations: 1,
        commits: 0,
        objects: 0,
        logical_bytes: 0,
        answer: Answer {
            count,
            ..Answer::default()
        },
        latency: None,
        memory: Some(Memory {
            peak_bytes: 2_500_000,
            anonymous_bytes: 2_000_000,
            mapped_bytes: 400_000,
            samples: 9,
        }),
        files: Vec::new(),
        read_bytes: 0,
        written_bytes: 4096,
        minor_faults: 1,
        major_faults: 0,
        context_switches: 1,
        resident_before: None,
        span_ns: (0, wall_ns),
    }
}

/// A finished cell: `write` takes `ms`, `jane` a tenth, `size` is 20,480 B and a log.
pub fn record(plan: &Plan, job: usize, run: u32, ms: f64) -> CellRecord {
    let mut write = sample(0, "write", ms, plan.jobs[job].size);
    write.objects = plan.jobs[job].size;
    write.commits = 1;
    let mut size = sample(2, "size", 0.01, 0);
    size.memory = None;
    size.files = vec![
        file("store.db", 20_480),
        file("store.db-wal", 1_000 * u64::from(run)),
    ];
    CellRecord {
        version: crate::sample::SAMPLE_VERSION,
        cell: Cell {
            job,
            run,
            warmup: false,
        },
        job: plan.jobs[job].id.clone(),
        outcome: Outcome::Complete,
        steps: vec![write, sample(1, "jane", ms / 10.0, 25), size],
        files: vec![file("store.db", 20_480)],
        indexes: Vec::new(),
        baseline_bytes: 4_000_000,
        sync_probe_ns: Some((1_000_000, 1_100_000)),
        residue_bytes: 0,
        start_ns: 10_000_000,
        wall_ns: 50_000_000,
        began_unix_s: 1_700_000_000,
    }
}

/// One file, as long as it is large.
pub fn file(name: &str, bytes: u64) -> FileSize {
    FileSize {
        name: name.into(),
        apparent_bytes: bytes,
        allocated_bytes: bytes,
    }
}
