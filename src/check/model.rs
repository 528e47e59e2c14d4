//! The checked experiment: every name resolved, every type known, params and
//! axes still open.
//!
//! Schema, expressions, pools, hooks and claims are the plan's own types;
//! [`crate::plan::Expr::Name`] stands for a param or an axis until `lower`
//! closes it. What differs from the plan is what a point decides: quantities
//! are expressions here and numbers there.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::Value;
use crate::base::span::Span;
use crate::plan::expr::HookId;
use crate::plan::schema::{FieldId, Model, ModelId, Schema};
use crate::plan::step::{At, Operand};
use crate::plan::{
    Aggregate, Claim, CompareOp, Expr, Hook, Index, Limits, OrderKey, Path, Pool, UpdateBy,
};

/// A checked experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Experiment {
    /// Facts of the `experiment` block.
    pub facts: Facts,
    /// Params, in order.
    pub params: Vec<Param>,
    /// Sweeps, in order.
    pub axes: Vec<Axis>,
    /// All models, those of used modules too (`people_Person`), without indexes.
    pub schema: Schema,
    /// Per model of the schema: what lower needs beside it.
    pub models: Vec<ModelExtra>,
    /// Pools that generators name.
    pub pools: Vec<Pool>,
    /// Hooks, those of used modules too.
    pub hooks: Vec<Hook>,
    /// Rows of the comparison.
    pub engines: Vec<EngineDef>,
    /// Trials.
    pub trials: Vec<TrialDef>,
    /// Claims; axis values in them may still be params (see [`crate::plan::claim::Condition`]).
    pub claims: Vec<Claim>,
}

/// Facts of the `experiment` block.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Facts {
    /// Title.
    pub title: String,
    /// `source` lines.
    pub sources: Vec<String>,
    /// `about`
    pub about: Option<String>,
    /// `authors`
    pub authors: Option<String>,
    /// `seed`, 0 when absent.
    pub seed: u64,
    /// `runs`; by size when absent.
    pub runs: Option<u32>,
    /// `warmup`, 0 when absent.
    pub warmup: u32,
    /// `order sequential`; interleaved when absent.
    pub sequential: bool,
    /// `cache cold`; warm when absent.
    pub cold: bool,
    /// `budget`, ns.
    pub budget_ns: Option<u64>,
    /// `limits`, defaults filled in.
    pub limits: Limits,
    /// `tiers mixed`
    pub tiers_mixed: bool,
    /// `quick { … }`: names of params or sweeps and the values that replace theirs.
    pub quick: Vec<(String, Vec<Expr>)>,
}

/// `param n = 10k`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// A literal, or an expression over params before it.
    pub value: Expr,
}

/// `sweep batch = 1, 100, n`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Literals (symbols are texts), or expressions over params and axes before it.
    pub values: Vec<Expr>,
}

/// What a model has beside its schema.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ModelExtra {
    /// Generator of each field; `None` for back-links.
    pub generators: Vec<Option<Expr>>,
    /// Indexes, each with its `when`: a condition over axes, params and
    /// `Name("engine")` (a label; `engine == realm` comes as `In` over the
    /// labels of that kind or label).
    pub indexes: Vec<(Index, Option<Expr>)>,
}

/// One row of the comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineDef {
    /// Label, unique.
    pub label: String,
    /// Kind; known to the registry, here or to come.
    pub kind: String,
    /// Options: literals or names of params and axes, presets merged in.
    pub options: BTreeMap<String, Expr>,
}

/// One trial.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialDef {
    /// Label, unique.
    pub label: String,
    /// Title.
    pub title: String,
    /// Labels of the engines it is for; all when absent.
    pub engines: Option<Vec<String>>,
    /// `skip when …`, with its text.
    pub skips: Vec<(Expr, String)>,
    /// `runs k [when …]`, in order; the first that holds counts.
    pub runs: Vec<(u32, Option<Expr>)>,
    /// Untimed steps.
    pub setup: Vec<StepDef>,
    /// Measured steps.
    pub steps: Vec<StepDef>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepDef {
    /// Label, unique in its trial (`read_2`); setup steps too.
    pub label: String,
    /// What is done.
    pub op: OpDef,
    /// As written, in one line.
    pub text: String,
    /// File that holds it, as shown to the user.
    pub file: String,
    /// Line in its file, from 1.
    pub line: u32,
    /// Place of the whole step, for errors that only a point shows.
    #[serde(skip)]
    pub span: Span,
}

