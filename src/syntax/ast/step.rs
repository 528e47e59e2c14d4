//! `[label:] verb …`.

use serde::Serialize;

use super::{Block, Expr, Ident, Path, Trivia};
use crate::base::span::Span;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    pub label: Option<Ident>,
    /// The step's verb, such as `read`.
    pub verb: Ident,
    pub kind: StepKind,
    /// Empty where the step is a member of a trial, which has its own.
    pub trivia: Trivia,
    /// With the label.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    Instantiate {
        count: Expr,
        model: Path,
    },
    Create {
        count: Expr,
        model: Path,
        transaction: Option<Transaction>,
    },
    Upsert {
        count: Expr,
        model: Path,
        transaction: Option<Transaction>,
    },
    Read(Box<Read>),
    Count(Box<Count>),
    Update(Box<Update>),
    Delete(Box<Delete>),
    /// `repeat k with p at random User { … }`
    Repeat(Box<RepeatBlock>),
    Storage,
    Compact,
    Checkpoint,
    Open {
        cold: bool,
    },
    Close,
    Reopen {
        cold: bool,
    },
    Expect(Expr),
}

impl StepKind {
    pub const VERBS: &[&str] = &[
        "instantiate",
        "create",
        "upsert",
        "read",
        "count",
        "update",
        "delete",
        "repeat",
        "storage",
        "compact",
        "checkpoint",
        "open",
        "close",
        "reopen",
        "expect",
    ];
}

/// Which records: `where P`, or `by field at position`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    Where(Expr),
    By {
        field: Path,
        /// `first middle last random latest missing`, `zipf(1.1)`, or a sweep.
        at: Expr,
        /// From `by` on.
        span: Span,
    },
}

/// Clauses stand in the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Read {
    pub model: Path,
    pub filter: Option<Filter>,
    /// Empty without `order by`.
    pub order: Vec<OrderKey>,
    pub limit: Option<Expr>,
    pub offset: Option<Expr>,
    pub touching: Option<Touching>,
    pub compute: Option<Compute>,
    pub transaction: Option<Transaction>,
    pub repeat: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Count {
    pub model: Path,
    pub filter: Option<Filter>,
    /// `per field`
    pub per: Option<Path>,
    pub transaction: Option<Transaction>,
    pub repeat: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Update {
    pub model: Path,
    pub filter: Option<Filter>,
    pub set: Vec<Assignment>,
    pub transaction: Option<Transaction>,
    pub style: Option<UpdateStyle>,
    pub repeat: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Delete {
    pub model: Path,
    pub filter: Option<Filter>,
    pub transaction: Option<Transaction>,
    pub repeat: Option<Expr>,
}

/// `repeat times with name at at model TX { steps }`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RepeatBlock {
    pub times: Expr,
    pub name: Ident,
    pub at: Expr,
    pub model: Path,
    pub transaction: Option<Transaction>,
    pub steps: Block<Step>,
}

/// `created desc`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrderKey {
    pub field: Path,
    pub descending: bool,
    pub span: Span,
}

/// `f = e`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assignment {
    pub field: Path,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Touching {
    pub kind: TouchingKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TouchingKind {
    Fields(Vec<Path>),
    Keys,
    Nothing,
}

/// `compute sum(e)`, `compute age_gap`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compute {
    /// `sum avg min max`, or a hook.
    pub function: Path,
    /// Empty for a hook, which gets the list of results.
    pub args: Vec<Expr>,
    /// From the function on.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Transaction {
    pub kind: TransactionKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TransactionKind {
    /// `in one transaction`
    One,
    /// `in transactions of k`
    Of(Expr),
    /// `autocommit`
    Autocommit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UpdateStyle {
    /// `by object`
    Object,
    /// `by statement`
    Statement,
}
