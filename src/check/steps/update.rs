//! `update … set …`.

use super::super::checker::Checker;
use super::super::model::OpDef;
use super::super::types::Type;
use super::{StepFacts, TrialState};
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::schema::{FieldId, FieldKind, ModelId, Scalar};
use crate::plan::{Expr, UpdateBy};
use crate::syntax::ast::{self, Filter, UpdateStyle};

impl<'a> Checker<'a> {
    pub fn update(
        &mut self,
        update: &'a ast::Update,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        let transaction = self.transaction(update.transaction.as_ref(), state);
        let model = self.step_model(&update.model, state)?;
        if !matches!(update.filter, Some(Filter::By { .. })) {
            self.stored_before(model, update.model.span, state);
        }
        let (filter, access) = self.filter(update.filter.as_ref(), model, state);
        let mut set: Vec<(FieldId, Expr, Span)> = Vec::with_capacity(update.set.len());
        for (at, assignment) in update.set.iter().enumerate() {
            let Some((field, value)) = self.assignment(assignment, model, state) else {
                continue;
            };
            if set.iter().any(|(other, ..)| *other == field) {
                let first = update.set[..at]
                    .iter()
                    .find(|a| a.field.to_string() == assignment.field.to_string());
                let mut diagnostic = Diagnostic::error(
                    Code::BadSet,
                    assignment.field.span,
                    format!("`{}` is set twice", assignment.field),
                );
                if let Some(first) = first {
                    diagnostic = diagnostic.related(first.field.span, "first here");
                }
                self.out.push(diagnostic);
                continue;
            }
            set.push((field, value, assignment.value.span));
        }
        let repeat = self.repeat(update.repeat.as_ref(), state, facts);
        for (field, ..) in &set {
            state.changed.insert((model, *field));
        }
        if access.is_none() && repeat.is_none() {
            self.no_changing_neighbours(model, &set, &transaction);
        }
        Some(OpDef::Update {
            model,
            filter,
            access,
            set: set
                .into_iter()
                .map(|(field, value, _)| (field, value))
                .collect(),
            by: match update.style {
                None => UpdateBy::Idiom,
                Some(UpdateStyle::Object) => UpdateBy::Object,
                Some(UpdateStyle::Statement) => UpdateBy::Statement,
            },
            transaction,
            repeat,
        })
    }

    fn assignment(
        &mut self,
        assignment: &'a ast::Assignment,
        model: ModelId,
        state: &TrialState,
    ) -> Option<(FieldId, Expr)> {
        let cx = Self::step_cx(state.unit, model, state.binder.as_ref());
        let Some(name) = assignment.field.single() else {
            self.error_help(
                Code::BadSet,
                assignment.field.span,
                "an update sets fields of its own records",
                "update the other model in a step of its own",
            );
            return None;
        };
        let Some(field) = self.field_or_report(model, name) else {
            self.expr(&assignment.value, cx);
            return None;
        };
        let schema = &self.exp.schema.models[model];
        let declared = schema.fields[field].clone();
        if schema.key == Some(field) {
            self.error_help(
                Code::BadSet,
                name.span,
                format!("`{name}` is the key: it never changes"),
                "delete the record and create another, or set other fields",
            );
            return None;
        }
        let typed = self.expr(&assignment.value, cx);
        if self.models[model].is_broken(field) {
            return None;
        }
        let null = typed.ty == Type::Null;
        match &declared.kind {
            FieldKind::Scalar(Scalar::Json) if !null && !typed.ty.is_open() => {
                self.error_help(
                    Code::BadSet,
                    assignment.value.span,
                    format!("no expression gives json for `{name}`"),
                    "set another field, or null",
                );
                return None;
            }
            FieldKind::Scalar(_) => {}
            FieldKind::ToOne {
                inverse_of: None, ..
            } if null => {}
            FieldKind::ToOne { .. } => {
                self.error_help(
                    Code::BadSet,
                    name.span,
                    format!("`{name}` is a link: an update can only cut it"),
                    "write `set … = null` where the link is optional",
                );
                return None;
            }
            FieldKind::List(_) | FieldKind::ToMany { .. } => {
                self.error_help(
                    Code::BadSet,
                    name.span,
                    format!("`{name}` holds many: an update sets single values"),
                    "update the linked model, or another field",
                );
                return None;
            }
        }
        let nullable = typed.null;
        let literal_null = matches!(typed.expr, Expr::Literal(Value::Null));
        let target = Type::of_field(&declared.kind);
        let fitted = if null {
            typed
        } else {
            self.fit(typed, &target, assignment.value.span, "the field")
        };
        if nullable && !declared.optional && fitted.ty != Type::Unknown {
            let what = if literal_null { "is" } else { "can be" };
            self.error_help(
                Code::NullNotAllowed,
                assignment.value.span,
                format!("`{name}` is not optional, and this {what} null"),
                "make the type optional with `?`",
            );
        }
        Some((field, fitted.expr))
    }
}
