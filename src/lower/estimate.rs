//! What a plan will take, before anything runs: orders of magnitude.
//!
//! CPU work is counted in operations at a fixed cost each, syncing work as a
//! range, since the time of one sync differs between disks (and hours) by more
//! than ten. The costs are those of a row store on a small machine of 2020 or
//! later; the run's own progress line replaces them as soon as cells finish.

use crate::base::Value;
use crate::plan::schema::{FieldKind, ModelId, Ownership, Scalar};
use crate::plan::{
    CompareOp, Expr, Generator, Index, Job, Op, Plan, Select, Step, Tier, Transaction, order,
};

/// Storing or changing one object, ns.
const WRITE_NS: f64 = 4_000.0;
/// Passing over one object in a scan, ns.
const SCAN_NS: f64 = 700.0;
/// One access by key, ns.
const POINT_NS: f64 = 4_000.0;
/// One sync, ns: a quiet fast disk, and a loaded one.
const SYNC_NS: (f64, f64) = (200_000.0, 3_000_000.0);
/// A cell's own cost: process, probes, settling, ns.
const CELL_NS: f64 = 150_000_000.0;
/// Allocated bytes per logical byte: pages and indexes.
const AMPLIFICATION: f64 = 2.0;
/// A write-ahead log is emptied from this size on, but never inside a transaction.
const LOG_BYTES: f64 = 4_000_000.0;

/// What a plan or job will take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Cells to run.
    pub cells: u64,
    /// Wall time on a quiet, fast disk, ns.
    pub low_ns: f64,
    /// Wall time on a loaded one, ns.
    pub high_ns: f64,
    /// Largest store, bytes.
    pub disk_bytes: f64,
}

/// The whole plan: sums of time, the largest of disk; `budget` not applied.
pub fn estimate(plan: &Plan) -> Estimate {
    let mut total = Estimate::default();
    let each: Vec<Estimate> = plan.jobs.iter().map(job).collect();
    for cell in order::cells(plan) {
        let one = each[cell.job];
        total.cells += 1;
        total.low_ns += one.low_ns;
        total.high_ns += one.high_ns;
        total.disk_bytes = total.disk_bytes.max(one.disk_bytes);
    }
    total
}

/// One run of one job.
pub fn job(job: &Job) -> Estimate {
    let mut tally = Tally {
        job,
        rows: vec![0.0; job.schema.models.len()],
        cpu_ns: 0.0,
        commits: 0.0,
        bytes: 0.0,
        largest_commit_bytes: 0.0,
    };
    for step in job.setup.iter().chain(&job.steps) {
        tally.step(step, 1.0);
    }
    // The verifying pass reads about as much as the steps do.
    let cpu_ns = CELL_NS + 2.0 * tally.cpu_ns;
    let syncs = if job.tier.is_some_and(|tier| tier >= Tier::T2) {
        tally.commits
    } else {
        0.0
    };
    Estimate {
        cells: 1,
        low_ns: cpu_ns + syncs * SYNC_NS.0,
        high_ns: cpu_ns + syncs * SYNC_NS.1,
        disk_bytes: tally.bytes * AMPLIFICATION + tally.log_bytes(),
    }
}

struct Tally<'a> {
    job: &'a Job,
    rows: Vec<f64>,
    cpu_ns: f64,
    commits: f64,
    bytes: f64,
    /// Allocated by the largest transaction that stores.
    largest_commit_bytes: f64,
}

