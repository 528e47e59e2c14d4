//! Expressions: predicates, `set`, aggregates and generators.
//!
//! Meaning, alike on every engine: a comparison with null is false; `!=` is
//! true when both sides have values and differ or exactly one is null; `not`
//! inverts; arithmetic with null is null; division and `mod` truncate towards
//! zero, by zero they are null; integer overflow is an error.

use serde::{Deserialize, Serialize};

use super::generator::Generator;
use super::path::Path;
use crate::base::Value;

/// Position of a hook in [`super::Plan::hooks`].
pub type HookId = usize;

/// An expression over the innermost record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// A constant.
    Literal(Value),
    /// A param or an axis. Only between `check` and `lower`: a job holds none.
    Name(String),
    /// A value of the innermost record.
    Path(Path),
    /// The element, inside `any tags (it == "x")` over a scalar list.
    It,
    /// A value bound at each execution: the key of a point access is argument 0,
    /// the fields of a drawn record follow in [`super::step::Op::Block`]'s order.
    Arg(usize),
    /// The number of the record, from 0. Generators only.
    Row,
    /// A random draw. Generators only.
    Generate(Box<Generator>),
    /// `-x`
    Neg(Box<Expr>),
    /// `a + b` and its like.
    Arith {
        /// Which.
        op: ArithOp,
        /// Left side.
        left: Box<Expr>,
        /// Right side.
        right: Box<Expr>,
    },
    /// `a == b` and its like.
    Compare {
        /// Which.
        op: CompareOp,
        /// Left side.
        left: Box<Expr>,
        /// Right side.
        right: Box<Expr>,
        /// Compare texts after lower-casing both sides.
        ignoring_case: bool,
    },
    /// All of them; true when empty.
    And(Vec<Expr>),
    /// One of them; false when empty.
    Or(Vec<Expr>),
    /// The opposite.
    Not(Box<Expr>),
    /// `x in (1, 2, 3)`
    In {
        /// What is looked for.
        needle: Box<Expr>,
        /// Among these.
        among: Vec<Expr>,
        /// Compare texts after lower-casing both sides.
        ignoring_case: bool,
    },
    /// `x in low..high`, both ends included.
    Between {
        /// The value.
        value: Box<Expr>,
        /// Lower end.
        low: Box<Expr>,
        /// Upper end.
        high: Box<Expr>,
    },
    /// `name contains "x"` and its like; false on null.
    TextMatch {
        /// Which.
        op: TextOp,
        /// The text.
        value: Box<Expr>,
        /// The pattern: a literal or an argument.
        pattern: Box<Expr>,
        /// Match after lower-casing both sides.
        ignoring_case: bool,
    },
    /// `x is null`; on a to-one link, that it points nowhere.
    IsNull(Box<Expr>),
    /// `x is empty`: a list, to-many link, text or blob of length 0. Null is not empty.
    IsEmpty(Path),
    /// `any grades (…)`: one predicate about single children or elements.
    Quantified {
        /// Any, all or none.
        quantifier: Quantifier,
        /// A scalar list or to-many link.
        over: Path,
        /// About the child (its fields are paths) or the element ([`Expr::It`]).
        predicate: Box<Expr>,
    },
    /// `count(grades)`, or `count(grades where …)` where the language has it.
    CountOf {
        /// A scalar list or to-many link.
        over: Path,
        /// Which to count; all when absent.
        predicate: Option<Box<Expr>>,
    },
    /// A hook; in predicates and `set` the innermost record comes before `args`.
    Hook {
        /// Which.
        hook: HookId,
        /// What is written between its parentheses.
        args: Vec<Expr>,
        /// Whether the innermost record is passed first.
        with_record: bool,
    },
    /// `a when c else b`.
    If {
        /// The condition.
        condition: Box<Expr>,
        /// Where it holds.
        then: Box<Expr>,
        /// Elsewhere.
        otherwise: Box<Expr>,
    },
}

/// `+ - * / mod`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, truncating on ints
    Divide,
    /// `mod`, ints only, sign of the dividend
    Remainder,
}

/// `== != < <= > >=`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompareOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// `contains starts_with ends_with like`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextOp {
    /// Anywhere.
    Contains,
    /// At the start.
    StartsWith,
    /// At the end.
    EndsWith,
    /// The whole text against `%` (any run) and `_` (one character), `\` taking the next literally.
    Like,
}

/// `any all none`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantifier {
    /// At least one.
    Any,
    /// Every one; true when there are none.
    All,
    /// Not one.
    None,
}
