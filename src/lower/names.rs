//! Which params and axes a part of an experiment names.

use std::collections::BTreeSet;

use crate::check::model::{
    AccessDef, AtDef, ComputeDef, EngineDef, Experiment, OpDef, StepDef, TransactionDef, TrialDef,
};
use crate::plan::Expr;
use crate::plan::schema::ModelId;
use crate::plan::step::Operand;

/// A set of names.
pub type NameSet = BTreeSet<String>;

/// Names in an expression.
pub fn of_expr(expr: &Expr, into: &mut NameSet) {
    expr.walk(&mut |inner| {
        if let Expr::Name(name) = inner {
            into.insert(name.clone());
        }
    });
}

/// Names in an engine's options.
pub fn of_engine(engine: &EngineDef, into: &mut NameSet) {
    engine
        .options
        .values()
        .for_each(|value| of_expr(value, into));
}

/// Names in a model's generators and in the conditions of its indexes.
pub fn of_model(experiment: &Experiment, model: ModelId, into: &mut NameSet) {
    let extra = &experiment.models[model];
    extra
        .generators
        .iter()
        .flatten()
        .for_each(|generator| of_expr(generator, into));
    extra
        .indexes
        .iter()
        .filter_map(|(_, when)| when.as_ref())
        .for_each(|when| of_expr(when, into));
}

/// Names in a trial's conditions and steps.
pub fn of_trial(trial: &TrialDef, into: &mut NameSet) {
    trial.skips.iter().for_each(|(when, _)| of_expr(when, into));
    trial
        .runs
        .iter()
        .filter_map(|(_, when)| when.as_ref())
        .for_each(|when| of_expr(when, into));
    trial
        .setup
        .iter()
        .chain(&trial.steps)
        .for_each(|step| of_step(step, into));
}

fn of_step(step: &StepDef, into: &mut NameSet) {
    match &step.op {
        OpDef::Instantiate { count, .. } => of_expr(count, into),
        OpDef::Create {
            count, transaction, ..
        }
        | OpDef::Upsert {
            count, transaction, ..
        } => {
            of_expr(count, into);
            of_transaction(transaction, into);
        }
        OpDef::Read {
            filter,
            access,
            limit,
            offset,
            compute,
            repeat,
            ..
        } => {
            of_all([filter, limit, offset, repeat], into);
            of_access(access.as_ref(), into);
            match compute {
                Some(ComputeDef::Aggregate { of, .. }) => of_expr(of, into),
                Some(ComputeDef::Hook { args, .. }) => args.iter().for_each(|a| of_expr(a, into)),
                None => {}
            }
        }
        OpDef::Count { filter, repeat, .. } => of_all([filter, repeat], into),
        OpDef::Update {
            filter,
            access,
            set,
            transaction,
            repeat,
            ..
        } => {
            of_all([filter, repeat], into);
            of_access(access.as_ref(), into);
            set.iter().for_each(|(_, value)| of_expr(value, into));
            of_transaction(transaction, into);
        }
        OpDef::Delete {
            filter,
            access,
            transaction,
            repeat,
            ..
        } => {
            of_all([filter, repeat], into);
            of_access(access.as_ref(), into);
            of_transaction(transaction, into);
        }
        OpDef::Block {
            repeat,
            at,
            transaction,
            body,
            ..
        } => {
            of_expr(repeat, into);
            of_at(at, into);
            of_transaction(transaction, into);
            body.iter().for_each(|step| of_step(step, into));
        }
        OpDef::Storage
        | OpDef::Compact
        | OpDef::Checkpoint
        | OpDef::Open { .. }
        | OpDef::Close
        | OpDef::Reopen { .. } => {}
        OpDef::Expect { left, right, .. } => {
            of_operand(left, into);
            of_operand(right, into);
        }
    }
}

fn of_operand(operand: &Operand, into: &mut NameSet) {
    match operand {
        Operand::Name(name) => {
            into.insert(name.clone());
        }
        Operand::Arith { left, right, .. } => {
            of_operand(left, into);
            of_operand(right, into);
        }
        Operand::Literal(_) | Operand::Count(_) | Operand::Result(_) => {}
    }
}

fn of_all<'e>(all: impl IntoIterator<Item = &'e Option<Expr>>, into: &mut NameSet) {
    all.into_iter()
        .flatten()
        .for_each(|expr| of_expr(expr, into));
}

fn of_access(access: Option<&AccessDef>, into: &mut NameSet) {
    if let Some(access) = access {
        of_at(&access.at, into);
    }
}

fn of_at(at: &AtDef, into: &mut NameSet) {
    match at {
        AtDef::Fixed(_) => {}
        AtDef::Zipf(exponent) => of_expr(exponent, into),
        AtDef::Name(name) => {
            into.insert(name.clone());
        }
    }
}

fn of_transaction(transaction: &TransactionDef, into: &mut NameSet) {
    if let TransactionDef::Of(count) = transaction {
        of_expr(count, into);
    }
}
