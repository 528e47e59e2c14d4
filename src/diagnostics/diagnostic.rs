//! What is wrong, where, and what would be right.

use super::Code;
use crate::base::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// One finding. Messages are lower-case sentences without a full stop, and
/// speak of what the author wrote, never of the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// Where; `None` where there is no place in a text (a missing file, say).
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
    /// A few words at the marked place; may be empty.
    pub label: String,
    /// What would be right.
    pub help: Option<String>,
    /// Other places that matter, each with a few words.
    pub related: Vec<(Span, String)>,
}

impl Diagnostic {
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, Some(span), message)
    }

    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, Some(span), message)
    }

    /// An error that has no place in a text.
    pub fn general(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, None, message)
    }

    fn new(code: Code, severity: Severity, span: Option<Span>, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            span,
            message: message.into(),
            label: String::new(),
            help: None,
            related: Vec::new(),
        }
    }

    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help where there is one, such as from
    /// [`did_you_mean`](super::did_you_mean).
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        if help.is_some() {
            self.help = help;
        }
        self
    }

    #[must_use]
    pub fn related(mut self, span: Span, words: impl Into<String>) -> Self {
        self.related.push((span, words.into()));
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// By file and position; those without a place come first. Findings at one
/// place keep the order they were made in.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|d| d.span.map(|s| (s.file, s.start, s.end)));
}

pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}
