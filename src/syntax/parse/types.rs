//! Types of fields, and the cases of enums.

use pest::iterators::Pair;

use super::Rule;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{EnumCase, Ident, ScalarType, Type, TypeKind};

/// What stands after a type: a field that has one of these for a type has none.
const ATTRIBUTES: &[&str] = &["key", "index", "unique", "cascade", "inverse"];

impl<'t> Parser<'t> {
    pub fn field_type(&mut self, pair: Pair<'t, Rule>) -> Built<Type> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let named = parts.next(self)?;
        let kind = if named.as_rule() == Rule::inline_enum {
            let mut inner = Parts::of(named);
            inner.skip(Rule::kw_enum);
            TypeKind::Enum(self.cases(inner.next(self)?)?)
        } else {
            let path = self.path(named);
            let word = path.single().map_or("", Ident::as_str);
            if ATTRIBUTES.contains(&word) {
                return Err(Box::new(
                    Diagnostic::error(
                        Code::Unexpected,
                        path.span,
                        format!("expected a type before `{word}`"),
                    )
                    .help(TYPE_HELP),
                ));
            }
            match ScalarType::ALL.iter().find(|scalar| scalar.word() == word) {
                Some(scalar) => TypeKind::Scalar(*scalar),
                None => TypeKind::Named(path),
            }
        };
        let list = parts.skip(Rule::list_mark);
        let optional = parts.skip(Rule::optional_mark);
        Ok(Type {
            kind,
            list,
            optional,
            span,
        })
    }

    /// `(a: 20%, b, "C*")`
    pub fn cases(&mut self, pair: Pair<'t, Rule>) -> Built<Vec<EnumCase>> {
        pair.into_inner().map(|case| self.case(case)).collect()
    }

    fn case(&mut self, pair: Pair<'t, Rule>) -> Built<EnumCase> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        let name = Parts::of(parts.next(self)?).next(self)?;
        let (name, quoted) = if name.as_rule() == Rule::text {
            let text = self.plain_text(name, "the case of an enum")?;
            let plain = text.plain().unwrap_or_default();
            (Ident::new(plain, text.span), Some(text.raw.clone()))
        } else {
            (self.ident(&name), None)
        };
        let weight = match parts.take(Rule::number) {
            Some(number) => Some(self.number(&number)?),
            None => None,
        };
        Ok(EnumCase {
            name,
            quoted,
            weight,
            span,
        })
    }
}

pub(super) const TYPE_HELP: &str = "types are `bool int float text uuid timestamp blob json`, \
     `enum(a, b)`, lists such as `text[]`, a model for a link, `Model[]` for many; \
     `?` makes a type optional";
