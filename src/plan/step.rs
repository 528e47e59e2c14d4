//! What is done, step by step, with every size resolved.

use serde::{Deserialize, Serialize};

use super::expr::{CompareOp, Expr};
use super::query::{Aggregate, Query, Request, Select, UpdateBy};
use super::schema::{FieldId, ModelId};
use crate::base::Value;
use crate::plan::path::Path;

/// One step of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its label (`write`); unique in the trial. Setup steps have labels too.
    pub label: String,
    /// What is done.
    pub op: Op,
    /// Untimed questions (reads and `CountPer`) whose digests are the step's answer.
    /// For a read: the same question with every value spelled out, executed with the
    /// same arguments; for a change: the whole state of each model that it can touch.
    /// Every sort key stands among the columns too.
    pub verify: Vec<Request>,
    /// Depth of a read in words, for tables: `all fields`, `first_name, school.name`, `keys`, `nothing`.
    pub depth: Option<String>,
    /// The step as the author wrote it, in one line.
    pub text: String,
    /// File that holds it, as shown to the user.
    pub file: String,
    /// Line in that file, from 1.
    pub line: u32,
}

/// A step's verb and clauses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Build objects in the engine's own representation, not yet stored.
    Instantiate {
        /// Their model.
        model: ModelId,
        /// First row.
        first_row: u64,
        /// How many.
        count: u64,
    },
    /// Store new objects with what they own; shared pools go into the first transaction.
    Create {
        /// Their model.
        model: ModelId,
        /// First row.
        first_row: u64,
        /// How many.
        count: u64,
        /// Shared pools that are not stored yet: model and size.
        pools: Vec<(ModelId, u64)>,
        /// Grouping into commits.
        transaction: Transaction,
        /// Whether a step before has instantiated exactly these.
        instantiated: bool,
    },
    /// Store rows `0..count` by key with new values: present ones are replaced.
    Upsert {
        /// Their model.
        model: ModelId,
        /// How many.
        count: u64,
        /// Generation of values: 0 is what `create` made, each upsert counts one up.
        generation: u32,
        /// Grouping into commits.
        transaction: Transaction,
    },
    /// Read records.
    Read {
        /// What. Where `access` is given, its selection is [`Select::Point`].
        query: Query,
        /// Point access: which keys.
        access: Option<Access>,
        /// Aggregate or hook over the results.
        compute: Option<Compute>,
        /// Executions.
        repeat: u64,
    },
    /// Count records.
    Count {
        /// Of this model.
        model: ModelId,
        /// Which.
        select: Select,
        /// Per value of this field.
        per: Option<Path>,
        /// Executions.
        repeat: u64,
    },
    /// Change records.
    Update {
        /// Of this model.
        model: ModelId,
        /// Which.
        select: Select,
        /// Point access: which keys.
        access: Option<Access>,
        /// Fields and new values.
        set: Vec<(FieldId, Expr)>,
        /// How.
        by: UpdateBy,
        /// Grouping into commits: of matched records, or of repetitions where `repeat` > 1.
        transaction: Transaction,
        /// Executions.
        repeat: u64,
    },
    /// Delete records.
    Delete {
        /// Of this model.
        model: ModelId,
        /// Which.
        select: Select,
        /// Point access: which keys.
        access: Option<Access>,
        /// As for update.
        transaction: Transaction,
        /// Executions.
        repeat: u64,
    },
    /// A block per drawn record.
    Block {
        /// Passes.
        repeat: u64,
        /// Model of the drawn record.
        model: ModelId,
        /// How it is drawn.
        at: At,
        /// Rows that can be drawn: `0..population`.
        population: u64,
        /// As in [`Access::salt`].
        salt: u64,
        /// Fields of the drawn record that the body names: argument `i` is field `binds[i]`.
        binds: Vec<FieldId>,
        /// Passes per commit.
        transaction: Transaction,
        /// Steps of one pass: creates (of `first_row + pass × count`), updates, deletes, reads, counts.
        body: Vec<Step>,
    },
    /// Measure the files.
    Storage,
    /// The engine's own compaction.
    Compact,
    /// The engine's own checkpoint.
    Checkpoint,
    /// Open the store.
    Open {
        /// Whether the files' pages are dropped before.
        cold: bool,
    },
    /// Close the store.
    Close,
    /// Close, then open; the time is that of opening.
    Reopen {
        /// Whether the files' pages are dropped in between.
        cold: bool,
    },
    /// Compare counts or results of earlier steps; untimed.
    Expect {
        /// Left side.
        left: Operand,
        /// Comparison.
        op: CompareOp,
        /// Right side.
        right: Operand,
    },
}

/// A side of an `expect`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operand {
    /// A constant.
    Literal(Value),
    /// A param or an axis (`expect written == n`). Only between `check` and
    /// `lower`: a job holds none.
    Name(String),
    /// The count of a step.
    Count(String),
    /// The computed value of a step (`sum.value`).
    Result(String),
    /// Arithmetic of two sides.
    Arith {
        /// Which.
        op: super::expr::ArithOp,
        /// Left side.
        left: Box<Operand>,
        /// Right side.
        right: Box<Operand>,
    },
}

/// How changes are grouped into commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transaction {
    /// All in one.
    One,
    /// So many top-level objects (or passes, or repetitions) each.
    Of(u64),
    /// One commit per top-level object with its children, by the engine's own autocommit where it has one.
    Autocommit,
}

/// Which keys a point access uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Access {
    /// Field whose generated value is the key.
    pub field: FieldId,
    /// Which rows.
    pub at: At,
    /// Rows that exist: `0..population`.
    pub population: u64,
    /// Keeps the draws of this step apart from those of other steps; the same for every engine.
    pub salt: u64,
}

/// Which rows are drawn, alike for every engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// Row 0.
    First,
    /// Row `population / 2`.
    Middle,
    /// The last row.
    Last,
    /// Evenly.
    Random,
    /// Skewed towards low rows.
    Zipf(f64),
    /// Skewed towards the newest rows (exponent 1.0, counted from the end).
    Latest,
    /// A value that no record has.
    Missing,
}

/// What is made of the results of a read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compute {
    /// The engine aggregates.
    Aggregate {
        /// How.
        function: Aggregate,
        /// Of what.
        of: Expr,
    },
    /// A hook gets the list of results, as maps of the columns read.
    Hook {
        /// Which.
        hook: super::expr::HookId,
        /// Further arguments, constants.
        args: Vec<Expr>,
    },
}
