//! A request as a DAO's methods: which statements, and what of them is an object.

use super::by_entity::{self, Entities};
use super::names::{bare, places};
use super::query::with_entities;
use super::relation::Relation;
use crate::engines::sqlite::layout::Layout;
use crate::engines::sqlite::sql::frame::Context;
use crate::engines::sqlite::sql::{self, HookFunction, Program};
use crate::engines::{EngineError, Setting};
use crate::plan::schema::{ModelId, Schema};
use crate::plan::{Hook, Request, UpdateBy};

/// What a request becomes.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// `@Query` methods.
    Program {
        /// Their statements.
        program: Program,
        /// For a read: how many of its first outputs are only there because
        /// the entity has them.
        added: usize,
    },
    /// A query of entities and `@Update`.
    ByEntity {
        /// Their model.
        model: ModelId,
        /// Name of the primary key.
        id: String,
        /// The query.
        entities: Entities,
    },
}

/// The layout of a schema in entities.
pub fn layout(schema: &Schema) -> Layout {
    Layout {
        strict: false,
        ..Layout::of(schema)
    }
}

/// Compiles a request; also the functions that its statements call.
pub fn compile(
    schema: &Schema,
    layout: &Layout,
    hooks: &[Hook],
    whole_entities: bool,
    request: &Request,
) -> Result<(Plan, Vec<HookFunction>), EngineError> {
    if let Request::Update {
        model,
        select,
        set,
        by: UpdateBy::Object,
    } = request
    {
        let c = Context::new(schema, layout, hooks);
        let entities = by_entity::compile(&c, *model, select, set)?;
        let plan = Plan::ByEntity {
            model: *model,
            id: bare(&layout.tables[*model].id),
            entities,
        };
        return Ok((plan, c.calls.into_inner()));
    }
    let (request, added) = match request {
        // Nothing is touched: rows are stepped over, whatever they hold.
        Request::Read(query) if whole_entities && !query.columns.is_empty() => {
            let (query, added) = with_entities(schema, query);
            (&Request::Read(query), added)
        }
        other => (other, 0),
    };
    let compiled = sql::compile(schema, layout, hooks, request)?;
    let plan = Plan::Program {
        program: compiled.program,
        added,
    };
    Ok((plan, compiled.functions))
}

impl Plan {
    /// All statements, in the order in which they are first executed, relations
    /// with two keys.
    pub fn statements(&self, setting: &Setting<'_>, layout: &Layout) -> Vec<String> {
        match self {
            Plan::Program {
                program: Program::Read(read),
                ..
            } => {
                let relations = read.lists.iter().map(|l| Relation::sql(l, &places(2)));
                std::iter::once(read.sql.clone()).chain(relations).collect()
            }
            Plan::Program { program, .. } => {
                let statements = program.statements();
                statements.into_iter().map(str::to_owned).collect()
            }
            Plan::ByEntity {
                model,
                id,
                entities,
            } => {
                let adapters = super::adapter::adapters(setting.schema, layout);
                vec![entities.select.clone(), adapters[*model].update_sql(id)]
            }
        }
    }
}
