//! `experiment "title" { … }`.

use serde::Serialize;

use super::{Block, Expr, Ident, SweepValues, Text, Trivia};
use crate::base::span::{Span, Spanned};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Experiment {
    pub title: Text,
    pub settings: Block<Setting>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    pub kind: SettingKind,
    /// The setting's own word.
    pub keyword: Ident,
    pub trivia: Trivia,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingKind {
    Source(Text),
    About(Text),
    Authors(Text),
    Seed(Expr),
    Runs(Expr),
    Warmup(Expr),
    Order(Spanned<RoundOrder>),
    Cache(Spanned<CacheState>),
    Budget(Expr),
    Limits(Block<Limit>),
    /// `tiers mixed`; the span of `mixed`.
    TiersMixed(#[serde(serialize_with = "as_true")] Span),
    Quick(Block<QuickValue>),
}

fn as_true<S: serde::Serializer>(_: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(true)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoundOrder {
    Interleaved,
    Sequential,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheState {
    Warm,
    Cold,
}

/// `memory 8GiB`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limit {
    pub kind: Spanned<LimitKind>,
    pub value: Expr,
    pub trivia: Trivia,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    Memory,
    Time,
    Disk,
}

/// `batch = 10, 1k` in `quick { … }`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuickValue {
    pub name: Ident,
    pub values: SweepValues,
    pub trivia: Trivia,
    pub span: Span,
}
