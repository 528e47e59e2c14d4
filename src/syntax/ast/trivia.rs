//! Comments and layout, kept for the formatter.

use serde::Serialize;

use super::Ident;
use crate::base::span::Span;

/// `// …` to the end of its line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comment {
    /// With the slashes, without spaces at the end.
    pub text: String,
    /// Whether an empty line stands before it.
    pub blank_before: bool,
    pub span: Span,
}

/// What stands around a part without being part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Trivia {
    /// Comments on lines of their own before the part; those directly above
    /// an item are its documentation. Comments from within the part that have
    /// no place of their own come last.
    pub leading: Vec<Comment>,
    /// A comment after the part, on its last line.
    pub trailing: Option<Comment>,
    /// Line breaks before the part itself: 0, 1, or 2 for an empty line.
    pub breaks_before: u8,
}

/// How a braced block was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    #[default]
    Lines,
    OneLine,
}

/// `{ … }`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Block<T> {
    pub members: Vec<T>,
    /// What did not parse; each has its diagnostic already.
    pub broken: Vec<Broken>,
    /// A comment right after the opening brace.
    pub opening: Option<Comment>,
    /// Comments after the last member.
    pub closing: Vec<Comment>,
    pub layout: Layout,
    /// With the braces.
    pub span: Span,
}

/// A part that did not parse: a name it would have declared must not be
/// reported as unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Broken {
    /// The name it would have declared, where that could be told.
    pub name: Option<Ident>,
    pub span: Span,
}

impl<T> Block<T> {
    pub fn new(members: Vec<T>, span: Span) -> Self {
        Self {
            members,
            broken: Vec::new(),
            opening: None,
            closing: Vec::new(),
            layout: Layout::Lines,
            span,
        }
    }

    /// Whether `name` may have been declared by a part that did not parse.
    pub fn may_declare(&self, name: &str) -> bool {
        may_declare(&self.broken, name)
    }
}

pub(super) fn may_declare(broken: &[Broken], name: &str) -> bool {
    broken
        .iter()
        .any(|part| part.name.as_ref().is_none_or(|ident| ident.name == name))
}
