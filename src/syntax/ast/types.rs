//! Types of fields.

use serde::Serialize;

use super::{Ident, NumberLit, Path};
use crate::base::span::Span;

/// `text`, `text[]`, `int?`, `School`, `Grade[]`, `enum(a, b: 20%)`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Type {
    pub kind: TypeKind,
    /// `[]`
    pub list: bool,
    /// `?`
    pub optional: bool,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TypeKind {
    Scalar(ScalarType),
    /// Cases written in place.
    Enum(Vec<EnumCase>),
    /// A model (Capitalised), an `enum` item, or a word that is neither.
    Named(Path),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScalarType {
    Bool,
    Int,
    Float,
    Text,
    Uuid,
    Timestamp,
    Blob,
    Json,
}

impl ScalarType {
    pub const ALL: &[ScalarType] = &[
        Self::Bool,
        Self::Int,
        Self::Float,
        Self::Text,
        Self::Uuid,
        Self::Timestamp,
        Self::Blob,
        Self::Json,
    ];

    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Text => "text",
            Self::Uuid => "uuid",
            Self::Timestamp => "timestamp",
            Self::Blob => "blob",
            Self::Json => "json",
        }
    }
}

/// `pending: 20%`, `pending`, `"A*"`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EnumCase {
    /// Without quotes, escapes resolved.
    pub name: Ident,
    /// As written between quotes, where it was quoted.
    pub quoted: Option<String>,
    pub weight: Option<NumberLit>,
    pub span: Span,
}
