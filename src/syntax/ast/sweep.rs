//! `param n = 10k`, `sweep n = 100, 1k`, `sweep n = 100..10M by *10`.

use serde::Serialize;

use super::{Expr, Ident};
use crate::base::span::{Span, Spanned};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Param {
    pub name: Ident,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    pub name: Ident,
    pub values: SweepValues,
    pub span: Span,
}

// There are few of them in a file.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepValues {
    List(Vec<Expr>),
    /// `from..to by *factor`
    Range {
        from: Expr,
        to: Expr,
        step: Spanned<SweepStep>,
        by: Expr,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepStep {
    /// `by *10`
    Times,
    /// `by +10`
    Plus,
}
