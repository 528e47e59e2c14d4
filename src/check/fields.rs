//! Generators against the fields they fill.

use super::checker::Checker;
use super::models::attribute_word;
use super::place::{Cx, Place};
use super::types::{Type, Typed};
use super::unique::Unique;
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::schema::{FieldId, FieldKind, ModelId, Scalar};
use crate::plan::{ArithOp, Expr, Generator, TemplatePart};
use crate::syntax::ast;

impl<'a> Checker<'a> {
    /// Generators of all models.
    pub fn check_generators(&mut self) {
        for model in 0..self.models.len() {
            self.names.clear();
            for id in 0..self.models[model].fields.len() {
                if let Some(field) = self.models[model].fields[id].ast {
                    self.check_field(model, id, field);
                }
            }
            let names = self.take_names();
            self.models[model].names.extend(names);
        }
    }

    fn check_field(&mut self, model: ModelId, id: FieldId, field: &'a ast::Field) {
        let unit = self.models[model].unit;
        let cx = Cx::new(unit, Place::Generator { model, field: id });
        if self.models[model].is_broken(id) {
            // Its names are looked at all the same; whether it fits cannot be said.
            if let Some(generator) = &field.generator
                && super::links::head(generator).as_name().is_some()
            {
                self.expr(generator, cx);
            }
            return;
        }
        let kind = self.exp.schema.models[model].fields[id].kind.clone();
        let Some(generator) = &field.generator else {
            self.exp.models[model].generators[id] = self.default_generator(model, id, field);
            return;
        };
        let typed = if kind.target().is_some() {
            match self.link_generator(model, id, generator, cx) {
                Some(typed) => typed,
                None => return,
            }
        } else {
            let typed = self.expr(generator, cx);
            self.fit(typed, &Type::of_field(&kind), generator.span, "the field")
        };
        if typed.null && !field.ty.optional && !typed.ty.is_open() {
            self.error_help(
                Code::NullNotAllowed,
                generator.span,
                format!("`{}` can become null, but is not optional", field.name),
                format!("write `{}?`", self.sources.snippet(field.ty.span)),
            );
        }
        if kind == FieldKind::Scalar(Scalar::Json) {
            let shape = Self::shape(&typed.expr);
            self.models[model].fields[id].json = shape;
        }
        self.check_unique(field, &typed.expr, generator.span);
        self.exp.models[model].generators[id] = Some(typed.expr);
    }

    fn default_generator(
        &mut self,
        model: ModelId,
        id: FieldId,
        field: &'a ast::Field,
    ) -> Option<Expr> {
        let generator = match &self.exp.schema.models[model].fields[id].kind {
            FieldKind::Scalar(Scalar::Uuid) => Generator::Uuid,
            FieldKind::Scalar(Scalar::Bool) => Generator::Chance(Expr::Literal(Value::Float(0.5))),
            FieldKind::Scalar(Scalar::Enum(_)) => {
                Generator::Weighted(self.models[model].fields[id].weights.clone())
            }
            other => {
                let example = example(other);
                self.error_help(
                    Code::MissingGenerator,
                    field.name.span,
                    format!("`{}` needs a generator", field.name),
                    format!(
                        "such as `{example}`; only uuid, bool and enums have one by themselves"
                    ),
                );
                return None;
            }
        };
        let expr = Expr::Generate(Box::new(generator));
        self.check_unique(field, &expr, field.name.span);
        Some(expr)
    }

    /// A `key` or `unique` field must not repeat, where that can be told.
    fn check_unique(&mut self, field: &'a ast::Field, expr: &Expr, span: Span) {
        let attribute = field
            .attributes
            .iter()
            .find(|a| matches!(a.kind, ast::AttributeKind::Key | ast::AttributeKind::Unique));
        let Some(attribute) = attribute else {
            return;
        };
        if let Unique::No(why) = self.uniqueness(expr) {
            let word = attribute_word(&attribute.kind);
            self.error_help(
                Code::NotUnique,
                span,
                format!("`{}` is `{word}`, but its values repeat: {why}", field.name),
                "`row`, `row + 1`, `shuffled(row)`, `\"user{row}\"` and `uuid` never repeat",
            );
        }
    }

    /// The expression in a form that gives the target type; reports where none does.
    pub fn fit(&mut self, typed: Typed, target: &Type, span: Span, what: &str) -> Typed {
        let null = typed.null;
        let expr = match (target, &typed.ty) {
            (_, Type::Unknown | Type::Dynamic | Type::Null) => typed.expr,
            (target, own) if target == own => {
                if let Type::Enum(_) = target {
                    return typed;
                }
                typed.expr
            }
            (Type::Float, Type::Int) => as_float(typed.expr),
            (Type::Enum(cases), Type::Text) => {
                for word in self.texts_in(&typed.expr) {
                    if !cases.contains(&word) {
                        self.unknown_case(cases, &word, span);
                    }
                }
                typed.expr
            }
            (Type::Enum(cases), Type::Enum(own)) if own.iter().all(|c| cases.contains(c)) => {
                typed.expr
            }
            (Type::Text, Type::Enum(_)) => typed.expr,
            (Type::Uuid, Type::Text) => match uuid_template(&typed.expr) {
                Some(uuid) => uuid,
                None if matches!(typed.expr, Expr::Literal(_)) => self.uuid_of(typed, span).expr,
                None => return self.misfit(&typed, target, span, what),
            },
            (Type::List(item), Type::List(own)) => {
                if let (Type::Enum(cases), Type::Text) = (&**item, &**own) {
                    for word in self.texts_in(&typed.expr) {
                        if !cases.contains(&word) {
                            self.unknown_case(cases, &word, span);
                        }
                    }
                    typed.expr
                } else if let (Type::Float, Type::Int) = (&**item, &**own) {
                    float_items(typed.expr)
                } else if own.is_open() {
                    typed.expr
                } else {
                    return self.misfit(&typed, target, span, what);
                }
            }
            _ => return self.misfit(&typed, target, span, what),
        };
        Typed::new(expr, target.clone()).nullable(null)
    }

