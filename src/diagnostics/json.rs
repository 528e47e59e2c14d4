//! Diagnostics as data: the same facts as the rendered text.

use super::{Code, Diagnostic, Severity, Sources};
use crate::base::span::Span;

/// One diagnostic. Lines and columns count from 1, columns in characters;
/// `end_*` is just past the marked place. All are null without a place.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct JsonDiagnostic {
    pub code: Code,
    pub severity: Severity,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
    pub related: Vec<JsonRelated>,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct JsonRelated {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// All of them, in the given order.
pub fn json(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<JsonDiagnostic> {
    diagnostics.iter().map(|d| one(d, sources)).collect()
}

fn one(diagnostic: &Diagnostic, sources: &Sources) -> JsonDiagnostic {
    let start = diagnostic.span.map(|span| sources.position(span));
    let end = diagnostic.span.map(|span| sources.position(span.after()));
    JsonDiagnostic {
        code: diagnostic.code,
        severity: diagnostic.severity,
        file: diagnostic
            .span
            .map(|span| sources.path(span.file).to_owned()),
        line: start.map(|at| at.line),
        column: start.map(|at| at.column),
        end_line: end.map(|at| at.line),
        end_column: end.map(|at| at.column),
        message: diagnostic.message.clone(),
        label: diagnostic.label.clone(),
        help: diagnostic.help.clone(),
        related: diagnostic
            .related
            .iter()
            .map(|(span, message)| related(*span, message, sources))
            .collect(),
    }
}

fn related(span: Span, message: &str, sources: &Sources) -> JsonRelated {
    let at = sources.position(span);
    JsonRelated {
        file: sources.path(span.file).to_owned(),
        line: at.line,
        column: at.column,
        message: message.to_owned(),
    }
}
