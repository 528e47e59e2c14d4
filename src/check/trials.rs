//! Trials: what each names, needs and leaves behind.

use std::collections::BTreeSet;

use super::checker::Checker;
use super::imports::UnitId;
use super::model::TrialDef;
use super::place::{Cx, Place};
use super::steps::{StepFacts, TrialState, labels};
use super::types::Type;
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::plan::Expr;
use crate::plan::schema::ModelId;
use crate::syntax::ast::{self, ItemKind, TrialMemberKind};

/// What claims need of a trial.
#[derive(Debug)]
pub(super) struct TrialFacts {
    pub label: String,
    /// Labels of the engines it is for; all when absent.
    pub engines: Option<Vec<String>>,
    /// Params and axes that its steps, models and indexes name.
    pub names: BTreeSet<String>,
    pub steps: Vec<StepFacts>,
    /// Points left out.
    pub skips: Vec<Expr>,
    /// Whether a part of it did not parse: unknown labels may be there.
    pub broken: bool,
}

impl<'a> Checker<'a> {
    pub fn check_trials(&mut self) {
        for (unit, item) in self.items() {
            if let ItemKind::Trial(trial) = &item.kind {
                self.trial(unit, trial);
            }
        }
        if let (true, true, Some(span)) = (
            self.runnable,
            self.trials.is_empty(),
            self.experiment_span(),
        ) && self.units.iter().all(|unit| unit.file.broken.is_empty())
        {
            self.error_help(
                Code::MisplacedStep,
                span,
                "the experiment has no trial",
                "add one: `trial \"Notes\" as notes { write: create 1k Note  read: read Note }`",
            );
        }
    }

    fn trial(&mut self, unit: UnitId, trial: &'a ast::Trial) {
        self.names.clear();
        let title = self.heading(&trial.title);
        let own = match &trial.label {
            Some(label) => label.name.clone(),
            None => slug(&title),
        };
        let label = self.qualified(unit, &own);
        if self.trials.iter().any(|t| t.label == label) {
            let span = trial.label.as_ref().map_or(trial.title.span, |l| l.span);
            self.error_help(
                Code::DuplicateLabel,
                span,
                format!("a second trial is called `{label}`"),
                "give it a label of its own: `trial \"…\" as label { … }`",
            );
        }
        let engines = self.trial_engines(trial);
        let mut def = TrialDef {
            label: label.clone(),
            title,
            engines: engines.clone(),
            skips: Vec::new(),
            runs: Vec::new(),
            setup: Vec::new(),
            steps: Vec::new(),
        };
        let broken = !trial.members.broken.is_empty()
            || trial.setup().is_some_and(|s| !s.steps.broken.is_empty());
        let labels = labels::assign(self, trial);
        let mut state = TrialState::new(unit, broken, labels, &trial.members);
        let point = Cx::new(unit, Place::Point);
        for member in &trial.members.members {
            match &member.kind {
                TrialMemberKind::Skip { when } => {
                    let condition = self.condition(when, point);
                    def.skips.push((condition, self.one_line(when.span)));
                }
                TrialMemberKind::Runs { runs, when } => {
                    let count = self.small(runs, "runs", 1);
                    let when = when.as_ref().map(|when| self.condition(when, point));
                    if let Some(count) = count {
                        def.runs.push((count, when));
                    }
                }
                TrialMemberKind::Setup(setup) => {
                    state.in_setup = true;
                    for step in &setup.steps.members {
                        def.setup.extend(self.step(step, &mut state));
                    }
                    self.dangling_instantiate(&mut state);
                    state.in_setup = false;
                }
                TrialMemberKind::Step(step) => {
                    def.steps.extend(self.step(step, &mut state));
                }
            }
        }
        self.dangling_instantiate(&mut state);
        if def.steps.is_empty() && !broken && trial.steps().next().is_none() {
            self.error_help(
                Code::MisplacedStep,
                trial.title.span,
                "the trial measures nothing",
                "add a step after `setup`, such as `read User`",
            );
        }
        let mut names = self.take_names();
        for model in self.reached(&state.named) {
            self.used_models.insert(model);
            names.extend(self.models[model].names.iter().cloned());
        }
        self.trials.push(TrialFacts {
            label,
            engines,
            names,
            steps: state.facts,
            skips: def.skips.iter().map(|(when, _)| when.clone()).collect(),
            broken,
        });
        self.exp.trials.push(def);
    }

    fn trial_engines(&mut self, trial: &'a ast::Trial) -> Option<Vec<String>> {
        if trial.engines.is_empty() {
            return None;
        }
        let mut labels: Vec<String> = Vec::new();
        for name in &trial.engines {
            let meant = self.engine_labels(&name.name);
            if meant.is_empty() && self.runnable && !self.may_declare(0, &name.name) {
                let known: Vec<&str> = self.engines.iter().map(|e| e.label.as_str()).collect();
                let help = did_you_mean(&name.name, known.iter().copied())
                    .unwrap_or_else(|| format!("there are {}", known.join(", ")));
                self.error_help(
                    Code::UnknownEngine,
                    name.span,
                    format!("no engine here is called `{name}`"),
                    help,
                );
            }
            for label in meant {
                if labels.contains(&label) {
                    self.out.push(Diagnostic::error(
                        Code::DuplicateName,
                        name.span,
                        format!("`{label}` is named twice"),
                    ));
                } else {
                    labels.push(label);
                }
            }
        }
        Some(labels)
    }

    /// Models that are related to these, and these.
    fn reached(&self, named: &BTreeSet<ModelId>) -> BTreeSet<ModelId> {
        let mut reached = BTreeSet::new();
        let mut ahead: Vec<ModelId> = named.iter().copied().collect();
        while let Some(model) = ahead.pop() {
            if reached.insert(model) {
                let fields = &self.exp.schema.models[model].fields;
                ahead.extend(fields.iter().filter_map(|f| f.kind.target()));
            }
        }
        reached
    }

    /// A whole number over params and axes.
    pub fn quantity_expr(
        &mut self,
        expr: &'a ast::Expr,
        unit: UnitId,
        least: i64,
        what: &str,
    ) -> Expr {
        let typed = self.expr(expr, Cx::new(unit, Place::Point));
        if !matches!(typed.ty, Type::Int | Type::Unknown) {
            let words = typed.ty.words(&self.exp.schema);
            self.error_help(
                Code::WrongType,
                expr.span,
                format!("{what} is a whole number; this is {words}"),
                "such as `10k`, or a param or sweep of ints",
            );
            return typed.expr;
        }
        self.at_least(&typed.expr, least, expr.span, what);
        typed.expr
    }
}

/// A label made of a title: `Simple objects` is `simple_objects`.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    let slug = slug.trim_end_matches('_');
    if slug.is_empty() {
        "trial".to_owned()
    } else {
        slug.to_owned()
    }
}