    fn misfit(&mut self, typed: &Typed, target: &Type, span: Span, what: &str) -> Typed {
        let schema = &self.exp.schema;
        let message = format!(
            "{what} is {}; this gives {}",
            target.words(schema),
            typed.ty.words(schema)
        );
        let help = match (target, &typed.ty) {
            (Type::Int, Type::Float) => {
                Some("ints come of `uniform(0, 98)`, floats of `uniform(0.0, 98.0)`")
            }
            (Type::Text, Type::Uuid) => Some("write `\"{uuid}\"`"),
            (Type::Text, _) => Some("fill it into a text: `\"{row}\"`"),
            (Type::Timestamp, Type::Int) => {
                Some("such as `timestamp(@2026-01-01T00:00Z, @2026-12-31T00:00Z)`")
            }
            (Type::List(_), _) => Some("such as `list(0..5, words.adjective)`"),
            (Type::Json, _) => Some("such as `{ a: uniform(0, 9) }`"),
            (_, Type::Json) => Some("an object fills a json field only"),
            _ => None,
        };
        self.error_maybe(Code::BadGenerator, span, message, help.map(str::to_owned));
        Typed::unknown()
    }

    /// Every text that the expression is sure to give at times, as far as that can be told.
    fn texts_in(&self, expr: &Expr) -> Vec<String> {
        match expr {
            Expr::Literal(Value::Text(text)) => vec![text.clone()],
            Expr::If {
                then, otherwise, ..
            } => {
                let mut texts = self.texts_in(then);
                texts.extend(self.texts_in(otherwise));
                texts
            }
            Expr::Generate(generator) => match &**generator {
                Generator::Pick(among) => among.iter().flat_map(|e| self.texts_in(e)).collect(),
                Generator::List { item, .. } => self.texts_in(item),
                Generator::Pool(id) | Generator::Cycle(id) => self.exp.pools[*id]
                    .values
                    .iter()
                    .filter_map(|v| match v {
                        Value::Text(t) => Some(t.clone()),
                        _ => None,
                    })
                    .collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// Ints as floats: as written where that is possible, else by multiplication.
#[allow(clippy::cast_precision_loss)]
fn as_float(expr: Expr) -> Expr {
    match expr {
        Expr::Literal(Value::Int(i)) => Expr::Literal(Value::Float(i as f64)),
        Expr::If {
            condition,
            then,
            otherwise,
        } => Expr::If {
            condition,
            then: Box::new(as_float(*then)),
            otherwise: Box::new(as_float(*otherwise)),
        },
        Expr::Literal(Value::Null) => expr,
        other => Expr::Arith {
            op: ArithOp::Multiply,
            left: Box::new(other),
            right: Box::new(Expr::Literal(Value::Float(1.0))),
        },
    }
}

fn float_items(expr: Expr) -> Expr {
    match expr {
        Expr::Generate(generator) => match *generator {
            Generator::List { min, max, item } => Expr::Generate(Box::new(Generator::List {
                min,
                max,
                item: as_float(item),
            })),
            other => Expr::Generate(Box::new(other)),
        },
        other => other,
    }
}

/// `"{uuid}"` in a uuid field is the uuid itself.
fn uuid_template(expr: &Expr) -> Option<Expr> {
    let Expr::Generate(generator) = expr else {
        return None;
    };
    match &**generator {
        Generator::Template(parts) => match parts.as_slice() {
            [TemplatePart::Value(inner)] if is_uuid(inner) => Some(inner.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn is_uuid(expr: &Expr) -> bool {
    matches!(expr, Expr::Generate(g) if **g == Generator::Uuid)
}

fn example(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Scalar(Scalar::Int) => "= uniform(0, 98)",
        FieldKind::Scalar(Scalar::Float) => "= uniform(0.0, 1.0)",
        FieldKind::Scalar(Scalar::Timestamp) => "= sequence(@2026-01-01T00:00Z, step: 1s..90s)",
        FieldKind::Scalar(Scalar::Blob) => "= bytes(1KiB)",
        FieldKind::Scalar(Scalar::Json) => "= { a: uniform(0, 9) }",
        FieldKind::List(_) => "= list(0..5, …)",
        FieldKind::ToOne { .. } => "= one of …",
        FieldKind::ToMany { .. } => "= owned(2..7)",
        FieldKind::Scalar(_) => "= \"name {row}\"",
    }
}
