//! `pool name = "a", "b"`, `pool name from "names.txt"`, `enum name(a, b)`.

use super::Rule;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use crate::syntax::ast::{EnumItem, Pool, PoolSource};

impl Parser<'_> {
    pub fn pool_item(&mut self, limit: usize) -> Built<Pool> {
        let pair = self.piece(Rule::piece_pool, limit)?;
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_pool);
        let name = self.declared(parts.next(self)?, "a pool")?;
        let source = if parts.skip(Rule::kw_from) {
            let file = parts.next(self)?;
            PoolSource::File(self.plain_text(file, "the path of a file")?)
        } else {
            parts.skip(Rule::assign);
            PoolSource::List(self.exprs(&mut parts)?)
        };
        Ok(Pool { name, source, span })
    }

    pub fn enum_item(&mut self, limit: usize) -> Built<EnumItem> {
        let pair = self.piece(Rule::piece_enum, limit)?;
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_enum);
        let name = self.declared(parts.next(self)?, "an enum")?;
        let cases = parts.next(self)?;
        Ok(EnumItem {
            name,
            cases: self.cases(cases)?,
            span,
        })
    }
}
