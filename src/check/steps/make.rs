//! `instantiate`, `create`, `upsert`.

use super::super::checker::Checker;
use super::super::model::OpDef;
use super::{StepFacts, TrialState};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::schema::{FieldKind, ModelId, Ownership};
use crate::plan::{Expr, Generator};
use crate::syntax::ast::{self, StepKind};

impl<'a> Checker<'a> {
    pub fn instantiate(
        &mut self,
        span: Span,
        count: &'a ast::Expr,
        path: &'a ast::Path,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        let count = self.quantity_expr(count, state.unit, 0, "the number of objects");
        let model = self.step_model(path, state)?;
        self.can_be_made(model, path.span, state);
        state.instantiated = Some((model, count.clone(), span));
        Some(OpDef::Instantiate { model, count })
    }

    pub fn create(
        &mut self,
        count: &'a ast::Expr,
        path: &'a ast::Path,
        transaction: Option<&'a ast::Transaction>,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        let count = self.quantity_expr(count, state.unit, 0, "the number of objects");
        let transaction = self.transaction(transaction, state);
        let model = self.step_model(path, state)?;
        if state.instantiated.is_none() {
            self.can_be_made(model, path.span, state);
        }
        state.instantiated = None;
        self.now_stored(model, state);
        Some(OpDef::Create {
            model,
            count,
            transaction,
        })
    }

    pub fn upsert(
        &mut self,
        count: &'a ast::Expr,
        path: &'a ast::Path,
        transaction: Option<&'a ast::Transaction>,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        facts.counts = true;
        let count = self.quantity_expr(count, state.unit, 0, "the number of objects");
        let transaction = self.transaction(transaction, state);
        let model = self.step_model(path, state)?;
        let schema = &self.exp.schema.models[model];
        let name = schema.name.clone();
        let owns = schema.fields.iter().any(|f| makes(&f.kind));
        if self.models[model].maker.is_some() {
            // Said below.
        } else if schema.key.is_none() && !self.models[model].may_declare("") {
            self.error_help(
                Code::BadClause,
                path.span,
                format!("`{name}` has no key to upsert by"),
                "declare one: `id: int key = row`",
            );
        }
        if owns && self.models[model].maker.is_none() {
            self.error_help(
                Code::BadClause,
                path.span,
                format!("`{name}` makes other objects: engines do not agree what becomes of the old ones"),
                "upsert models that own and share nothing",
            );
        }
        self.can_be_made(model, path.span, state);
        self.now_stored(model, state);
        let key = self.exp.schema.models[model].key;
        for field in 0..self.exp.schema.models[model].fields.len() {
            if Some(field) != key {
                state.changed.insert((model, field));
            }
        }
        Some(OpDef::Upsert {
            model,
            count,
            transaction,
        })
    }

    /// After `instantiate` comes the `create` of exactly these.
    pub fn follows_instantiate(&mut self, step: &'a ast::Step, state: &mut TrialState) {
        let Some((model, count, span)) = state.instantiated.clone() else {
            return;
        };
        let same = match &step.kind {
            StepKind::Create {
                count: own_count,
                model: own,
                ..
            } => {
                let before = self.out.len();
                let own_count = self.quantity_expr(own_count, state.unit, 0, "");
                let own = self.model_or_report(own, state.unit);
                self.out.truncate(before);
                own.is_none_or(|own| own == model) && own_count == count
            }
            _ => false,
        };
        if !same {
            self.not_created(model, span, state);
        }
    }

    /// Objects that nothing stores.
    pub fn dangling_instantiate(&mut self, state: &mut TrialState) {
        if let Some((model, _, span)) = state.instantiated.clone() {
            self.not_created(model, span, state);
        }
    }

    fn not_created(&mut self, model: ModelId, span: Span, state: &mut TrialState) {
        state.instantiated = None;
        if state.broken {
            return;
        }
        let name = self.exp.schema.models[model].name.clone();
        self.error_help(
            Code::MisplacedStep,
            span,
            "the next step must store exactly the objects that `instantiate` builds",
            format!("follow it by `create` of as many `{name}`"),
        );
    }

