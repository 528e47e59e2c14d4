//! `pool name = "a", "b"`, `pool name from "names.txt"`, `enum name(a, b)`.

use serde::Serialize;

use super::{EnumCase, Expr, Ident, Text};
use crate::base::span::Span;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pool {
    pub name: Ident,
    pub source: PoolSource,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PoolSource {
    List(Vec<Expr>),
    /// A text file with one entry a line.
    File(Text),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EnumItem {
    pub name: Ident,
    pub cases: Vec<EnumCase>,
    pub span: Span,
}
