//! A report as data: what every format shows, and the documented JSON.
//!
//! `docs/json.md` describes it field by field; a change of meaning counts
//! [`REPORT_VERSION`] up.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::Value;
use crate::plan::{Fidelity, Tier};
use crate::sample::{FileSize, Latency};
use crate::stats::{Finding, Ratio, Summary};

/// Version of the JSON.
pub const REPORT_VERSION: u32 = 1;

/// The whole report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Always `persist-lab report`.
    pub format: &'static str,
    /// [`REPORT_VERSION`].
    pub version: u32,
    /// Title of the experiment.
    pub title: String,
    /// Publications that it re-runs.
    pub sources: Vec<String>,
    /// Seed of all data.
    pub seed: u64,
    /// Whether it was a `--quick` run.
    pub quick: bool,
    /// Changes made on the command line, as typed.
    pub overrides: Vec<String>,
    /// Machine, tool and engines, as the archive recorded them.
    pub environment: Vec<(String, String)>,
    /// Tables: trials in the order of the file, small sizes first.
    pub tables: Vec<Table>,
    /// What limits the figures, for the whole run and for each trial.
    pub warnings: Vec<Note>,
    /// What else the archive says a reader should know, in words.
    pub notes: Vec<String>,
    /// The author's claims.
    pub claims: Vec<ClaimLine>,
    /// Whether every answer agreed, every cell ran to its end and every `expect` held.
    pub good: bool,
}

/// One trial at one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Label of the trial.
    pub trial: String,
    /// Its title.
    pub title: String,
    /// Axes that are the same in all rows.
    pub point: Vec<(String, Value)>,
    /// Top-level objects that the trial creates; the largest of its rows.
    pub size: u64,
    /// Axes that vary between rows, in the order of the file.
    pub axes: Vec<String>,
    /// Measured steps, in order.
    pub steps: Vec<StepLine>,
    /// Engines and points: engines in the order of the file.
    pub rows: Vec<Row>,
    /// What each value of each varying axis does, all else equal.
    pub effects: Vec<Effect>,
}

/// What one value of an axis does, all else equal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// The axis.
    pub axis: String,
    /// Its value.
    pub value: Value,
    /// Per step of the table: median, over all combinations of the other axes
    /// and engines, of the figure as a multiple of the axis's best value in the
    /// same combination; absent where no combination is measured whole.
    pub ratios: Vec<Option<f64>>,
}

/// A step of a table, as far as it is the same in all rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepLine {
    /// Label.
    pub label: String,
    /// As the author wrote it.
    pub text: String,
    /// What its figure is.
    pub measure: Measure,
    /// Depth of a read in words.
    pub depth: Option<String>,
    /// Grouping into commits, in words, for writes; absent where rows differ.
    pub transaction: Option<String>,
    /// Whether its count says something: it stores, reads, counts or changes records.
    pub counts: bool,
}

/// What a step's figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Wall time per operation.
    Time,
    /// Allocated bytes of all files.
    Size,
    /// An `expect`: no figure.
    Expectation,
}

/// One engine at one point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Id of the job: `label/trial/n=1000`.
    pub job: String,
    /// Label of the engine's row.
    pub engine: String,
    /// Its kind.
    pub kind: String,
    /// What stands behind the name.
    pub fidelity: Fidelity,
    /// Version of the engine.
    pub engine_version: Option<String>,
    /// Durability promised, as declared.
    pub tier: Option<Tier>,
    /// What of it a test of this project shows: at most that a kill is survived.
    pub tested: Option<Tier>,
    /// Options given; the engine's defaults are not listed.
    pub options: BTreeMap<String, Value>,
    /// All axes of this row.
    pub point: Vec<(String, Value)>,
    /// How it went.
    pub state: RowState,
    /// Runs that count, and runs planned.
    pub runs: u32,
    /// Runs planned.
    pub planned_runs: u32,
    /// Whether the answers were held against the oracle's.
    pub answers: Answers,
    /// Figures, one per step of the table, in its order.
    pub steps: Vec<Figures>,
    /// Highest peak of memory over all steps, above the worker's baseline, bytes.
    pub peak_bytes: Option<Summary>,
    /// Largest share of the harness in any step, 0 to 1.
    pub harness_share: Option<f64>,
    /// Indexes that the engine really has.
    pub indexes: Vec<String>,
    /// Files after the store was closed, of the last run.
    pub files_after_close: Vec<FileSize>,
}

