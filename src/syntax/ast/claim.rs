//! `claim "what the author says" { comparison … }`.

use serde::Serialize;

use super::{Block, Expr, Text, Trivia};
use crate::base::span::Span;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    pub title: Text,
    pub comparisons: Block<Comparison>,
    pub span: Span,
}

/// `expr [for condition]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub expr: Expr,
    /// Limits the sizes it speaks about.
    pub condition: Option<Expr>,
    pub trivia: Trivia,
    pub span: Span,
}
