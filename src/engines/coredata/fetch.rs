//! Fetch requests.

use std::cmp::Ordering;
use std::rc::Rc;

use super::context::Context;
use super::entity::Entities;
use super::object::Object;
use super::pushdown::{order_goes_down, split};
use super::seen::Seen;
use super::store::{read_row, whole_row};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::decode::bind_arguments;
use crate::engines::sqlite::sql::filter;
use crate::engines::sqlite::sql::frame::{AS_ROOT, Context as SqlContext, Frame, ROOT};
use crate::engines::sqlite::statement::Statement;
use crate::plan::schema::{ModelId, Schema};
use crate::plan::{Expr, OrderKey, Query, Select};
use crate::workload::compare::compare_values;
use crate::workload::eval::{EvalError, Scope, holds};

/// A fetch in words: the statement, and what is left to do with its objects.
#[derive(Clone, Debug)]
pub struct FetchPlan {
    /// Of this entity.
    pub model: ModelId,
    /// The statement.
    pub sql: String,
    /// Whether it selects identities alone, whose rows are read in batches.
    pub identities: bool,
    /// What the objects must still fulfil.
    pub above: Option<Expr>,
    /// How they are still to be sorted.
    pub sort: Vec<OrderKey>,
    /// How many are then left out, and how many remain.
    pub page: Option<(u64, Option<u64>)>,
}

impl FetchPlan {
    /// The fetch of a query.
    pub fn of(
        schema: &Schema,
        entities: &Entities,
        query: &Query,
        batched: bool,
    ) -> Result<FetchPlan, EngineError> {
        let (select, above) = split(schema, query.model, &query.select);
        let sorts = order_goes_down(&query.order);
        let pages = above.is_none() && sorts;
        let c = SqlContext::new(schema, &entities.layout, &[]);
        let mut frame = Frame::new(query.model, ROOT);
        let clause = filter::clause(&c, &mut frame, &select)?;
        let order: &[OrderKey] = if sorts { &query.order } else { &[] };
        let (limit, offset) = match pages {
            true => (query.limit, query.offset),
            false => (None, 0),
        };
        let order = filter::order_and_limit(&c, &mut frame, order, limit, offset)?;
        let identities = batched && above.is_none() && sorts;
        let columns = match identities {
            true => "0, t0.Z_PK".to_owned(),
            false => whole_row(&entities.all[query.model]),
        };
        let sql = format!("SELECT {columns} FROM {}{clause}{order}", frame.from(&c));
        Ok(FetchPlan {
            model: query.model,
            sql: aliased(&sql),
            identities,
            above,
            sort: if sorts {
                Vec::new()
            } else {
                query.order.clone()
            },
            page: (!pages && (query.limit.is_some() || query.offset > 0))
                .then_some((query.offset, query.limit)),
        })
    }

    /// The fetch of a selection, in any order.
    pub fn select(
        schema: &Schema,
        entities: &Entities,
        model: ModelId,
        select: &Select,
    ) -> Result<FetchPlan, EngineError> {
        let query = Query {
            model,
            select: select.clone(),
            order: Vec::new(),
            limit: None,
            offset: 0,
            columns: Vec::new(),
        };
        FetchPlan::of(schema, entities, &query, false)
    }
}

/// The compiled text with Core Data's alias for the fetched table.
pub fn aliased(sql: &str) -> String {
    sql.replace(AS_ROOT, " t0").replace(ROOT, "t0.")
}

/// A prepared fetch.
pub struct Fetch {
    plan: FetchPlan,
    statement: Statement,
}

impl Fetch {
    /// Prepares its statement.
    pub fn new(context: &Context, plan: FetchPlan) -> Result<Fetch, EngineError> {
        Ok(Fetch {
            statement: Statement::new(&context.store.connection, &plan.sql)?,
            plan,
        })
    }

    /// Whether rows are read in batches of the identities that it finds.
    pub fn in_batches(&self) -> bool {
        self.plan.identities
    }

    /// The entity that it fetches.
    pub fn model(&self) -> ModelId {
        self.plan.model
    }

    /// The identities, in order.
    pub fn identities(&mut self, arguments: &[Value]) -> Result<Vec<i64>, EngineError> {
        let parameters = self.statement.parameters();
        let mut row = self.statement.execution();
        bind_arguments(&mut row, parameters, arguments)?;
        let mut ids = Vec::new();
        while row.step()? {
            ids.push(row.get_int(1));
        }
        Ok(ids)
    }

    /// The objects, in order: all of them, before any is looked at.
    pub fn run(
        &mut self,
        context: &Context,
        arguments: &[Value],
    ) -> Result<Vec<Rc<Object>>, EngineError> {
        if self.plan.identities {
            let ids = self.identities(arguments)?;
            return context.fill(self.plan.model, &ids);
        }
        let model = self.plan.model;
        let entity = context.entity(model);
        let parameters = self.statement.parameters();
        let mut row = self.statement.execution();
        bind_arguments(&mut row, parameters, arguments)?;
        let mut objects = Vec::new();
        while row.step()? {
            let (id, read) = read_row(entity, &row)?;
            objects.push(context.adopt(model, id, read));
        }
        drop(row);
        if let Some(above) = &self.plan.above {
            let mut kept = Vec::new();
            for object in objects {
                let outcome = fulfils(context, &object, above, arguments);
                if context.evaluated(outcome)? {
                    kept.push(object);
                }
            }
            objects = kept;
        }
        if !self.plan.sort.is_empty() {
            let outcome = sorted(context, objects, &self.plan.sort);
            objects = context.evaluated(outcome)?;
        }
        if let Some((offset, limit)) = self.plan.page {
            let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
            objects.drain(..skipped.min(objects.len()));
            let limit = limit.and_then(|limit| usize::try_from(limit).ok());
            objects.truncate(limit.unwrap_or(usize::MAX));
        }
        Ok(objects)
    }
}

fn fulfils(
    context: &Context,
    object: &Rc<Object>,
    predicate: &Expr,
    arguments: &[Value],
) -> Result<bool, EvalError> {
    let seen = Seen::of(context, Rc::clone(object))?;
    holds(&Scope::new(&seen, arguments, &*context.hooks), predicate)
}

fn sorted(
    context: &Context,
    objects: Vec<Rc<Object>>,
    order: &[OrderKey],
) -> Result<Vec<Rc<Object>>, EvalError> {
    let mut keyed = Vec::with_capacity(objects.len());
    for object in objects {
        let seen = Seen::of(context, Rc::clone(&object))?;
        let keys = order
            .iter()
            .map(|key| seen.follow(&key.path.hops, &key.path.json))
            .collect::<Result<Vec<_>, _>>()?;
        keyed.push((keys, object));
    }
    keyed.sort_by(|(a, _), (b, _)| {
        let pairs = a.iter().zip(b).zip(order);
        pairs
            .map(|((a, b), key)| match key.descending {
                true => compare_values(b, a),
                false => compare_values(a, b),
            })
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    Ok(keyed.into_iter().map(|(_, object)| object).collect())
}
