//! A read or count: its request, and what is made of the answer.

use super::failure::Failure;
use super::linked::Linked;
use crate::base::Value;
use crate::engines::{Prepared, Session};
use crate::plan::expr::HookId;
use crate::plan::{Column, Compute, Op, Query, Request, Schema, Select};
use crate::workload::{CollectSink, HookRunner, TouchSink};

/// A question that a step asks, once or often.
pub struct Question<'a> {
    request: Request,
    make: Make<'a>,
    prepared: Option<Prepared>,
    touch: TouchSink,
}

/// What is made of the records.
enum Make<'a> {
    /// Nothing: they are touched.
    Nothing,
    /// The one value delivered.
    Value,
    /// What a hook makes of them all.
    Hook {
        hook: HookId,
        columns: Vec<&'a str>,
        linked: Linked,
        args: Vec<Value>,
    },
}

impl<'a> Question<'a> {
    /// The question of a read or count step; `None` for other steps.
    pub fn of(schema: &Schema, op: &'a Op) -> Result<Option<Question<'a>>, Failure> {
        let (request, make) = match op {
            Op::Read { query, compute, .. } => computed(schema, query, compute.as_ref())?,
            Op::Count {
                model,
                select,
                per: None,
                ..
            } => (
                Request::Count {
                    model: *model,
                    select: select.clone(),
                },
                Make::Nothing,
            ),
            Op::Count {
                model,
                select,
                per: Some(per),
                ..
            } => (
                Request::CountPer {
                    model: *model,
                    select: select.clone(),
                    per: per.clone(),
                },
                Make::Nothing,
            ),
            _ => return Ok(None),
        };
        Ok(Some(Question {
            request,
            make,
            prepared: None,
            touch: TouchSink::default(),
        }))
    }

    /// Asks about other records than the step says.
    pub fn select(&mut self, other: Select) {
        match &mut self.request {
            Request::Read(query) | Request::Aggregate { query, .. } => query.select = other,
            Request::Count { select, .. }
            | Request::CountPer { select, .. }
            | Request::Update { select, .. }
            | Request::Delete { select, .. } => *select = other,
        }
    }

    /// Asks once, preparing first where that has not been done: inside the
    /// clock. Returns the count and the computed value.
    pub fn ask(
        &mut self,
        session: &mut dyn Session,
        hooks: &dyn HookRunner,
        arguments: &[Value],
    ) -> Result<(u64, Option<Value>), Failure> {
        let prepared = match self.prepared {
            Some(prepared) => prepared,
            None => *self.prepared.insert(session.prepare(&self.request)?),
        };
        match &self.make {
            Make::Nothing => {
                let count = session.execute(prepared, arguments, &mut self.touch)?;
                Ok((count, None))
            }
            Make::Value => {
                let mut rows = CollectSink::default();
                let count = session.execute(prepared, arguments, &mut rows)?;
                let value = only(rows).ok_or_else(|| {
                    Failure::Plan("the engine delivered no single value for an aggregate".into())
                })?;
                Ok((count, Some(value)))
            }
            Make::Hook {
                hook,
                columns,
                linked,
                args,
            } => {
                let mut rows = CollectSink::default();
                let count = session.execute(prepared, arguments, &mut rows)?;
                linked.sort(&mut rows.rows);
                let value = hooks.call_over(*hook, columns, &rows.rows, args)?;
                Ok((count, Some(value)))
            }
        }
    }

    /// Gives the prepared request back.
    pub fn release(self, session: &mut dyn Session) {
        if let Some(prepared) = self.prepared {
            session.release(prepared);
        }
        // What was touched must have been read: keeps the sink's work from being optimised away.
        std::hint::black_box(self.touch.folded());
    }
}

fn computed<'a>(
    schema: &Schema,
    query: &'a Query,
    compute: Option<&'a Compute>,
) -> Result<(Request, Make<'a>), Failure> {
    Ok(match compute {
        None => (Request::Read(query.clone()), Make::Nothing),
        Some(Compute::Aggregate { function, of }) => (
            Request::Aggregate {
                query: query.clone(),
                function: *function,
                of: of.clone(),
            },
            Make::Value,
        ),
        Some(Compute::Hook { hook, args }) => {
            let make = Make::Hook {
                hook: *hook,
                columns: query.columns.iter().map(name).collect(),
                linked: Linked::of(schema, query),
                args: args
                    .iter()
                    .map(super::constant::constant)
                    .collect::<Result<_, _>>()?,
            };
            (Request::Read(query.clone()), make)
        }
    })
}

/// The value of the only column of the only record.
fn only(sink: CollectSink) -> Option<Value> {
    let mut values = sink.rows.into_iter().flatten();
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

/// The column's name in the maps that a hook gets.
fn name(column: &Column) -> &str {
    match column {
        Column::Identity => "identity",
        Column::Path(path) => &path.text,
    }
}