    /// Whether records of the model can be created by themselves, here.
    fn can_be_made(&mut self, model: ModelId, span: Span, state: &TrialState) {
        let name = self.exp.schema.models[model].name.clone();
        if let Some((owner, _)) = self.models[model].maker {
            let owner = self.exp.schema.models[owner].name.clone();
            self.error_help(
                Code::MisplacedStep,
                span,
                format!("`{name}` comes with `{owner}` and is not created by itself"),
                format!("create `{owner}`"),
            );
            return;
        }
        if state.broken {
            return;
        }
        for made in self.made_with(model) {
            for (field, target) in self.links_of(made) {
                let there = state.stored.contains(&target)
                    || (made == target && self.is_guarded(made, field))
                    || self.shared_by(model, target);
                if there {
                    continue;
                }
                let target_name = self.exp.schema.models[target].name.clone();
                let made_name = &self.exp.schema.models[made].name;
                let field_name = &self.exp.schema.models[made].fields[field].name;
                let message = format!(
                    "`{made_name}.{field_name}` links to a `{target_name}`, and no step before has stored any"
                );
                let mut diagnostic = Diagnostic::error(Code::NotStored, span, message)
                    .help(format!("`create` some `{target_name}` before"));
                if let Some(ast) = self.models[made].fields[field].ast {
                    diagnostic = diagnostic.related(ast.name.span, "the link");
                }
                self.out.push(diagnostic);
                return;
            }
        }
    }

    /// Fields whose generator links to records that are there, with their models.
    fn links_of(&self, model: ModelId) -> Vec<(usize, ModelId)> {
        let mut links = Vec::new();
        let extra = &self.exp.models[model];
        for (field, generator) in extra.generators.iter().enumerate() {
            let Some(generator) = generator else {
                continue;
            };
            generator.walk(&mut |inner| {
                if let Expr::Generate(draw) = inner {
                    match **draw {
                        Generator::Among { model: target, .. } => links.push((field, target)),
                        Generator::At { model: target, .. } if target != model => {
                            links.push((field, target));
                        }
                        _ => {}
                    }
                }
            });
        }
        links
    }

    /// Whether creating `model` stores a shared pool of `target` first.
    fn shared_by(&self, model: ModelId, target: ModelId) -> bool {
        self.models[target].maker.is_some()
            && !self.is_owned(target)
            && self.made_with(model).contains(&target)
    }

    /// Whether another model owns the objects of this one.
    pub fn is_owned(&self, model: ModelId) -> bool {
        let Some((owner, field)) = self.models[model].maker else {
            return false;
        };
        matches!(
            ownership(&self.exp.schema.models[owner].fields[field].kind),
            Some(Ownership::Owned { .. })
        )
    }

    /// The model and all that is stored with its records.
    pub fn made_with(&self, model: ModelId) -> Vec<ModelId> {
        let mut made = vec![model];
        let mut at = 0;
        while at < made.len() {
            for field in &self.exp.schema.models[made[at]].fields {
                if makes(&field.kind)
                    && let Some(target) = field.kind.target()
                    && !made.contains(&target)
                {
                    made.push(target);
                }
            }
            at += 1;
        }
        made
    }

    fn now_stored(&self, model: ModelId, state: &mut TrialState) {
        for made in self.made_with(model) {
            state.stored.insert(made);
            state.alive.insert(made);
        }
    }
}

fn ownership(kind: &FieldKind) -> Option<Ownership> {
    match kind {
        FieldKind::ToOne {
            inverse_of: Some(_),
            ..
        } => None,
        FieldKind::ToOne { ownership, .. } | FieldKind::ToMany { ownership, .. } => {
            Some(*ownership)
        }
        FieldKind::Scalar(_) | FieldKind::List(_) => None,
    }
}

/// Whether objects come into being with the record of this field.
fn makes(kind: &FieldKind) -> bool {
    matches!(
        ownership(kind),
        Some(Ownership::Owned { .. } | Ownership::Shared { .. })
    )
}
