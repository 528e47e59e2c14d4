//! What the author claims, checked and resolved; judged from the archive.

use serde::{Deserialize, Serialize};

use super::expr::{ArithOp, CompareOp};
use crate::base::Value;

/// One `claim` item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The sentence as written.
    pub text: String,
    /// Comparisons; the claim holds when all do.
    pub comparisons: Vec<ClaimComparison>,
    /// Line in the file, from 1.
    pub line: u32,
}

/// One comparison of a claim, at one set of axis values or over all of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimComparison {
    /// As the author wrote it, in one line.
    pub text: String,
    /// What is compared.
    pub relation: Relation,
    /// `for …`: the sizes it speaks of; all measured ones when absent.
    pub condition: Option<Condition>,
    /// Line in the file, from 1.
    pub line: u32,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// `a < b`
    Compare {
        /// Left side.
        left: Term,
        /// Comparison.
        op: CompareOp,
        /// Right side.
        right: Term,
    },
    /// `a in low..high`
    Between {
        /// The value.
        value: Term,
        /// Lower end.
        low: Term,
        /// Upper end.
        high: Term,
    },
    /// `growth(time, e, t.s) is linear`
    Growth {
        /// Of this metric; its selection picks the other axes.
        of: Metric,
        /// The axis grown over.
        over: String,
        /// How.
        is: Growth,
    },
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// A number: times in nanoseconds, sizes in bytes, else as written.
    Number(f64),
    /// A measured value.
    Metric(Metric),
    /// The largest size that finished.
    Reached {
        /// Of this engine, trial and step.
        of: Metric,
        /// The axis meant.
        over: String,
    },
    /// Arithmetic.
    Arith {
        /// Which.
        op: ArithOp,
        /// Left side.
        left: Box<Term>,
        /// Right side.
        right: Box<Term>,
    },
}

/// A measured value of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Which figure.
    pub kind: MetricKind,
    /// Label of the engine's row.
    pub engine: String,
    /// Label of the trial.
    pub trial: String,
    /// Label of the step.
    pub step: String,
    /// `file "-wal"`: only files whose name ends so (disk only).
    pub file: Option<String>,
    /// `[batch == 1, journal == wal]`: conditions that pick the cell; all must hold.
    pub selection: Vec<Condition>,
}

/// Which figure of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricKind {
    /// Wall time per operation, ns.
    Time,
    /// CPU time per operation, ns.
    Cpu,
    /// Median latency, ns.
    P50,
    /// 99th percentile of latency, ns.
    P99,
    /// Largest latency, ns.
    Max,
    /// Objects or operations a second.
    Rate,
    /// Peak memory above the baseline, bytes.
    PeakMemory,
    /// Allocated bytes of all files.
    Disk,
    /// Bytes written to the device.
    BytesWritten,
    /// Bytes of the data itself.
    LogicalBytes,
    /// Records counted.
    Rows,
}

/// Shape of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// Exponent 0.
    Constant,
    /// log n
    Logarithmic,
    /// n
    Linear,
    /// n log n
    Linearithmic,
    /// n²
    Quadratic,
}

/// A condition over axis values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// `n >= 1k`
    Compare {
        /// The axis.
        axis: String,
        /// Comparison.
        op: CompareOp,
        /// Its other side.
        value: Value,
    },
    /// `batch == n`: two axes.
    CompareAxes {
        /// One axis.
        left: String,
        /// Comparison.
        op: CompareOp,
        /// The other.
        right: String,
    },
    /// `n in 1k..10k`
    Between {
        /// The axis.
        axis: String,
        /// Lower end.
        low: Value,
        /// Upper end.
        high: Value,
    },
    /// All of them.
    And(Vec<Condition>),
    /// One of them.
    Or(Vec<Condition>),
    /// The opposite.
    Not(Box<Condition>),
}
