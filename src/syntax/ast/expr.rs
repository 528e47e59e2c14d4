//! Expressions: generators, predicates, assignments, claims and options share
//! one type; what fits where is for `check` to say.

use serde::Serialize;

use super::{DateLit, Ident, NumberLit, Path, Text, Trivia};
use crate::base::span::{Span, Spanned};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    Null,
    Bool(bool),
    Number(NumberLit),
    Date(DateLit),
    Text(Text),
    /// `a.b.c`; a single name too.
    Path(Path),
    /// `f(a, step: b)`; also `count(grades)`, `time(sqlite, notes.edit)`.
    Call {
        function: Path,
        args: Vec<Arg>,
    },
    /// `any grades (…)`; inside, `it` is the element of a scalar list.
    Quantified {
        quantifier: Spanned<Quantifier>,
        over: Path,
        predicate: Box<Expr>,
    },
    Unary {
        op: Spanned<UnaryOp>,
        operand: Box<Expr>,
    },
    /// Arithmetic, comparison, `and`, `or`. `ignoring_case` on text
    /// comparisons only (`== != contains starts_with ends_with like`).
    Binary {
        op: Spanned<BinaryOp>,
        left: Box<Expr>,
        right: Box<Expr>,
        ignoring_case: bool,
    },
    /// `x in (a, b)`, `x in a..b`.
    In {
        value: Box<Expr>,
        set: InSet,
        ignoring_case: bool,
    },
    /// `x is null`, `x is not null`.
    IsNull {
        value: Box<Expr>,
        negated: bool,
    },
    /// `x is empty`, `x is not empty`.
    IsEmpty {
        value: Box<Expr>,
        negated: bool,
    },
    /// `growth(…) is linear`: the word is not resolved here.
    IsShape {
        value: Box<Expr>,
        shape: Ident,
    },
    /// `a..b`, both ends included.
    Range {
        from: Box<Expr>,
        to: Box<Expr>,
    },
    /// `(…)`, kept as written.
    Paren(Box<Expr>),
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `{ a: x  b: y }`.
    Object {
        entries: Vec<ObjectEntry>,
        /// Comments after the last entry.
        closing: Vec<super::Comment>,
        layout: super::Layout,
    },
    /// `null when condition else otherwise`.
    NullWhen {
        condition: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `60% null else otherwise`.
    NullShare {
        share: NumberLit,
        otherwise: Box<Expr>,
    },
    /// `one of School`, `3..6 of Course`, `zipf of Author`.
    Link {
        draw: LinkDraw,
        model: Path,
    },
    /// `Employee at (row - 1) / 8`.
    At {
        model: Path,
        row: Box<Expr>,
    },
    /// A metric with its axis and its cell:
    /// `growth(time, sqlite, t.write) over batch`, `time(a, t.s) [n == 1k, batch == 1]`.
    Cell {
        metric: Box<Expr>,
        over: Option<Ident>,
        picks: Vec<Expr>,
    },
}

/// An argument. `step: 1..5` and `file "-wal"` have names.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Arg {
    pub name: Option<Ident>,
    pub value: Expr,
    pub span: Span,
}

/// One `name: value` of a json object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObjectEntry {
    pub name: Ident,
    pub value: Expr,
    pub trivia: Trivia,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InSet {
    /// `(a, b)`
    List(Vec<Expr>),
    /// A range, or a name that stands for a list.
    Expr(Box<Expr>),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkDraw {
    /// `one of`
    One,
    /// `3 of`, `3..6 of`: distinct ones.
    Count(Box<Expr>),
    /// `zipf of` (skew 1.0), `zipf(1.1) of`.
    Zipf(Option<Box<Expr>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantifier {
    Any,
    All,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Contains,
    StartsWith,
    EndsWith,
    Like,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

impl BinaryOp {
    pub const ALL: &[BinaryOp] = &[
        Self::Or,
        Self::And,
        Self::Eq,
        Self::Ne,
        Self::Lt,
        Self::Le,
        Self::Gt,
        Self::Ge,
        Self::Contains,
        Self::StartsWith,
        Self::EndsWith,
        Self::Like,
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Mod,
    ];

    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Contains => "contains",
            Self::StartsWith => "starts_with",
            Self::EndsWith => "ends_with",
            Self::Like => "like",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "mod",
        }
    }

    /// `== != < <= > >= contains starts_with ends_with like`.
    pub fn is_comparison(self) -> bool {
        !self.is_arithmetic() && !matches!(self, Self::And | Self::Or)
    }

    pub fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Mod
        )
    }
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Self { kind, span }
    }

    /// The expression inside all the parentheses around it.
    pub fn inner(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Paren(inside) = &expr.kind {
            expr = inside;
        }
        expr
    }

    /// The path, if it is one.
    pub fn as_path(&self) -> Option<&Path> {
        match &self.kind {
            ExprKind::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The single name, if it is one.
    pub fn as_name(&self) -> Option<&Ident> {
        self.as_path().and_then(Path::single)
    }
}
