//! Names of steps: as written, or their verb.

use std::collections::{BTreeMap, BTreeSet};

use super::super::checker::Checker;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{self, StepKind, TrialMemberKind};

/// A label for every step of the trial, by its place; labels that are written
/// twice are reported. Unlabelled steps are `read`, `read_2`, … in their order.
pub(in super::super) fn assign(
    checker: &mut Checker<'_>,
    trial: &ast::Trial,
) -> BTreeMap<Span, String> {
    let mut steps: Vec<&ast::Step> = Vec::new();
    for member in &trial.members.members {
        match &member.kind {
            TrialMemberKind::Setup(setup) => {
                setup.steps.members.iter().for_each(|s| flat(s, &mut steps))
            }
            TrialMemberKind::Step(step) => flat(step, &mut steps),
            TrialMemberKind::Skip { .. } | TrialMemberKind::Runs { .. } => {}
        }
    }
    let mut written: BTreeMap<&str, Span> = BTreeMap::new();
    let mut labels = BTreeMap::new();
    for step in &steps {
        let Some(label) = &step.label else {
            continue;
        };
        if let Some(first) = written.get(label.name.as_str()) {
            checker.out.push(
                Diagnostic::error(
                    Code::DuplicateLabel,
                    label.span,
                    format!("a second step is called `{label}`"),
                )
                .help("every step of a trial has a label of its own")
                .related(*first, "the first"),
            );
        } else {
            written.insert(&label.name, label.span);
        }
        labels.insert(step.span, label.name.clone());
    }
    let mut taken: BTreeSet<String> = written.keys().map(|label| (*label).to_owned()).collect();
    for step in &steps {
        if step.label.is_some() {
            continue;
        }
        let verb = &step.verb.name;
        let mut label = verb.clone();
        let mut number = 2;
        while !taken.insert(label.clone()) {
            label = format!("{verb}_{number}");
            number += 1;
        }
        labels.insert(step.span, label);
    }
    labels
}

fn flat<'s>(step: &'s ast::Step, into: &mut Vec<&'s ast::Step>) {
    into.push(step);
    if let StepKind::Repeat(block) = &step.kind {
        block
            .steps
            .members
            .iter()
            .for_each(|inner| flat(inner, into));
    }
}
