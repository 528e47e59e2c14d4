//! Literals, with the text they were written as.

use serde::Serialize;

use super::Expr;
use crate::base::span::Span;

/// A number with its unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberLit {
    /// As written: `1_000`, `10k`, `8GiB`, `0.2ms`, `60%`.
    pub text: String,
    pub value: Number,
    pub span: Span,
}

/// What a number means. A minus is an operator, so none is negative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Number {
    Int(i64),
    Float(f64),
    /// As a fraction: `60%` is 0.6.
    Percent(f64),
    /// In bytes.
    Size(u64),
    /// In nanoseconds.
    Duration(u64),
}

/// `@2024-01-31T00:00Z`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DateLit {
    /// As written, with its `@`.
    pub text: String,
    /// Milliseconds since 1970-01-01T00:00Z.
    pub unix_ms: i64,
    pub span: Span,
}

/// `"…"`, cut where expressions are filled in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Text {
    /// As written, without the quotes.
    pub raw: String,
    /// In order; escapes are resolved, no two neighbouring parts are plain.
    pub parts: Vec<TextPart>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TextPart {
    Plain(String),
    Fill(Expr),
}

impl Text {
    /// The text, if nothing is to be filled in.
    pub fn plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TextPart::Plain(text)] => Some(text),
            _ => None,
        }
    }

    pub fn has_fill(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, TextPart::Fill(_)))
    }
}
