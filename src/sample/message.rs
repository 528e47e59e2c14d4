//! Frames on a worker's output: a 4-byte little-endian length, then JSON.

use serde::{Deserialize, Serialize};

use super::figures::StepSample;

/// What a worker tells the supervisor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// First frame: resident memory before the engine was loaded, and facts about the engine.
    Ready {
        /// Resident bytes.
        baseline_bytes: u64,
        /// Anonymous part of them.
        anonymous_bytes: u64,
        /// Monotonic clock when the engine was first called, ns.
        at_ns: u64,
        /// Name of the memory allocator.
        allocator: String,
    },
    /// The indexes that the engine really has, its automatic ones included.
    Indexes(Vec<String>),
    /// A step begins.
    Started {
        /// Label.
        label: String,
        /// Whether it is a setup step.
        setup: bool,
        /// Monotonic clock, ns.
        at_ns: u64,
    },
    /// A setup step ended: records it delivered or stored, for the null engine.
    Prepared {
        /// Label.
        label: String,
        /// Count.
        count: u64,
    },
    /// A measured step ended.
    Finished(Box<StepSample>),
    /// The cell is complete; files after close.
    Done {
        /// Files after the store was closed.
        files: Vec<super::figures::FileSize>,
    },
    /// The cell ended early by an error that the worker understood.
    Failed {
        /// Label of the step.
        step: String,
        /// Kind of the error, as the contract names it (`overflow`, `hook`, `engine` …).
        kind: String,
        /// In words.
        message: String,
        /// Place in the experiment, for hooks: file, line, column.
        place: Option<(String, u32, u32)>,
    },
}
