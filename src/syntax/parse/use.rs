//! `use std.people`, `use "./shared.exp" as shared`.

use super::Rule;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use crate::syntax::ast::{Ident, Use, UseSource};

impl<'t> Parser<'t> {
    pub fn use_item(&mut self, limit: usize) -> Built<Use> {
        let pair = self.piece(Rule::piece_use, limit)?;
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_use);
        let source = parts.next(self)?;
        let source = if source.as_rule() == Rule::text {
            UseSource::File(self.plain_text(source, "the path of a file")?)
        } else {
            UseSource::Module(self.path(source))
        };
        let alias = self.alias(&mut parts, "a module")?;
        Ok(Use {
            source,
            alias,
            span,
        })
    }

    /// `as name`, if it is there.
    pub fn alias(&mut self, parts: &mut Parts<'t>, what: &str) -> Built<Option<Ident>> {
        let Some(alias) = parts.take(Rule::alias) else {
            return Ok(None);
        };
        let mut parts = Parts::of(alias);
        parts.skip(Rule::kw_as);
        self.declared(parts.next(self)?, what).map(Some)
    }
}