impl Tally<'_> {
    /// The write-ahead log, where the options ask for one.
    fn log_bytes(&self) -> f64 {
        let wal = Value::Text("wal".into());
        if self.job.options.get("journal_mode") != Some(&wal) {
            return 0.0;
        }
        let stored = self.bytes * AMPLIFICATION;
        self.largest_commit_bytes.max(stored.min(LOG_BYTES))
    }

    fn step(&mut self, step: &Step, passes: f64) {
        match &step.op {
            Op::Create {
                model,
                count,
                pools,
                transaction,
                ..
            } => {
                for (pool, size) in pools {
                    self.store(*pool, *size as f64);
                }
                let count = *count as f64 * passes;
                let before = self.bytes;
                self.store(*model, count);
                let commits = self.commits;
                self.commit(*transaction, count);
                let each = (self.bytes - before) / (self.commits - commits).max(1.0);
                self.largest_commit_bytes = self.largest_commit_bytes.max(each * AMPLIFICATION);
            }
            Op::Upsert {
                model,
                count,
                transaction,
                ..
            } => {
                let new = (*count as f64 - self.rows[*model]).max(0.0);
                self.store(*model, new);
                self.cpu_ns += (*count as f64 - new) * WRITE_NS;
                self.commit(*transaction, *count as f64);
            }
            Op::Read {
                query,
                access,
                repeat,
                ..
            } => {
                let one = match access {
                    Some(_) => POINT_NS,
                    None => self.passed_over(query.model, &query.select) * SCAN_NS,
                };
                self.cpu_ns += one * *repeat as f64 * passes;
            }
            Op::Count {
                model,
                select,
                repeat,
                ..
            } => {
                let scan = self.passed_over(*model, select);
                self.cpu_ns += scan * SCAN_NS * *repeat as f64 * passes;
            }
            Op::Update {
                model,
                select,
                transaction,
                repeat,
                ..
            } => self.change(*model, select, *transaction, *repeat as f64 * passes, 0.1),
            Op::Delete {
                model,
                select,
                transaction,
                repeat,
                ..
            } => self.change(*model, select, *transaction, *repeat as f64 * passes, 1.0),
            Op::Block {
                repeat,
                transaction,
                body,
                ..
            } => {
                let commits = self.commits;
                for step in body {
                    self.step(step, *repeat as f64);
                }
                self.commits = commits;
                self.commit(*transaction, *repeat as f64);
            }
            Op::Instantiate { count, .. } => self.cpu_ns += *count as f64 * SCAN_NS,
            Op::Compact => self.cpu_ns += self.rows.iter().sum::<f64>() * SCAN_NS,
            Op::Storage
            | Op::Checkpoint
            | Op::Open { .. }
            | Op::Close
            | Op::Reopen { .. }
            | Op::Expect { .. } => {}
        }
    }

    /// Records that an engine passes over to find these: all of them, unless a
    /// key or the first column of an index names a small part.
    fn passed_over(&self, model: ModelId, select: &Select) -> f64 {
        /// Of an indexed value that is no key, this share has it.
        const SHARE: f64 = 0.01;
        let Select::Where(predicate) = select else {
            return self.rows[model];
        };
        let declared = &self.job.schema.models[model];
        let conjuncts = match predicate {
            Expr::And(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        let equal = |field: usize| {
            conjuncts.iter().any(|conjunct| {
                matches!(conjunct, Expr::Compare { op: CompareOp::Equal, left, right, .. }
                    if [left, right].iter().any(|side| {
                        matches!(&***side, Expr::Path(path) if path.hops == [field] && path.json.is_empty())
                    }))
            })
        };
        if declared.key.is_some_and(equal) {
            return 1.0;
        }
        let leading = |index: &Index| index.columns.first().is_some_and(|c| equal(c.field));
        if declared.indexes.iter().any(leading) {
            return (self.rows[model] * SHARE).max(1.0);
        }
        self.rows[model]
    }

    fn store(&mut self, model: ModelId, count: f64) {
        if count <= 0.0 {
            return;
        }
        self.rows[model] += count;
        let fields = &self.job.schema.models[model].fields;
        let generators = &self.job.generators[model];
        for (field, generator) in fields.iter().zip(generators) {
            self.bytes += count * field_bytes(&field.kind, generator.as_ref());
            if let FieldKind::ToOne {
                target,
                ownership: Ownership::Owned { max },
                ..
            }
            | FieldKind::ToMany {
                target,
                ownership: Ownership::Owned { max },
                ..
            } = field.kind
            {
                self.store(target, count * (max as f64 + 1.0) / 2.0);
            }
        }
        self.cpu_ns += count * WRITE_NS;
    }

    fn change(
        &mut self,
        model: ModelId,
        select: &Select,
        transaction: Transaction,
        repeat: f64,
        share: f64,
    ) {
        let (scan, matched) = match select {
            Select::All => (self.rows[model], self.rows[model]),
            Select::Where(_) => {
                let scan = self.passed_over(model, select);
                (scan, scan * share)
            }
            Select::Point(_) | Select::Identity => (1.0, 1.0),
        };
        self.cpu_ns += repeat * (scan * SCAN_NS + matched * WRITE_NS);
        self.commit(transaction, matched * repeat);
    }

    fn commit(&mut self, transaction: Transaction, objects: f64) {
        self.commits += match transaction {
            Transaction::One => 1.0,
            Transaction::Of(each) => (objects / each as f64).ceil().max(1.0),
            Transaction::Autocommit => objects.max(1.0),
        };
    }
}

/// Mean bytes of a field's value.
fn field_bytes(kind: &FieldKind, generator: Option<&Expr>) -> f64 {
    let scalar = |scalar: &Scalar| match scalar {
        Scalar::Bool => 1.0,
        Scalar::Int | Scalar::Float | Scalar::Timestamp => 8.0,
        Scalar::Uuid => 16.0,
        Scalar::Enum(cases) => {
            cases.iter().map(|case| case.len() as f64).sum::<f64>() / cases.len().max(1) as f64
        }
        Scalar::Text | Scalar::Blob | Scalar::Json => drawn_bytes(generator),
    };
    match kind {
        FieldKind::Scalar(of) => scalar(of),
        FieldKind::List(of) => 3.0 * scalar(of),
        FieldKind::ToOne { .. } => 8.0,
        FieldKind::ToMany { .. } => 0.0,
    }
}

/// Mean length of a drawn text, blob or JSON; 12 where it cannot be told.
fn drawn_bytes(generator: Option<&Expr>) -> f64 {
    const UNKNOWN: f64 = 12.0;
    match generator {
        Some(Expr::Literal(Value::Text(text))) => text.len() as f64,
        Some(Expr::If {
            then, otherwise, ..
        }) => (drawn_bytes(Some(then)) + drawn_bytes(Some(otherwise))) / 2.0,
        Some(Expr::Generate(draw)) => match &**draw {
            Generator::Text { min, max }
            | Generator::Paragraph { min, max }
            | Generator::Bytes { min, max } => (number(min) + number(max)) / 2.0,
            Generator::Json(members) => members
                .iter()
                .map(|(name, value)| name.len() as f64 + 4.0 + drawn_bytes(Some(value)))
                .sum(),
            Generator::Uuid => 36.0,
            Generator::Uniform { .. } | Generator::Normal { .. } => 17.0,
            _ => UNKNOWN,
        },
        _ => UNKNOWN,
    }
}

fn number(expr: &Expr) -> f64 {
    match expr {
        Expr::Literal(Value::Int(i)) => *i as f64,
        Expr::Literal(Value::Float(f)) => *f,
        _ => 0.0,
    }
}
