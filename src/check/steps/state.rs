//! The state of a trial between two steps.

use std::collections::{BTreeMap, BTreeSet};

use super::super::imports::UnitId;
use super::super::types::Type;
use crate::base::span::Span;
use crate::plan::Expr;
use crate::plan::schema::{FieldId, ModelId};
use crate::syntax::ast::{self, StepKind, TrialMemberKind};

/// What claims and `expect` need of a step.
#[derive(Clone, Debug)]
pub(in super::super) struct StepFacts {
    pub label: String,
    /// Its verb.
    pub verb: &'static str,
    pub in_setup: bool,
    pub in_block: bool,
    /// Whether it has a number of records.
    pub counts: bool,
    /// Type of its computed value.
    pub result: Option<Type>,
    /// Whether its operations are timed one by one.
    pub repeats: bool,
}

/// What the steps so far have done.
#[derive(Debug)]
pub(in super::super) struct TrialState {
    pub unit: UnitId,
    /// Whether a part of the trial did not parse: then what is missing may be there.
    pub broken: bool,
    pub in_setup: bool,
    pub closed: bool,
    /// Labels of all steps, by place.
    pub labels: BTreeMap<Span, String>,
    /// Models that a step has stored at any time.
    pub stored: BTreeSet<ModelId>,
    /// Models of which records may be there now.
    pub alive: BTreeSet<ModelId>,
    /// Models that a step names.
    pub named: BTreeSet<ModelId>,
    /// Fields that hold something else than their generator gave.
    pub changed: BTreeSet<(ModelId, FieldId)>,
    /// Objects built by the step before.
    pub instantiated: Option<(ModelId, Expr, Span)>,
    /// The drawn record of the block around.
    pub binder: Option<(String, ModelId)>,
    pub facts: Vec<StepFacts>,
}

impl TrialState {
    pub fn new(
        unit: UnitId,
        broken: bool,
        labels: BTreeMap<Span, String>,
        members: &ast::Block<ast::TrialMember>,
    ) -> Self {
        TrialState {
            unit,
            broken,
            in_setup: false,
            closed: begins_closed(members),
            labels,
            stored: BTreeSet::new(),
            alive: BTreeSet::new(),
            named: BTreeSet::new(),
            changed: BTreeSet::new(),
            instantiated: None,
            binder: None,
            facts: Vec::new(),
        }
    }
}

/// Opening is part of a trial only where it is its first step.
fn begins_closed(members: &ast::Block<ast::TrialMember>) -> bool {
    let first = members.members.iter().find_map(|m| match &m.kind {
        TrialMemberKind::Setup(setup) => Some(setup.steps.members.first()),
        TrialMemberKind::Step(step) => Some(Some(step)),
        TrialMemberKind::Skip { .. } | TrialMemberKind::Runs { .. } => None,
    });
    matches!(first, Some(Some(step)) if matches!(step.kind, StepKind::Open { .. }))
}
