//! `hook name(args) { rhai }`.

use serde::Serialize;

use super::Ident;
use crate::base::span::Span;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hook {
    pub name: Ident,
    pub params: Vec<Ident>,
    pub body: HookBody,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HookBody {
    /// Everything between the braces, as written.
    pub text: String,
    /// Of `text`: an offset into the script is `span.start` plus it.
    pub span: Span,
}
