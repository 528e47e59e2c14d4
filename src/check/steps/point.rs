//! `where …` and `by field at …`: which records.

use super::super::checker::Checker;
use super::super::model::{AccessDef, AtDef};
use super::super::place::{Cx, Place};
use super::super::quantities::Kind;
use super::super::types::Type;
use super::TrialState;
use crate::base::Value;
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::schema::{FieldKind, ModelId, Scalar};
use crate::plan::{At, Expr};
use crate::syntax::ast::{self, ExprKind, Filter};

/// Positions by name.
const POSITIONS: &[(&str, At)] = &[
    ("first", At::First),
    ("middle", At::Middle),
    ("last", At::Last),
    ("random", At::Random),
    ("latest", At::Latest),
    ("missing", At::Missing),
];

impl<'a> Checker<'a> {
    /// The condition or the point access of a step.
    pub fn filter(
        &mut self,
        filter: Option<&'a Filter>,
        model: ModelId,
        state: &TrialState,
    ) -> (Option<Expr>, Option<AccessDef>) {
        match filter {
            None => (None, None),
            Some(Filter::Where(expr)) => {
                let cx = Self::step_cx(state.unit, model, state.binder.as_ref());
                (Some(self.condition(expr, cx)), None)
            }
            Some(Filter::By { field, at, span }) => {
                if state.binder.is_some() {
                    self.error_help(
                        Code::BadClause,
                        *span,
                        "in a block the record is drawn by the block",
                        "name its fields: `where sku == p.sku`",
                    );
                    return (None, None);
                }
                (None, self.access(field, at, model, state))
            }
        }
    }

    fn access(
        &mut self,
        path: &'a ast::Path,
        at: &'a ast::Expr,
        model: ModelId,
        state: &TrialState,
    ) -> Option<AccessDef> {
        self.needs_stored(model, path.span, state);
        let at_def = self.position(at, state);
        let Some(name) = path.single() else {
            self.error(
                Code::BadPath,
                path.span,
                "point access goes by a field of the record itself",
            );
            return None;
        };
        let field = self.field_or_report(model, name)?;
        if self.models[model].is_broken(field) {
            return None;
        }
        let kind = &self.exp.schema.models[model].fields[field].kind;
        let fits = matches!(kind, FieldKind::Scalar(s) if *s != Scalar::Json);
        if !fits {
            let words = self.field_type(model, field).words(&self.exp.schema);
            self.error(
                Code::BadClause,
                name.span,
                format!("point access goes by a single value; `{name}` is {words}"),
            );
            return None;
        }
        let few = matches!(kind, FieldKind::Scalar(Scalar::Bool | Scalar::Enum(_)));
        let at_def = at_def?;
        if few && matches!(at_def, AtDef::Fixed(At::Missing)) {
            self.error(
                Code::BadClause,
                at.span,
                format!("every value that `{name}` can have may be there: none is missing"),
            );
        }
        if state.changed.contains(&(model, field)) {
            self.error_help(
                Code::ChangedField,
                path.span,
                format!(
                    "a step before changes `{name}`: what its generator gave is no longer there"
                ),
                "go by a field that the trial leaves alone, such as the key",
            );
        }
        Some(AccessDef { field, at: at_def })
    }

    /// Which rows are drawn.
    pub fn position(&mut self, at: &'a ast::Expr, state: &TrialState) -> Option<AtDef> {
        match &at.inner().kind {
            ExprKind::Path(path) => {
                let name = path.single()?;
                if let Some((_, position)) = POSITIONS.iter().find(|(word, _)| *word == name.name) {
                    return Some(AtDef::Fixed(*position));
                }
                if let Some(quantity) = self.quantity(&name.name).cloned() {
                    self.note_name(&name.name);
                    let wrong = quantity.values.iter().find(|value| {
                        !matches!(value, Value::Text(word)
                            if POSITIONS.iter().any(|(own, _)| own == word))
                    });
                    if let Some(wrong) = wrong
                        && quantity.kind != Kind::Unknown
                    {
                        let shown = super::super::constant::words(wrong);
                        let help = did_you_mean(&shown, POSITIONS.iter().map(|(word, _)| *word))
                            .unwrap_or_else(|| format!("positions are {}", position_words()));
                        self.error_help(
                            Code::BadClause,
                            name.span,
                            format!("`{name}` can be `{shown}`, which is no position"),
                            help,
                        );
                    }
                    return Some(AtDef::Name(name.name.clone()));
                }
                if self.may_declare(0, &name.name) || !self.runnable {
                    return None;
                }
                let words = POSITIONS.iter().map(|(word, _)| *word);
                let known = self.quantities.iter().map(|q| q.name.as_str());
                let help = did_you_mean(&name.name, words.chain(known))
                    .unwrap_or_else(|| format!("positions are {}", position_words()));
                self.error_help(
                    Code::UnknownName,
                    name.span,
                    format!("there is no position `{name}`"),
                    help,
                );
                None
            }
            ExprKind::Call { function, args }
                if function.single().is_some_and(|n| n.name == "zipf") && args.len() == 1 =>
            {
                let skew = self.expr(&args[0].value, Cx::new(state.unit, Place::Point));
                if !matches!(skew.ty, Type::Int | Type::Float | Type::Unknown) {
                    self.error(Code::WrongType, args[0].value.span, "a skew is a number");
                }
                self.at_least(&skew.expr, 0, args[0].value.span, "a skew");
                #[allow(clippy::cast_precision_loss)]
                Some(match skew.expr {
                    Expr::Literal(Value::Float(f)) => AtDef::Fixed(At::Zipf(f)),
                    Expr::Literal(Value::Int(i)) => AtDef::Fixed(At::Zipf(i as f64)),
                    other => AtDef::Zipf(other),
                })
            }
            _ => {
                self.error_help(
                    Code::NotHere,
                    at.span,
                    "a position stands after `at`",
                    format!("positions are {}", position_words()),
                );
                None
            }
        }
    }
}

fn position_words() -> String {
    let words: Vec<&str> = POSITIONS.iter().map(|(word, _)| *word).collect();
    format!("{} and zipf(1.1)", words.join(", "))
}
