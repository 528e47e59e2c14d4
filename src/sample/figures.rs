//! The figures of one step.

use serde::{Deserialize, Serialize};

use super::answer::Answer;

/// One step of one cell, as measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepSample {
    /// Position in the job's measured steps.
    pub step: usize,
    /// Its label.
    pub label: String,
    /// How it went.
    pub state: StepState,
    /// Wall time inside the timed windows, all repetitions together, hooks included.
    pub wall_ns: u64,
    /// User and system time of the whole process inside the windows.
    pub cpu_ns: u64,
    /// Of `wall_ns`, time inside hooks.
    pub hook_ns: u64,
    /// Of `wall_ns`, time in which stored bytes were turned into values above
    /// the engine; 0 where the engine itself does that.
    #[serde(default)]
    pub decode_ns: u64,
    /// Calls through the engine's foreign interface inside the windows; 0 for an engine that has none.
    #[serde(default)]
    pub foreign_calls: u64,
    /// Executions inside the windows (`repeat k`), at least 1.
    pub operations: u64,
    /// Commits made.
    pub commits: u64,
    /// Objects stored, children and shared ones included; 0 for other steps.
    pub objects: u64,
    /// Bytes of the generated values stored, without any engine's overhead; 0 for other steps.
    pub logical_bytes: u64,
    /// What it answered.
    pub answer: Answer,
    /// Latencies of single operations, where they were taken apart.
    pub latency: Option<Latency>,
    /// Peak memory in the step.
    pub memory: Option<Memory>,
    /// The engine's files after the step; empty where not asked for.
    pub files: Vec<FileSize>,
    /// Bytes that the process read from the device.
    pub read_bytes: u64,
    /// Bytes that the process wrote towards the device.
    pub written_bytes: u64,
    /// Minor page faults.
    pub minor_faults: u64,
    /// Major page faults.
    pub major_faults: u64,
    /// Context switches, voluntary and not.
    pub context_switches: u64,
    /// Share of the files' pages resident before the step, 0 to 1.
    pub resident_before: Option<f64>,
    /// Monotonic clock at the beginning and end of the step, ns; the supervisor aligns its samples by it.
    pub span_ns: (u64, u64),
}

/// How a step went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// Measured.
    Measured,
    /// The engine has no such step; says why.
    NotApplicable(String),
    /// An `expect` before it failed: run without times.
    Untimed,
    /// An `expect`: the sides and whether it held.
    Expected {
        /// Whether it held.
        held: bool,
        /// Both sides in words.
        text: String,
    },
}

/// Latencies of single operations, ns, from an HDR histogram of 3 digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// The first operation, kept apart from the rest.
    pub first_ns: u64,
    /// Operations after the first.
    pub count: u64,
    /// Smallest.
    pub min_ns: u64,
    /// Median.
    pub p50_ns: u64,
    /// 90th percentile.
    pub p90_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99.9th percentile.
    pub p999_ns: u64,
    /// Largest.
    pub max_ns: u64,
}

/// Peak memory of a step above the worker's baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Kernel high-water mark of resident memory.
    pub peak_bytes: u64,
    /// Highest sampled anonymous part.
    pub anonymous_bytes: u64,
    /// Highest sampled file-mapped part: page cache that happens to be mapped, never the app's allocation.
    pub mapped_bytes: u64,
    /// Samples taken in the step; with few, the two parts above are lower bounds.
    pub samples: u32,
}

/// One file of the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSize {
    /// Path below the cell's directory.
    pub name: String,
    /// Length as the file system tells it.
    pub apparent_bytes: u64,
    /// Blocks allocated × 512.
    pub allocated_bytes: u64,
}

/// A step in the engine's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Native {
    /// The statement or query, or the calls.
    pub text: String,
    /// What runs above the engine, on its rows; `None` when the engine does it all.
    pub above: Option<String>,
    /// How the engine finds the records, in its own words (`SEARCH Note USING INDEX …`).
    pub access: Option<String>,
}
