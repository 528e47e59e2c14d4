//! `delete`, and what goes with it.

use std::collections::BTreeSet;

use super::super::checker::Checker;
use super::super::model::OpDef;
use super::{StepFacts, TrialState};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::schema::{FieldKind, ModelId, Ownership};
use crate::syntax::ast::{self, Filter};

impl<'a> Checker<'a> {
    pub fn delete(
        &mut self,
        delete: &'a ast::Delete,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        let transaction = self.transaction(delete.transaction.as_ref(), state);
        let model = self.step_model(&delete.model, state)?;
        let by_point = matches!(delete.filter, Some(Filter::By { .. }));
        if !by_point {
            self.stored_before(model, delete.model.span, state);
        }
        if let (Some(repeat), false) = (&delete.repeat, by_point) {
            self.error_help(
                Code::BadClause,
                repeat.span,
                "what is deleted once is gone the second time",
                "`repeat` goes with point access: `delete User by id at random repeat 1k`",
            );
        }
        let (filter, access) = self.filter(delete.filter.as_ref(), model, state);
        let repeat = self.repeat(delete.repeat.as_ref(), state, facts);
        let gone = self.falls_with(model);
        let all = delete.filter.is_none();
        if !self.shared_cascade(model, &gone, all, delete.model.span) {
            self.required_links(&gone, all, delete.model.span, state);
        }
        if all {
            for one in &gone {
                // A shared or linked object falls only with the last that points to it.
                if *one == model || self.only_from(*one, &gone) {
                    state.alive.remove(one);
                }
            }
        }
        Some(OpDef::Delete {
            model,
            filter,
            access,
            transaction,
            repeat,
        })
    }

    /// The model and all that cascades from it.
    fn falls_with(&self, model: ModelId) -> BTreeSet<ModelId> {
        let mut gone = BTreeSet::from([model]);
        let mut ahead = vec![model];
        while let Some(at) = ahead.pop() {
            for field in &self.exp.schema.models[at].fields {
                if let FieldKind::ToOne {
                    target,
                    cascade: true,
                    ..
                }
                | FieldKind::ToMany {
                    target,
                    cascade: true,
                    ..
                } = &field.kind
                    && gone.insert(*target)
                {
                    ahead.push(*target);
                }
            }
        }
        gone
    }

    /// Whether all records of a model are made by models that fall too.
    fn only_from(&self, model: ModelId, gone: &BTreeSet<ModelId>) -> bool {
        self.models[model]
            .maker
            .is_some_and(|(owner, _)| gone.contains(&owner))
    }

    /// Whether a cascade reaches an object that others may share, while owners remain.
    fn shared_cascade(
        &mut self,
        model: ModelId,
        gone: &BTreeSet<ModelId>,
        all: bool,
        span: Span,
    ) -> bool {
        if all {
            return false;
        }
        for at in gone {
            for (id, field) in self.exp.schema.models[*at].fields.iter().enumerate() {
                let (FieldKind::ToOne {
                    target,
                    ownership,
                    cascade: true,
                    ..
                }
                | FieldKind::ToMany {
                    target,
                    ownership,
                    cascade: true,
                    ..
                }) = &field.kind
                else {
                    continue;
                };
                if matches!(ownership, Ownership::Owned { .. }) {
                    continue;
                }
                let target_name = &self.exp.schema.models[*target].name;
                let name = &self.exp.schema.models[model].name;
                let mut diagnostic = Diagnostic::error(
                    Code::BadDelete,
                    span,
                    format!("a `{target_name}` may be deleted while another record points to it: engines differ in what happens then"),
                )
                .help(format!("delete every `{name}`, without a condition, or leave `cascade` out"));
                if let Some(ast) = self.models[*at].fields[id].ast {
                    diagnostic = diagnostic.related(ast.name.span, "it cascades from here");
                }
                self.out.push(diagnostic);
                return true;
            }
        }
        false
    }

    /// Required links that would point nowhere.
    fn required_links(
        &mut self,
        gone: &BTreeSet<ModelId>,
        all: bool,
        span: Span,
        state: &TrialState,
    ) {
        for target in gone {
            for (holder, model) in self.exp.schema.models.iter().enumerate() {
                let falls_too = gone.contains(&holder)
                    && (all
                        && (self.models[holder].maker.is_none() || self.only_from(holder, gone)));
                if falls_too || !state.alive.contains(&holder) {
                    continue;
                }
                for (id, field) in model.fields.iter().enumerate() {
                    let FieldKind::ToOne {
                        target: own,
                        ownership,
                        inverse_of,
                        ..
                    } = &field.kind
                    else {
                        continue;
                    };
                    if own != target || field.optional {
                        continue;
                    }
                    if let Some(forward) = inverse_of
                        && self.cascades(*target, *forward)
                    {
                        continue;
                    }
                    // The owner of the only pointer falls with it in a cascade from above.
                    if matches!(ownership, Ownership::Owned { .. }) && gone.contains(&holder) {
                        continue;
                    }
                    let target_name = &self.exp.schema.models[*target].name;
                    let message = format!(
                        "`{}.{}` must point to a `{target_name}`, and this deletes some",
                        model.name, field.name
                    );
                    let help = if inverse_of.is_some() {
                        format!(
                            "let `{}` fall with it: add `cascade` to the link that owns it",
                            model.name
                        )
                    } else {
                        format!("make the link optional, or delete `{}` before", model.name)
                    };
                    let mut diagnostic =
                        Diagnostic::error(Code::BadDelete, span, message).help(help);
                    if let Some(ast) = self.models[holder].fields[id].ast {
                        diagnostic = diagnostic.related(ast.name.span, "this link");
                    }
                    self.out.push(diagnostic);
                    return;
                }
            }
        }
    }

    fn cascades(&self, model: ModelId, field: usize) -> bool {
        matches!(
            self.exp.schema.models[model].fields[field].kind,
            FieldKind::ToOne { cascade: true, .. } | FieldKind::ToMany { cascade: true, .. }
        )
    }
}
