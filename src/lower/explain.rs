//! Each step in the engines' own words: what is pushed down, what runs above.

use crate::engines::registry::{Known, find};
use crate::engines::{EngineError, Setting};
use crate::plan::query::{Column, Select};
use crate::plan::{Compute, Job, Op, Plan, Query, Request, Step, Transaction};
use crate::sample::Native;

/// A step of a job, as its engine carries it out.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// Label of the step; `buy / order` for a step in a block.
    pub step: String,
    /// The requests that it makes, in order; none where it asks the engine nothing
    /// that has words (storing, opening, maintenance).
    pub requests: Vec<Result<Native, EngineError>>,
}

/// The measured steps of a job; `None` where its engine is not here.
pub fn explain(plan: &Plan, job: &Job) -> Option<Vec<Explained>> {
    let row = plan.engines.get(job.engine)?;
    let Some(Known::Adapter(engine)) = find(&row.kind) else {
        return None;
    };
    let setting = Setting {
        schema: &job.schema,
        hooks: &plan.hooks,
        options: &job.options,
    };
    let mut explained = Vec::new();
    for step in &job.steps {
        for (label, step) in with_body(step) {
            explained.push(Explained {
                step: label,
                requests: requests(&step.op)
                    .iter()
                    .map(|request| engine.explain(&setting, request))
                    .collect(),
            });
        }
    }
    Some(explained)
}

/// The step itself, then the steps of its block.
fn with_body(step: &Step) -> Vec<(String, &Step)> {
    let mut all = vec![(step.label.clone(), step)];
    if let Op::Block { body, .. } = &step.op {
        all.extend(
            body.iter()
                .map(|inner| (format!("{} / {}", step.label, inner.label), inner)),
        );
    }
    all
}

/// What a step asks of its engine.
fn requests(op: &Op) -> Vec<Request> {
    match op {
        Op::Read { query, compute, .. } => match compute {
            Some(Compute::Aggregate { function, of }) => vec![Request::Aggregate {
                query: query.clone(),
                function: *function,
                of: of.clone(),
            }],
            Some(Compute::Hook { .. }) | None => vec![Request::Read(query.clone())],
        },
        Op::Count {
            model, select, per, ..
        } => vec![match per {
            Some(per) => Request::CountPer {
                model: *model,
                select: select.clone(),
                per: per.clone(),
            },
            None => Request::Count {
                model: *model,
                select: select.clone(),
            },
        }],
        Op::Update {
            model,
            select,
            set,
            by,
            transaction,
            ..
        } => changes(*model, select, *transaction, |select| Request::Update {
            model: *model,
            select,
            set: set.clone(),
            by: *by,
        }),
        Op::Delete {
            model,
            select,
            transaction,
            ..
        } => changes(*model, select, *transaction, |select| Request::Delete {
            model: *model,
            select,
        }),
        _ => Vec::new(),
    }
}

/// A change in one transaction is one request. In several, the records'
/// identities are read first, and each is changed on its own.
fn changes(
    model: crate::plan::schema::ModelId,
    select: &Select,
    transaction: Transaction,
    change: impl Fn(Select) -> Request,
) -> Vec<Request> {
    let set = matches!(select, Select::All | Select::Where(_));
    if transaction == Transaction::One || !set {
        return vec![change(select.clone())];
    }
    vec![
        Request::Read(Query {
            model,
            select: select.clone(),
            order: Vec::new(),
            limit: None,
            offset: 0,
            columns: vec![Column::Identity],
        }),
        change(Select::Identity),
    ]
}
