//! A request as statements, and what runs on objects.

use rusqlite::Connection;

use super::context::{Context, Settings};
use super::entity::{Entities, SlotKind};
use super::fetch::FetchPlan;
use super::layer::Layer;
use super::opening;
use super::request::{Found, RequestPlan, plan};
use super::store::{Store, whole_row};
use crate::engines::sqlite::functions;
use crate::engines::{EngineError, Setting};
use crate::plan::schema::ModelId;
use crate::plan::{Column, Request};
use crate::sample::Native;
use crate::workload::NoHooks;

/// Plans the request over an empty store in memory.
pub fn explain(
    setting: &Setting<'_>,
    request: &Request,
    settings: Settings,
    layer: impl FnOnce(&Entities) -> Option<Box<dyn Layer>>,
) -> Result<Native, EngineError> {
    let entities = Entities::of(setting.schema);
    let layer = layer(&entities);
    let connection = Connection::open_in_memory()?;
    functions::register(&connection)?;
    opening::create(&connection, setting.schema, &entities, layer.as_deref())?;
    let request = plan(setting.schema, &entities, &settings, request)?;
    let words = layer.as_ref().and_then(|layer| layer.explain());
    let context = Context::new(
        setting.schema.clone(),
        entities,
        Store::new(connection),
        std::rc::Rc::new(NoHooks),
        settings,
        None,
    );
    let mut told = Told::default();
    told.request(&context, &settings, &request);
    if told.saves
        && let Some(words) = words
    {
        told.above.push(words.into());
    }
    let mut access = Vec::new();
    for sql in &told.statements {
        access.extend(query_plan(&context.store.connection, sql)?);
    }
    Ok(Native {
        text: told.statements.join(";\n"),
        above: (!told.above.is_empty()).then(|| told.above.join("; ")),
        access: (!access.is_empty()).then(|| access.join("\n")),
    })
}

fn query_plan(connection: &Connection, sql: &str) -> Result<Vec<String>, EngineError> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let lines = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    lines.map(|line| line.map_err(EngineError::from)).collect()
}

#[derive(Default)]
struct Told {
    statements: Vec<String>,
    above: Vec<String>,
    saves: bool,
}

impl Told {
    fn request(&mut self, context: &Context, settings: &Settings, plan: &RequestPlan) {
        match plan {
            RequestPlan::Read { fetch, columns } => {
                self.fetch(context, fetch);
                self.faults(context, settings, fetch.model, columns);
            }
            RequestPlan::Computed(program) => {
                let statements = program.statements();
                self.statements
                    .extend(statements.into_iter().map(str::to_owned));
            }
            RequestPlan::Count(fetch) => {
                self.fetch(context, fetch);
                self.above.push("the objects are counted".into());
            }
            RequestPlan::CountPer { fetch, .. } => {
                self.fetch(context, fetch);
                self.above
                    .push("the objects are grouped and counted".into());
            }
            RequestPlan::Aggregate { fetch, .. } => {
                self.fetch(context, fetch);
                self.above.push("the objects are aggregated over".into());
            }
            RequestPlan::Change { found, set } => {
                self.found(context, found);
                let model = found.model();
                let slots: Vec<usize> = set.iter().map(|(field, _)| *field).collect();
                self.statements.push(context.update_sql(model, &slots));
                self.above.push(
                    "new values are computed and set on the objects; the save updates row by row what differs from its snapshot, checking Z_OPT".into(),
                );
                self.saves = true;
            }
            RequestPlan::Delete(found) => {
                self.found(context, found);
                self.rules(context, found.model());
                self.statements.push(context.delete_sql(found.model()));
                self.above.push(
                    "delete rules are applied to the objects; the save deletes row by row, checking Z_OPT".into(),
                );
                self.saves = true;
            }
            RequestPlan::Batch(batch) => {
                self.statements.push(batch.sql.clone());
                self.above
                    .push("a batch request: no objects, no validation".into());
            }
        }
    }

    fn found(&mut self, context: &Context, found: &Found) {
        match found {
            Found::Fetch(fetch) => self.fetch(context, fetch),
            Found::Identity(model) => self.statements.push(by_id(context, *model)),
        }
    }

    fn fetch(&mut self, context: &Context, fetch: &FetchPlan) {
        self.statements.push(fetch.sql.clone());
        if fetch.identities {
            let entity = context.entity(fetch.model);
            self.statements.push(format!(
                "SELECT {} FROM {} t0 WHERE t0.Z_PK IN (?1)",
                whole_row(entity),
                entity.table
            ));
            self.above
                .push("the rows of each batch are fetched when it is reached".into());
        }
        let mut left = Vec::new();
        if fetch.above.is_some() {
            left.push("filtered by what no statement can say");
        }
        if !fetch.sort.is_empty() {
            left.push("sorted");
        }
        if fetch.page.is_some() {
            left.push("cut to the page");
        }
        let objects = match left.is_empty() {
            true => "whole rows become objects".to_owned(),
            false => format!("whole rows become objects, which are {}", left.join(", ")),
        };
        self.above.push(objects);
    }

    /// Statements of the faults that the columns fire, once each.
    fn faults(
        &mut self,
        context: &Context,
        settings: &Settings,
        model: ModelId,
        columns: &[Column],
    ) {
        let before = self.statements.len();
        for column in columns {
            let Column::Path(path) = column else { continue };
            let mut at = model;
            for hop in &path.hops {
                let Some(slot) = context.entity(at).slots.get(*hop) else {
                    break;
                };
                let Some(target) = slot.target() else { break };
                let mut statements = Vec::new();
                if !matches!(slot.kind, SlotKind::ToOne { .. }) {
                    statements.push(context.many_sql(context.entity(at), *hop));
                }
                statements.push(by_id(context, target));
                for sql in statements {
                    if !self.statements.contains(&sql) {
                        self.statements.push(sql);
                    }
                }
                at = target;
            }
        }
        if self.statements.len() > before {
            self.above.push(match settings.prefetching {
                true => "what the columns lead to is prefetched, many objects at a time, instead of by the fault statements".into(),
                false => "faults fire one by one: a statement for each relationship of each object, and for each object behind it".into(),
            });
        }
    }

    /// What the delete rules fetch: the children and whatever points here.
    fn rules(&mut self, context: &Context, model: ModelId) {
        let entity = context.entity(model);
        let children = entity.slots.iter().filter_map(|slot| match slot.kind {
            SlotKind::Children { target, slot } => Some((target, slot)),
            _ => None,
        });
        let incoming = entity.incoming.iter().map(|i| (i.from, i.slot));
        for (from, slot) in children.chain(incoming) {
            let from = context.entity(from);
            let column = from.slots[slot].column.as_deref().unwrap_or_default();
            self.statements.push(format!(
                "SELECT {} FROM {} t0 WHERE t0.{column} IN (?1)",
                whole_row(from),
                from.table
            ));
        }
    }
}

fn by_id(context: &Context, model: ModelId) -> String {
    let entity = context.entity(model);
    format!(
        "SELECT {} FROM {} t0 WHERE t0.Z_PK = ?1",
        whole_row(entity),
        entity.table
    )
}