/// A step's verb and clauses.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
// Few are ever held, and most of them are reads.
#[allow(clippy::large_enum_variant)]
pub enum OpDef {
    /// `instantiate n User`
    Instantiate {
        /// Model.
        model: ModelId,
        /// How many.
        count: Expr,
    },
    /// `create n User TX`
    Create {
        /// Model.
        model: ModelId,
        /// How many.
        count: Expr,
        /// Grouping.
        transaction: TransactionDef,
    },
    /// `upsert n User TX`
    Upsert {
        /// Model.
        model: ModelId,
        /// How many.
        count: Expr,
        /// Grouping.
        transaction: TransactionDef,
    },
    /// `read …`
    Read {
        /// Model.
        model: ModelId,
        /// `where`
        filter: Option<Expr>,
        /// `by f at …`
        access: Option<AccessDef>,
        /// `order by`
        order: Vec<OrderKey>,
        /// `limit`
        limit: Option<Expr>,
        /// `offset`
        offset: Option<Expr>,
        /// `touching`
        touch: Touch,
        /// `compute`
        compute: Option<ComputeDef>,
        /// `repeat`
        repeat: Option<Expr>,
    },
    /// `count …`
    Count {
        /// Model.
        model: ModelId,
        /// `where`
        filter: Option<Expr>,
        /// `per`
        per: Option<Path>,
        /// `repeat`
        repeat: Option<Expr>,
    },
    /// `update …`
    Update {
        /// Model.
        model: ModelId,
        /// `where`
        filter: Option<Expr>,
        /// `by f at …`
        access: Option<AccessDef>,
        /// `set`
        set: Vec<(FieldId, Expr)>,
        /// `by object`, `by statement`
        by: UpdateBy,
        /// Grouping.
        transaction: TransactionDef,
        /// `repeat`
        repeat: Option<Expr>,
    },
    /// `delete …`
    Delete {
        /// Model.
        model: ModelId,
        /// `where`
        filter: Option<Expr>,
        /// `by f at …`
        access: Option<AccessDef>,
        /// Grouping.
        transaction: TransactionDef,
        /// `repeat`
        repeat: Option<Expr>,
    },
    /// `repeat k with p at random Product TX { … }`
    Block {
        /// Passes.
        repeat: Expr,
        /// Model of the drawn record.
        model: ModelId,
        /// How it is drawn.
        at: AtDef,
        /// Fields of the drawn record that the body names; `Expr::Arg(i)` in
        /// the body's filters and sets is field `binds[i]`.
        binds: Vec<FieldId>,
        /// Grouping of passes.
        transaction: TransactionDef,
        /// Steps of one pass.
        body: Vec<StepDef>,
    },
    /// `storage`
    Storage,
    /// `compact`
    Compact,
    /// `checkpoint`
    Checkpoint,
    /// `open [cold]`
    Open {
        /// Whether pages are dropped.
        cold: bool,
    },
    /// `close`
    Close,
    /// `reopen [cold]`
    Reopen {
        /// Whether pages are dropped.
        cold: bool,
    },
    /// `expect left op right`
    Expect {
        /// Left side.
        left: Operand,
        /// Comparison.
        op: CompareOp,
        /// Right side.
        right: Operand,
    },
}

/// Grouping into commits, quantities open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TransactionDef {
    /// Nothing written: one transaction, but autocommit for a repeated write.
    Unsaid,
    /// `in one transaction`
    One,
    /// `in transactions of k`
    Of(Expr),
    /// `autocommit`
    Autocommit,
}

/// `by field at …`
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccessDef {
    /// The field.
    pub field: FieldId,
    /// Which rows.
    pub at: AtDef,
}

/// Which rows, quantities open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AtDef {
    /// Written out.
    Fixed(At),
    /// `zipf(s)` with a param or axis.
    Zipf(Expr),
    /// An axis whose values are `first`, `middle`, …
    Name(String),
}

/// What of each record is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Touch {
    /// Everything stored in the record itself.
    All,
    /// The key (the identity where there is none).
    Keys,
    /// Nothing: records are only stepped over.
    Nothing,
    /// These; a to-many link among them stands for every scalar of its objects
    /// and is expanded by check into paths.
    Paths(Vec<Path>),
}

/// `compute …`, quantities open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ComputeDef {
    /// `sum(e)` and its like.
    Aggregate {
        /// How.
        function: Aggregate,
        /// Of what.
        of: Expr,
    },
    /// A hook over the list of results.
    Hook {
        /// Which.
        hook: HookId,
        /// Further arguments.
        args: Vec<Expr>,
    },
}

impl Experiment {
    /// The model of a checked id.
    pub fn model(&self, id: ModelId) -> &Model {
        &self.schema.models[id]
    }

    /// Whether a name is a param.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|p| p.name == name)
    }

    /// Whether a name is an axis.
    pub fn axis(&self, name: &str) -> Option<&Axis> {
        self.axes.iter().find(|a| a.name == name)
    }
}

/// A literal, for tests and overrides.
pub fn literal(value: Value) -> Expr {
    Expr::Literal(value)
}
