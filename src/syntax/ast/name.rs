//! Names and dotted paths.

use serde::Serialize;

use crate::base::span::Span;

/// One word, as written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

impl Ident {
    pub fn new(name: impl Into<String>, span: Span) -> Self {
        Self {
            name: name.into(),
            span,
        }
    }

    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Models are Capitalised, everything else is lower_case.
    pub fn is_capitalised(&self) -> bool {
        self.name.starts_with(char::is_uppercase)
    }
}

/// `a.b.c`: at least one segment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Path {
    pub segments: Vec<Ident>,
    pub span: Span,
}

impl Path {
    pub fn first(&self) -> Option<&Ident> {
        self.segments.first()
    }

    pub fn last(&self) -> Option<&Ident> {
        self.segments.last()
    }

    /// The only segment, if there is just one.
    pub fn single(&self) -> Option<&Ident> {
        match self.segments.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Whether the last segment names a model.
    pub fn is_model(&self) -> bool {
        self.last().is_some_and(Ident::is_capitalised)
    }
}

/// `a.b.c`.
impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            f.write_str(&segment.name)?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Ident {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}
