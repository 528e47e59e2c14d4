//! `model Name { … }`, and json objects.

use pest::iterators::Pair;

use super::Rule;
use super::block::Member;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use super::starts::Members;
use crate::syntax::ast::{
    Attribute, AttributeKind, CompositeIndex, CompositeUnique, Expr, ExprKind, Field, Layout,
    Model, ModelMember, ModelMemberKind, ObjectEntry, Trivia,
};

impl<'t> Parser<'t> {
    pub fn model_item(&mut self, limit: usize) -> Built<Model> {
        let from = self.at;
        let mut parts = Parts::of(self.piece(Rule::piece_model, limit)?);
        parts.skip(Rule::kw_model);
        let name = self.name(parts.next(self)?)?;
        self.check_model(&name)?;
        let members = self.block(|parser, trivia, end| parser.model_member(trivia, end));
        Ok(Model {
            name,
            members,
            span: self.tokens_span(from, self.at),
        })
    }

    fn model_member(&mut self, trivia: Trivia, end: usize) -> Member<ModelMember> {
        let from = self.at;
        let composite = self.starts_composite(from);
        let name = if composite {
            None
        } else {
            self.token_ident(from)
        };
        let member = self.member(
            Members::Fields,
            trivia,
            end,
            name,
            |parser, limit| match parser.token_text(from) {
                "index" if composite => parser.composite_index(limit),
                "unique" if composite => parser.composite_unique(limit),
                _ => parser.field(limit),
            },
            |kind, trivia, span| ModelMember { kind, trivia, span },
        );
        match member {
            // A composite declares no name.
            Member::Broken(_) if composite => Member::Nothing,
            member => member,
        }
    }

    fn field(&mut self, limit: usize) -> Built<ModelMemberKind> {
        let pair = self.piece(Rule::piece_field, limit)?;
        let span = self.tokens_span(self.token_at(self.base), self.at);
        let mut parts = Parts::of(pair);
        let label = parts.next(self)?;
        let name = self.label(label)?;
        self.check_lower(&name, "a field")?;
        let ty = parts.next(self)?;
        let ty = self.field_type(ty)?;
        let mut attributes = Vec::new();
        let mut generator = None;
        while let Some(part) = parts.any() {
            match part.as_rule() {
                Rule::attribute => attributes.push(self.attribute(part)?),
                Rule::expr => generator = Some(self.expr(part)?),
                _ => {}
            }
        }
        attributes.sort_by_key(|attribute| attribute.kind != AttributeKind::Key);
        Ok(ModelMemberKind::Field(Field {
            name,
            ty,
            attributes,
            generator,
            span,
        }))
    }

    fn attribute(&mut self, pair: Pair<'t, Rule>) -> Built<Attribute> {
        let span = self.span(&pair);
        let inner = Parts::of(pair).next(self)?;
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner);
        let kind = match rule {
            Rule::kw_key => AttributeKind::Key,
            Rule::attr_unique => AttributeKind::Unique,
            Rule::attr_index => {
                parts.skip(Rule::kw_index);
                let when = self.when(&mut parts)?;
                AttributeKind::Index { when }
            }
            Rule::attr_inverse => {
                parts.skip(Rule::kw_inverse);
                AttributeKind::Inverse(self.declared(parts.next(self)?, "a link")?)
            }
            _ => AttributeKind::Cascade,
        };
        Ok(Attribute { kind, span })
    }

    /// `when condition`, if it is there.
    fn when(&mut self, parts: &mut Parts<'t>) -> Built<Option<Expr>> {
        let Some(pair) = parts.take(Rule::when) else {
            return Ok(None);
        };
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_when);
        let condition = parts.next(self)?;
        self.expr(condition).map(Some)
    }

    fn composite_index(&mut self, limit: usize) -> Built<ModelMemberKind> {
        let pair = self.piece(Rule::piece_index, limit)?;
        let span = self.tokens_span(self.token_at(self.base), self.at);
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_index);
        let mut keys = Vec::new();
        while let Some(key) = parts.take(Rule::order_key) {
            keys.push(self.order_key(key)?);
        }
        let when = self.when(&mut parts)?;
        Ok(ModelMemberKind::Index(CompositeIndex { keys, when, span }))
    }

    fn composite_unique(&mut self, limit: usize) -> Built<ModelMemberKind> {
        let pair = self.piece(Rule::piece_unique, limit)?;
        let span = self.tokens_span(self.token_at(self.base), self.at);
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_unique);
        let fields = self.paths(&mut parts)?;
        Ok(ModelMemberKind::Unique(CompositeUnique { fields, span }))
    }

    /// `{ a: x  b: y }`
    pub fn object(&mut self, pair: Pair<'t, Rule>) -> Built<ExprKind> {
        let span = self.span(&pair);
        let mut entries = Vec::new();
        let mut height = 0;
        for entry in pair.into_inner() {
            entries.push(self.entry(entry)?);
            height = height.max(self.height);
        }
        self.grown(height, span)?;
        let layout = if self.text[span.range()].contains('\n') {
            Layout::Lines
        } else {
            Layout::OneLine
        };
        Ok(ExprKind::Object {
            entries,
            closing: self.comments_before((span.end as usize).saturating_sub(1)),
            layout,
        })
    }

    fn entry(&mut self, pair: Pair<'t, Rule>) -> Built<ObjectEntry> {
        let span = self.span(&pair);
        let first = self.token_at(span.start as usize);
        let mut trivia = self.leading(first);
        let mut parts = Parts::of(pair);
        let label = parts.next(self)?;
        let name = self.label(label)?;
        let value = parts.next(self)?;
        let value = self.expr(value)?;
        let after = self.token_at(span.end as usize);
        self.trailing(&mut trivia, after);
        Ok(ObjectEntry {
            name,
            value,
            trivia,
            span,
        })
    }
}
