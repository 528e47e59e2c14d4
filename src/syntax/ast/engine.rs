//! `engine kind [as label] [{ … }]`, `preset label = kind { … }`.

use serde::Serialize;

use super::{Block, Expr, Ident, Path, Trivia};
use crate::base::span::Span;

/// A row of the comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Engine {
    /// A kind or a preset.
    pub kind: Path,
    pub label: Option<Ident>,
    pub options: Option<Block<EngineOption>>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preset {
    pub label: Ident,
    pub kind: Path,
    pub options: Option<Block<EngineOption>>,
    pub span: Span,
}

/// `journal_mode: wal`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineOption {
    pub name: Ident,
    pub value: Expr,
    pub trivia: Trivia,
    pub span: Span,
}