/// How a row went.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum RowState {
    /// All planned runs ran to their end.
    Measured,
    /// The run was stopped before all planned runs were made.
    Partial,
    /// The engine is not here; says how to get it.
    Missing {
        /// In words.
        how: String,
    },
    /// Left out by the author (`skip when …`).
    Skipped {
        /// The condition.
        why: String,
    },
    /// The budget, or an interruption, ended the run before.
    NotReached,
    /// A smaller size ended early.
    NotTried {
        /// Which.
        why: String,
    },
    /// A run ended early.
    Died {
        /// Step it was in.
        step: Option<String>,
        /// `memory limit`, `signal 11` …
        cause: String,
        /// In words.
        message: String,
    },
    /// An answer differed from the oracle's.
    Void {
        /// The first step that differed.
        step: String,
        /// How.
        difference: String,
    },
}

/// Whether answers were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// All agreed with the oracle.
    Ok,
    /// The oracle could not answer.
    Unchecked,
    /// One differed.
    Void,
    /// There are none.
    None,
}

impl Figures {
    /// Whether the rounds cannot tell the row from the best one: the interval
    /// of their ratio holds 1.
    pub fn is_level(&self) -> bool {
        let interval = self.paired.and_then(|paired| paired.interval);
        interval.is_some_and(|interval| interval.contains(1.0))
    }
}

/// One step of one row, over its runs. Times are per operation; absent where
/// the step was not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Label of the step.
    pub step: String,
    /// Why there is no figure, where that has a reason of its own: `n/a: …`, an `expect` that failed before.
    pub absent: Option<String>,
    /// For an `expect`: whether it held in all runs.
    pub held: Option<bool>,
    /// Wall time per operation, hooks included, ns.
    pub wall_ns: Option<Summary>,
    /// CPU time of the process per operation, ns.
    pub cpu_ns: Option<Summary>,
    /// Time inside hooks per operation, ns; absent where none ran.
    pub hook_ns: Option<Summary>,
    /// Time spent on turning stored bytes into values above the engine, per
    /// operation, ns; absent where the engine does that itself.
    pub decode_ns: Option<Summary>,
    /// Calls through the engine's foreign interface in a run; absent where it counts none.
    pub foreign_calls: Option<u64>,
    /// Median as a multiple of the table's best; absent where only one row is measured.
    pub ratio: Option<f64>,
    /// The ratio to the best row again, from the rounds that both ran in, with
    /// its interval; absent for the best itself and for sizes.
    pub paired: Option<Ratio>,
    /// Allocated bytes of all files.
    pub allocated_bytes: Option<Summary>,
    /// Apparent bytes of all files.
    pub apparent_bytes: Option<Summary>,
    /// Every file, of the last run.
    pub files: Vec<FileSize>,
    /// Peak of resident memory above the baseline, bytes.
    pub peak_bytes: Option<Summary>,
    /// Anonymous part of memory, highest sample, bytes.
    pub anonymous_bytes: Option<Summary>,
    /// File-mapped part of memory, highest sample, bytes.
    pub mapped_bytes: Option<Summary>,
    /// Bytes read from the device.
    pub read_bytes: Option<Summary>,
    /// Bytes written towards the device.
    pub written_bytes: Option<Summary>,
    /// Bytes of the generated values stored.
    pub logical_bytes: Option<u64>,
    /// Operations in a run (`repeat k`).
    pub operations: Option<u64>,
    /// Commits in a run.
    pub commits: Option<u64>,
    /// Objects stored in a run, children and shared ones included.
    pub objects: Option<u64>,
    /// Records counted, delivered, stored or matched in a run.
    pub count: Option<u64>,
    /// The computed value.
    pub value: Option<Value>,
    /// Latencies of single operations, of the run with the median time.
    pub latency: Option<Latency>,
    /// Share of the harness, 0 to 1.
    pub harness_share: Option<f64>,
    /// Largest share of the files' pages resident before the step, 0 to 1.
    pub resident_before: Option<f64>,
}

/// A warning with its sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// As data; `jobs` are positions in the plan.
    #[serde(flatten)]
    pub finding: Finding,
    /// Ids of the jobs meant.
    pub job_ids: Vec<String>,
    /// In words.
    pub text: String,
}

/// A claim and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClaimLine {
    /// The author's sentence.
    pub text: String,
    /// Its comparisons, as written.
    pub comparisons: Vec<String>,
    /// `not judged` in this version.
    pub verdict: &'static str,
}
