//! What a json field holds, as far as its generator tells.

use super::checker::Checker;
use super::place::Cx;
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Expr, Generator};
use crate::syntax::ast;

/// Values inside json.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// Not known before it runs.
    Open,
    /// One value.
    Leaf(Type),
    /// An object.
    Object(Vec<(String, Shape)>),
}

/// Objects inside objects.
const DEEPEST: usize = 10;

fn depth(entries: &[ast::ObjectEntry]) -> usize {
    let inner = entries.iter().map(|entry| match &entry.value.kind {
        ast::ExprKind::Object { entries, .. } => depth(entries),
        _ => 0,
    });
    1 + inner.max().unwrap_or(0)
}

impl<'a> Checker<'a> {
    /// `{ a: …  b: … }`
    pub fn object(&mut self, entries: &'a [ast::ObjectEntry], span: Span, cx: Cx<'_>) -> Typed {
        if !cx.is_generator() {
            return self.not_here(
                span,
                "json objects stand in generators",
                "name a value inside a json field: `sensor.temperature`",
            );
        }
        if depth(entries) > DEEPEST {
            // A plan is JSON itself, and readers of JSON bound its depth.
            self.error_help(
                Code::TooDeep,
                Span::new(span.file, span.start, span.start + 1),
                format!("json is nested deeper than {DEEPEST} objects here"),
                "put the values into fewer objects",
            );
            return Typed::unknown();
        }
        let mut checked: Vec<(String, Expr)> = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let first = entries[..at]
                .iter()
                .find(|e| e.name.name == entry.name.name);
            if let Some(first) = first {
                self.out.push(
                    Diagnostic::error(
                        Code::DuplicateName,
                        entry.name.span,
                        format!("`{}` stands twice in the object", entry.name),
                    )
                    .related(first.name.span, "first here"),
                );
                continue;
            }
            let typed = self.expr(&entry.value, cx);
            if matches!(typed.ty, Type::Blob | Type::Duration) {
                let words = typed.ty.words(&self.exp.schema);
                self.error(
                    Code::WrongType,
                    entry.value.span,
                    format!("json has no form for {words}"),
                );
            }
            checked.push((entry.name.name.clone(), typed.expr));
        }
        Typed::generated(Generator::Json(checked), Type::Json)
    }

    /// `[1, 2]` in json.
    pub fn list_literal(&mut self, items: &'a [ast::Expr], span: Span, cx: Cx<'_>) -> Typed {
        if !cx.is_generator() {
            return self.not_here(
                span,
                "lists in brackets stand in json",
                "after `in` the list stands in parentheses: `in (1, 2, 3)`",
            );
        }
        let mut values = Vec::with_capacity(items.len());
        let mut item = Type::Unknown;
        for one in items {
            let typed = self.expr(one, cx);
            match typed.expr {
                Expr::Literal(value) => values.push(value),
                _ => self.error_help(
                    Code::NotHere,
                    one.span,
                    "a list in brackets holds values as written",
                    "a list of draws is `list(0..5, uniform(1, 6))`",
                ),
            }
            item = typed.ty;
        }
        Typed::new(
            Expr::Literal(Value::List(values)),
            Type::List(Box::new(item)),
        )
    }

    /// What the generator of a json field puts into it.
    pub fn shape(expr: &Expr) -> Shape {
        match expr {
            Expr::Generate(generator) => match &**generator {
                Generator::Json(entries) => Shape::Object(
                    entries
                        .iter()
                        .map(|(name, value)| (name.clone(), Self::shape(value)))
                        .collect(),
                ),
                Generator::Normal { .. } => Shape::Leaf(Type::Float),
                Generator::Uniform { low, high } => {
                    let ints = is_int(low) && is_int(high);
                    let floats = is_float(low) || is_float(high);
                    match (ints, floats) {
                        (true, _) => Shape::Leaf(Type::Int),
                        (_, true) => Shape::Leaf(Type::Float),
                        _ => Shape::Open,
                    }
                }
                Generator::Zipf { .. } | Generator::Shuffled { .. } => Shape::Leaf(Type::Int),
                Generator::Chance(_) => Shape::Leaf(Type::Bool),
                Generator::Text { .. }
                | Generator::Paragraph { .. }
                | Generator::Template(_)
                | Generator::Weighted(_) => Shape::Leaf(Type::Text),
                _ => Shape::Open,
            },
            Expr::Row => Shape::Leaf(Type::Int),
            Expr::Literal(Value::Int(_)) => Shape::Leaf(Type::Int),
            Expr::Literal(Value::Float(_)) => Shape::Leaf(Type::Float),
            Expr::Literal(Value::Text(_)) => Shape::Leaf(Type::Text),
            Expr::Literal(Value::Bool(_)) => Shape::Leaf(Type::Bool),
            Expr::If {
                then, otherwise, ..
            } if matches!(**then, Expr::Literal(Value::Null)) => Self::shape(otherwise),
            _ => Shape::Open,
        }
    }

    /// Type of a value inside a json field; reports a name that it never has.
    pub fn json_type(
        &mut self,
        model: ModelId,
        field: FieldId,
        rest: &[ast::Ident],
    ) -> Option<Type> {
        let mut shape = self.models[model].fields[field].json.clone();
        for name in rest {
            shape = match shape {
                Shape::Open => return Some(Type::Dynamic),
                Shape::Leaf(_) => {
                    self.error(
                        Code::BadPath,
                        name.span,
                        "there is nothing inside this value",
                    );
                    return None;
                }
                Shape::Object(entries) => match entries.iter().find(|(own, _)| *own == name.name) {
                    Some((_, inside)) => inside.clone(),
                    None => {
                        let names: Vec<&str> =
                            entries.iter().map(|(own, _)| own.as_str()).collect();
                        let help = did_you_mean(&name.name, names.iter().copied())
                            .unwrap_or_else(|| format!("it holds {}", names.join(", ")));
                        self.error_help(
                            Code::UnknownField,
                            name.span,
                            format!("the json holds no `{name}`"),
                            help,
                        );
                        return None;
                    }
                },
            };
        }
        Some(match shape {
            Shape::Leaf(ty) => ty,
            Shape::Open => Type::Dynamic,
            Shape::Object(_) => Type::Json,
        })
    }
}

fn is_int(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Value::Int(_)))
}

fn is_float(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Value::Float(_)))
}
