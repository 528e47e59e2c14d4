//! What a request becomes: fetches, statements, and work on objects.

use super::batch;
use super::context::Settings;
use super::entity::Entities;
use super::fetch::FetchPlan;
use super::layer::ChangeKind;
use super::pushdown::{goes_down, path_goes_down, select_goes_down};
use crate::engines::EngineError;
use crate::engines::sqlite::sql::{Program, aggregate, frame};
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::plan::{Aggregate, Column, Expr, Path, Query, Request, Select, UpdateBy};

/// A request in Core Data's terms.
#[derive(Clone, Debug)]
pub enum RequestPlan {
    /// Fetches objects and reads their properties.
    Read {
        /// The fetch.
        fetch: FetchPlan,
        /// The properties.
        columns: Vec<Column>,
    },
    /// One statement counts, groups or aggregates.
    Computed(Program),
    /// Fetches objects and counts them.
    Count(FetchPlan),
    /// Fetches objects and groups them.
    CountPer {
        /// The fetch.
        fetch: FetchPlan,
        /// By this path.
        per: Path,
    },
    /// Fetches objects and aggregates over them.
    Aggregate {
        /// The fetch.
        fetch: FetchPlan,
        /// How.
        function: Aggregate,
        /// Of what.
        of: Expr,
    },
    /// Finds objects and sets properties.
    Change {
        /// How they are found.
        found: Found,
        /// The properties.
        set: Vec<(FieldId, Expr)>,
    },
    /// Finds objects and deletes them.
    Delete(Found),
    /// A batch request.
    Batch(Batch),
}

/// A batch request.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Its statement.
    pub sql: String,
    /// The entity.
    pub model: ModelId,
    /// What it does to it.
    pub kind: ChangeKind,
    /// What it sets.
    pub slots: Vec<FieldId>,
}

/// How objects to be changed are found.
#[derive(Clone, Debug)]
pub enum Found {
    /// By a fetch.
    Fetch(FetchPlan),
    /// By the identity in argument 0.
    Identity(ModelId),
}

impl Found {
    fn of(
        schema: &Schema,
        entities: &Entities,
        model: ModelId,
        select: &Select,
    ) -> Result<Found, EngineError> {
        Ok(match select {
            Select::Identity => Found::Identity(model),
            select => Found::Fetch(FetchPlan::select(schema, entities, model, select)?),
        })
    }

    /// The entity that it finds.
    pub fn model(&self) -> ModelId {
        match self {
            Found::Fetch(fetch) => fetch.model,
            Found::Identity(model) => *model,
        }
    }
}

/// Plans a request.
pub fn plan(
    schema: &Schema,
    entities: &Entities,
    settings: &Settings,
    request: &Request,
) -> Result<RequestPlan, EngineError> {
    let c = frame::Context::new(schema, &entities.layout, &[]);
    Ok(match request {
        Request::Read(query) => RequestPlan::Read {
            fetch: FetchPlan::of(schema, entities, query, settings.fetch_batch_size > 0)?,
            columns: query.columns.clone(),
        },
        Request::Count { model, select } => match select_goes_down(schema, *model, select) {
            true => RequestPlan::Computed(aggregate::count(&c, *model, select)?),
            false => RequestPlan::Count(FetchPlan::select(schema, entities, *model, select)?),
        },
        Request::CountPer { model, select, per } => {
            let down = path_goes_down(schema, *model, per);
            match down && select_goes_down(schema, *model, select) {
                true => RequestPlan::Computed(aggregate::count_per(&c, *model, select, per)?),
                false => RequestPlan::CountPer {
                    fetch: FetchPlan::select(schema, entities, *model, select)?,
                    per: per.clone(),
                },
            }
        }
        Request::Aggregate {
            query,
            function,
            of,
        } => match aggregate_goes_down(schema, query, of) {
            true => RequestPlan::Computed(aggregate::aggregate(&c, query, *function, of)?),
            false => RequestPlan::Aggregate {
                fetch: FetchPlan::of(schema, entities, query, false)?,
                function: *function,
                of: of.clone(),
            },
        },
        Request::Update {
            model,
            select,
            set,
            by,
        } => {
            let batched = match by {
                UpdateBy::Statement if settings.batch_update => {
                    batch::update(schema, entities, *model, select, set)?
                }
                _ => None,
            };
            match batched {
                Some(sql) => RequestPlan::Batch(Batch {
                    sql,
                    model: *model,
                    kind: ChangeKind::Update,
                    slots: set.iter().map(|(field, _)| *field).collect(),
                }),
                None => RequestPlan::Change {
                    found: Found::of(schema, entities, *model, select)?,
                    set: set.clone(),
                },
            }
        }
        Request::Delete { model, select } => {
            let batched = match settings.batch_delete {
                true => batch::delete(schema, entities, *model, select)?,
                false => None,
            };
            match batched {
                Some(sql) => RequestPlan::Batch(Batch {
                    sql,
                    model: *model,
                    kind: ChangeKind::Delete,
                    slots: Vec::new(),
                }),
                None => RequestPlan::Delete(Found::of(schema, entities, *model, select)?),
            }
        }
    })
}

/// A fetch of dictionaries aggregates over all that it selects, not over a page.
fn aggregate_goes_down(schema: &Schema, query: &Query, of: &Expr) -> bool {
    query.limit.is_none()
        && query.offset == 0
        && goes_down(schema, query.model, of)
        && select_goes_down(schema, query.model, &query.select)
}
