//! One step, whatever its verb.

use super::super::checker::Checker;
use super::super::imports::UnitId;
use super::super::model::{OpDef, StepDef};
use super::super::place::{Cx, Place};
use super::{StepFacts, TrialState};
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::schema::ModelId;
use crate::syntax::ast::{self, StepKind};

impl<'a> Checker<'a> {
    /// The checked form of a step; `None` where it names a model that is not there.
    pub fn step(&mut self, step: &'a ast::Step, state: &mut TrialState) -> Option<StepDef> {
        let label = state.labels.get(&step.span).cloned().unwrap_or_default();
        self.store_state(step, state);
        self.follows_instantiate(step, state);
        let mut facts = StepFacts {
            label: label.clone(),
            verb: verb(&step.kind),
            in_setup: state.in_setup,
            in_block: state.binder.is_some(),
            counts: false,
            result: None,
            repeats: false,
        };
        if state.binder.is_some() && !stands_in_block(&step.kind) {
            self.error_help(
                Code::MisplacedStep,
                step.verb.span,
                format!("`{}` cannot stand in a repeated block", step.verb),
                "a block holds create, read, count, update and delete",
            );
            return None;
        }
        let op = self.op(step, state, &mut facts);
        state.facts.push(facts);
        Some(StepDef {
            label,
            op: op?,
            text: self.one_line(step.span),
            file: self.sources.path(step.span.file).to_owned(),
            line: self.sources.position(step.span).line,
            span: step.span,
        })
    }

    fn op(
        &mut self,
        step: &'a ast::Step,
        state: &mut TrialState,
        facts: &mut StepFacts,
    ) -> Option<OpDef> {
        match &step.kind {
            StepKind::Instantiate { count, model } => {
                self.instantiate(step.span, count, model, state, facts)
            }
            StepKind::Create {
                count,
                model,
                transaction,
            } => self.create(count, model, transaction.as_ref(), state, facts),
            StepKind::Upsert {
                count,
                model,
                transaction,
            } => self.upsert(count, model, transaction.as_ref(), state, facts),
            StepKind::Read(read) => self.read(read, state, facts),
            StepKind::Count(count) => self.count(count, state, facts),
            StepKind::Update(update) => self.update(update, state, facts),
            StepKind::Delete(delete) => self.delete(delete, state, facts),
            StepKind::Repeat(block) => self.block(block, state, facts),
            StepKind::Storage => Some(OpDef::Storage),
            StepKind::Compact => Some(OpDef::Compact),
            StepKind::Checkpoint => Some(OpDef::Checkpoint),
            StepKind::Open { cold } => Some(OpDef::Open { cold: *cold }),
            StepKind::Close => Some(OpDef::Close),
            StepKind::Reopen { cold } => Some(OpDef::Reopen { cold: *cold }),
            StepKind::Expect(expr) => self.expect(expr, state),
        }
    }

    /// Whether the store is open where it must be.
    fn store_state(&mut self, step: &ast::Step, state: &mut TrialState) {
        let silent = state.broken;
        match &step.kind {
            StepKind::Open { .. } => {
                if !state.closed && !silent {
                    self.error_help(
                        Code::StoreState,
                        step.verb.span,
                        "the store is open already",
                        "`close` it before; without a step it is opened before the first one, untimed",
                    );
                }
                state.closed = false;
            }
            StepKind::Storage | StepKind::Expect(_) => {}
            kind => {
                if state.closed && !silent {
                    self.error_help(
                        Code::StoreState,
                        step.verb.span,
                        format!("`{}` needs an open store, and it is closed here", step.verb),
                        "`open` it before",
                    );
                    // Said once, not for every step that follows.
                    state.closed = false;
                }
                if matches!(kind, StepKind::Close) {
                    state.closed = true;
                }
            }
        }
    }

    /// The model of a step; notes that the trial names it.
    pub fn step_model(&mut self, path: &'a ast::Path, state: &mut TrialState) -> Option<ModelId> {
        let model = self.model_or_report(path, state.unit)?;
        state.named.insert(model);
        Some(model)
    }

    /// Where the expressions of a step stand.
    pub fn step_cx<'c>(
        unit: UnitId,
        model: ModelId,
        binder: Option<&'c (String, ModelId)>,
    ) -> Cx<'c> {
        Cx {
            unit,
            place: Place::Record { model },
            binder: binder.map(|(name, model)| (name.as_str(), *model)),
        }
    }

    /// A warning where no step before has stored a record of the model.
    pub fn stored_before(&mut self, model: ModelId, span: Span, state: &TrialState) {
        if state.broken || state.stored.contains(&model) {
            return;
        }
        let name = &self.exp.schema.models[model].name;
        let diagnostic = crate::diagnostics::Diagnostic::warning(
            Code::NotStored,
            span,
            format!("no step before has stored a `{name}`: this finds nothing"),
        )
        .help(format!(
            "`setup {{ create n {name} }}` stores some, untimed"
        ));
        self.out.push(diagnostic);
    }

    /// An error where a step that needs records of the model has none.
    pub fn needs_stored(&mut self, model: ModelId, span: Span, state: &TrialState) {
        if state.broken {
            return;
        }
        let name = self.exp.schema.models[model].name.clone();
        if let Some((owner, _)) = self.models[model].maker
            && self.is_owned(model)
        {
            let owner = self.exp.schema.models[owner].name.clone();
            self.error_help(
                Code::NotStored,
                span,
                format!("`{name}` comes with `{owner}`, in numbers that differ: its rows cannot be drawn"),
                format!("ask by `where`, or draw from `{owner}`"),
            );
        } else if !state.stored.contains(&model) {
            self.error_help(
                Code::NotStored,
                span,
                format!("no step before has stored a `{name}`"),
                format!("`setup {{ create n {name} }}` stores some, untimed"),
            );
        }
    }
}

/// Verbs that can stand in a repeated block.
fn stands_in_block(kind: &StepKind) -> bool {
    matches!(
        kind,
        StepKind::Create { .. }
            | StepKind::Read(_)
            | StepKind::Count(_)
            | StepKind::Update(_)
            | StepKind::Delete(_)
    )
}

fn verb(kind: &StepKind) -> &'static str {
    match kind {
        StepKind::Instantiate { .. } => "instantiate",
        StepKind::Create { .. } => "create",
        StepKind::Upsert { .. } => "upsert",
        StepKind::Read(_) => "read",
        StepKind::Count(_) => "count",
        StepKind::Update(_) => "update",
        StepKind::Delete(_) => "delete",
        StepKind::Repeat(_) => "repeat",
        StepKind::Storage => "storage",
        StepKind::Compact => "compact",
        StepKind::Checkpoint => "checkpoint",
        StepKind::Open { .. } => "open",
        StepKind::Close => "close",
        StepKind::Reopen { .. } => "reopen",
        StepKind::Expect(_) => "expect",
    }
}
