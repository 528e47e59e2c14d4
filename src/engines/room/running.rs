//! Prepared requests, executed.

use super::adapter::Adapter;
use super::by_entity::{self, Entities};
use super::cursor::{Arguments, Cursor};
use super::database::Database;
use super::lane::Prepared;
use super::plan::Plan;
use super::reading::Reading;
use super::relation::part;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::decode::bind_arguments;
use crate::engines::sqlite::sql::{Program, Type};
use crate::engines::sqlite::statement::Statement;
use crate::workload::Sink;

/// A request with its statements.
pub enum Running {
    /// A `@Query` that delivers objects.
    Read(Box<Reading>),
    /// A `@Query` that delivers one number.
    Count(Prepared),
    /// A `@Query` that delivers pairs of a value and a count.
    Pairs {
        /// The query.
        query: Prepared,
        /// Type of the value.
        ty: Type,
        /// Whether the number of rows is returned, else the counts' sum.
        rows: bool,
    },
    /// A `@Query` that changes what matches.
    Change(Statement),
    /// A query of entities, then `@Update`.
    ByEntity {
        /// What they are.
        entities: Entities,
        /// Delivers them.
        select: Statement,
        /// Updates one.
        update: Statement,
    },
    /// A delete that foreign keys cannot carry on.
    Cascade {
        /// Selects what goes along, and deletes one of it.
        gather: Vec<(Statement, Statement)>,
        /// Deletes the records.
        delete: Statement,
        /// A required link may point to a record that goes a moment later.
        defer: Statement,
    },
}

impl Running {
    /// Prepares the statements of a plan.
    pub fn new(
        database: &Database,
        adapters: &[Adapter],
        plan: Plan,
    ) -> Result<Running, EngineError> {
        let prepared = |sql: String| Prepared::new(database, sql);
        let statement = |sql: &str| Statement::new(&database.primary, sql);
        let (program, added) = match plan {
            Plan::ByEntity {
                model,
                id,
                entities,
            } => {
                return Ok(Running::ByEntity {
                    select: statement(&entities.select)?,
                    update: statement(&adapters[model].update_sql(&id))?,
                    entities,
                });
            }
            Plan::Program { program, added } => (program, added),
        };
        Ok(match program {
            Program::Read(read) => Running::Read(Box::new(Reading::new(database, read, added)?)),
            Program::Count(sql) => Running::Count(prepared(sql)?),
            Program::CountPer { sql, ty } => Running::Pairs {
                query: prepared(sql)?,
                ty,
                rows: true,
            },
            Program::Aggregate { sql, ty } => Running::Pairs {
                query: prepared(sql)?,
                ty,
                rows: false,
            },
            Program::Change(sql) => Running::Change(statement(&sql)?),
            // Never compiled here; it would be the same work by another name.
            Program::ByObject { .. } => {
                return Err(crate::engines::sqlite::error::misuse(
                    "an update by object is one by entity",
                ));
            }
            Program::Cascade { gather, delete } => Running::Cascade {
                gather: gather
                    .iter()
                    .map(|g| Ok((statement(&g.select)?, statement(&g.delete)?)))
                    .collect::<Result<_, EngineError>>()?,
                delete: statement(&delete)?,
                defer: statement("PRAGMA defer_foreign_keys = TRUE")?,
            },
        })
    }

    /// Whether Room runs it in a transaction: every change, and every query
    /// with relations, which is to be annotated with `@Transaction`.
    pub fn needs_transaction(&self) -> bool {
        match self {
            Running::Read(reading) => reading.has_relations(),
            Running::Count(_) | Running::Pairs { .. } => false,
            Running::Change(_) | Running::ByEntity { .. } | Running::Cascade { .. } => true,
        }
    }

    /// Executes it; returns the count that the request names.
    pub fn run(
        &mut self,
        database: &Database,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let window_bytes = database.configuration.window_bytes;
        match self {
            Running::Read(reading) => reading.run(database, arguments, sink),
            Running::Count(query) => {
                let statement = query.on(database)?;
                let arguments = Arguments::Values(arguments);
                let mut cursor = Cursor::new(statement, arguments, 1, window_bytes);
                Ok(match cursor.advance()? {
                    true => cursor.int(0).max(0) as u64,
                    false => 0,
                })
            }
            Running::Pairs { query, ty, rows } => {
                let statement = query.on(database)?;
                let arguments = Arguments::Values(arguments);
                let mut cursor = Cursor::new(statement, arguments, 2, window_bytes);
                let mut pairs = Vec::with_capacity(cursor.count()?);
                while cursor.advance()? {
                    let value = cursor.value(0, *ty)?;
                    let value = match ty {
                        Type::JsonPart => part(value),
                        _ => value,
                    };
                    pairs.push((value, cursor.int(1)));
                }
                drop(cursor);
                let mut count = 0;
                for (value, counted) in &pairs {
                    if *rows {
                        sink.row(&[value.scalar_ref(), Value::Int(*counted).scalar_ref()]);
                        count += 1;
                    } else {
                        sink.row(&[value.scalar_ref()]);
                        count += (*counted).max(0) as u64;
                    }
                }
                Ok(count)
            }
            Running::Change(statement) => change(statement, arguments),
            Running::ByEntity {
                entities,
                select,
                update,
            } => by_entity::run(database, entities, select, update, arguments),
            Running::Cascade {
                gather,
                delete,
                defer,
            } => {
                defer.run()?;
                let mut taken = Vec::with_capacity(gather.len());
                for (select, _) in gather.iter_mut() {
                    let arguments = Arguments::Values(arguments);
                    let mut cursor = Cursor::new(select, arguments, 1, window_bytes);
                    let mut ids = Vec::with_capacity(cursor.count()?);
                    while cursor.advance()? {
                        ids.push(cursor.int(0));
                    }
                    taken.push(ids);
                }
                let matched = change(delete, arguments)?;
                for ((_, delete), ids) in gather.iter_mut().zip(taken) {
                    for id in ids {
                        let mut row = delete.execution();
                        row.int(id)?;
                        row.run()?;
                    }
                }
                Ok(matched)
            }
        }
    }
}

fn change(statement: &mut Statement, arguments: &[Value]) -> Result<u64, EngineError> {
    let parameters = statement.parameters();
    let mut row = statement.execution();
    bind_arguments(&mut row, parameters, arguments)?;
    row.run()?;
    Ok(statement.changes())
}
