//! Prepared requests.

use std::rc::Rc;

use super::context::Context;
use super::deliver::Delivery;
use super::fetch::Fetch;
use super::layer::Change;
use super::object::Object;
use super::request::{Batch, Found, RequestPlan};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::decode::bind_arguments;
use crate::engines::sqlite::error::misuse;
use crate::engines::sqlite::running::Running as Computed;
use crate::engines::sqlite::statement::Statement;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Aggregate, Expr, Path};
use crate::workload::Sink;

/// A request with its statements.
pub enum Running {
    /// See [`RequestPlan::Read`].
    Read(Fetch, Delivery),
    /// See [`RequestPlan::Computed`].
    Computed(Box<Computed>),
    /// See [`RequestPlan::Count`].
    Count(Fetch),
    /// See [`RequestPlan::CountPer`].
    CountPer(Fetch, Path),
    /// See [`RequestPlan::Aggregate`].
    Aggregate(Fetch, Aggregate, Expr),
    /// See [`RequestPlan::Change`].
    Change(Finding, Vec<(FieldId, Expr)>),
    /// See [`RequestPlan::Delete`].
    Delete(Finding),
    /// See [`RequestPlan::Batch`].
    Batch(Statement, Batch),
}

/// How objects to be changed are found.
pub enum Finding {
    /// By a fetch.
    Fetch(Fetch),
    /// By the identity in argument 0.
    Identity(ModelId),
}

impl Running {
    /// Prepares the statements of a plan.
    pub fn new(context: &Context, plan: RequestPlan) -> Result<Running, EngineError> {
        let connection = &context.store.connection;
        let fetch = |plan| Fetch::new(context, plan);
        let finding = |found| {
            Ok::<_, EngineError>(match found {
                Found::Fetch(plan) => Finding::Fetch(fetch(plan)?),
                Found::Identity(model) => Finding::Identity(model),
            })
        };
        Ok(match plan {
            RequestPlan::Read {
                fetch: plan,
                columns,
            } => {
                let delivery = Delivery::new(&context.entities, plan.model, &columns);
                Running::Read(fetch(plan)?, delivery)
            }
            RequestPlan::Computed(program) => {
                Running::Computed(Box::new(Computed::new(connection, program)?))
            }
            RequestPlan::Count(plan) => Running::Count(fetch(plan)?),
            RequestPlan::CountPer { fetch: plan, per } => Running::CountPer(fetch(plan)?, per),
            RequestPlan::Aggregate {
                fetch: plan,
                function,
                of,
            } => Running::Aggregate(fetch(plan)?, function, of),
            RequestPlan::Change { found, set } => Running::Change(finding(found)?, set),
            RequestPlan::Delete(found) => Running::Delete(finding(found)?),
            RequestPlan::Batch(batch) => {
                // A layer is told which records it was.
                let returning = match context.layer {
                    Some(_) => " RETURNING Z_PK",
                    None => "",
                };
                let sql = format!("{}{returning}", batch.sql);
                Running::Batch(Statement::new(connection, &sql)?, batch)
            }
        })
    }

    /// Whether it changes anything.
    pub fn changes(&self) -> bool {
        matches!(
            self,
            Running::Change(..) | Running::Delete(_) | Running::Batch(..)
        )
    }

    /// Whether what is pending must be in the store before it runs: only an
    /// object found by its identity alone is seen as the context has it.
    pub fn asks_the_store(&self, context: &Context) -> bool {
        match self {
            Running::Change(Finding::Identity(_), _) => false,
            Running::Delete(Finding::Identity(model)) => context.entity(*model).has_relationships(),
            _ => true,
        }
    }

    /// Executes it; returns the count that the request names.
    pub fn run(
        &mut self,
        context: &Context,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        match self {
            Running::Read(fetch, delivery) => read(context, fetch, delivery, arguments, sink),
            Running::Computed(computed) => computed.run(arguments, sink),
            Running::Count(fetch) => Ok(fetch.run(context, arguments)?.len() as u64),
            Running::CountPer(fetch, per) => {
                context.count_per(&fetch.run(context, arguments)?, per, sink)
            }
            Running::Aggregate(fetch, function, of) => {
                let objects = fetch.run(context, arguments)?;
                context.aggregate(&objects, *function, of, arguments, sink)
            }
            Running::Change(finding, set) => {
                let objects = finding.run(context, arguments)?;
                context.change(&objects, set, arguments)?;
                Ok(objects.len() as u64)
            }
            Running::Delete(finding) => {
                let objects = finding.run(context, arguments)?;
                let count = objects.len() as u64;
                context.delete(finding.model(), objects)?;
                Ok(count)
            }
            Running::Batch(statement, batch) => {
                if !context.store.in_transaction.get() {
                    context.store.begin()?;
                }
                let parameters = statement.parameters();
                let mut row = statement.execution();
                bind_arguments(&mut row, parameters, arguments)?;
                let mut changes = Vec::new();
                while row.step()? {
                    changes.push(Change {
                        kind: batch.kind,
                        entity: batch.model,
                        id: row.get_int(0),
                        slots: batch.slots.clone(),
                    });
                }
                drop(row);
                let count = statement.changes();
                if let Some(layer) = &context.layer {
                    layer.saved(context, &changes)?;
                }
                context.refresh();
                Ok(count)
            }
        }
    }
}

impl Finding {
    fn model(&self) -> ModelId {
        match self {
            Finding::Fetch(fetch) => fetch.model(),
            Finding::Identity(model) => *model,
        }
    }

    fn run(
        &mut self,
        context: &Context,
        arguments: &[Value],
    ) -> Result<Vec<Rc<Object>>, EngineError> {
        match self {
            Finding::Fetch(fetch) => fetch.run(context, arguments),
            Finding::Identity(model) => match arguments.first() {
                Some(Value::Int(id)) => Ok(context.existing(*model, *id)?.into_iter().collect()),
                Some(_) => Ok(Vec::new()),
                None => Err(misuse("an argument is missing")),
            },
        }
    }
}

/// The whole result before the first object is looked at; with a batch size,
/// batch after batch of it.
fn read(
    context: &Context,
    fetch: &mut Fetch,
    delivery: &mut Delivery,
    arguments: &[Value],
    sink: &mut dyn Sink,
) -> Result<u64, EngineError> {
    let mut deliver = |objects: &[Rc<Object>]| {
        if context.settings.prefetching {
            delivery.prefetch(context, objects)?;
        }
        objects
            .iter()
            .try_for_each(|object| delivery.row(context, object, sink))
    };
    if !fetch.in_batches() {
        let objects = fetch.run(context, arguments)?;
        deliver(&objects)?;
        return Ok(objects.len() as u64);
    }
    let ids = fetch.identities(arguments)?;
    let size = usize::try_from(context.settings.fetch_batch_size).unwrap_or(usize::MAX);
    for batch in ids.chunks(size.max(1)) {
        deliver(&context.fill(fetch.model(), batch)?)?;
        context.drain();
    }
    Ok(ids.len() as u64)
}
