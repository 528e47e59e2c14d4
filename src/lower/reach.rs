//! Which models a trial reaches: only those get tables.

use std::collections::BTreeSet;

use crate::check::model::{Experiment, OpDef, StepDef, TrialDef};
use crate::plan::schema::ModelId;
use crate::plan::{Expr, Generator};

/// Models that the trial's steps name, and all that these are related to.
pub fn models(experiment: &Experiment, trial: &TrialDef) -> BTreeSet<ModelId> {
    let mut reached = BTreeSet::new();
    let mut ahead: Vec<ModelId> = Vec::new();
    for step in trial.setup.iter().chain(&trial.steps) {
        of_step(step, &mut ahead);
    }
    while let Some(model) = ahead.pop() {
        if !reached.insert(model) {
            continue;
        }
        let fields = &experiment.schema.models[model].fields;
        ahead.extend(fields.iter().filter_map(|field| field.kind.target()));
        for generator in experiment.models[model].generators.iter().flatten() {
            generator.walk(&mut |inner| {
                if let Expr::Generate(draw) = inner
                    && let Generator::Among { model, .. } | Generator::At { model, .. } = **draw
                {
                    ahead.push(model);
                }
            });
        }
    }
    reached
}

fn of_step(step: &StepDef, into: &mut Vec<ModelId>) {
    match &step.op {
        OpDef::Instantiate { model, .. }
        | OpDef::Create { model, .. }
        | OpDef::Upsert { model, .. }
        | OpDef::Read { model, .. }
        | OpDef::Count { model, .. }
        | OpDef::Update { model, .. }
        | OpDef::Delete { model, .. } => into.push(*model),
        OpDef::Block { model, body, .. } => {
            into.push(*model);
            body.iter().for_each(|step| of_step(step, into));
        }
        OpDef::Storage
        | OpDef::Compact
        | OpDef::Checkpoint
        | OpDef::Open { .. }
        | OpDef::Close
        | OpDef::Reopen { .. }
        | OpDef::Expect { .. } => {}
    }
}
