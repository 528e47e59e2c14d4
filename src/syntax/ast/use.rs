//! `use std.people`, `use "./shared.exp" as shared`.

use serde::Serialize;

use super::{Ident, Path, Text};
use crate::base::span::Span;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Use {
    pub source: UseSource,
    pub alias: Option<Ident>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UseSource {
    /// `std.people`
    Module(Path),
    /// `"./shared.exp"`
    File(Text),
}
