//! Prepared programs, executed.

use std::rc::Rc;

use rusqlite::Connection;

use super::decode::{bind, bind_arguments, value};
use super::reading::Reading;
use super::sql::{Program, Type};
use super::statement::Statement;
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::workload::Sink;
use crate::workload::eval::json::json_value;

/// A program with its statements.
pub enum Running {
    /// See [`Program::Read`].
    Read(Box<Reading>),
    /// See [`Program::Count`].
    Count(Statement),
    /// See [`Program::CountPer`] and [`Program::Aggregate`].
    Pairs {
        /// The statement.
        statement: Statement,
        /// Type of the first column.
        ty: Type,
        /// Whether the number of rows is returned, else the second column.
        rows: bool,
    },
    /// See [`Program::Change`].
    Change(Statement),
    /// See [`Program::ByObject`].
    ByObject {
        /// Identity and new values.
        select: Statement,
        /// Update of one.
        update: Statement,
        /// Number of new values.
        values: usize,
    },
    /// See [`Program::Cascade`].
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
    /// Prepares the statements of a program.
    pub fn new(connection: &Rc<Connection>, program: Program) -> Result<Self, EngineError> {
        let statement = |sql: &str| Statement::new(connection, sql);
        Ok(match program {
            Program::Read(read) => Running::Read(Box::new(Reading::new(connection, read)?)),
            Program::Count(sql) => Running::Count(statement(&sql)?),
            Program::CountPer { sql, ty } => Running::Pairs {
                statement: statement(&sql)?,
                ty,
                rows: true,
            },
            Program::Aggregate { sql, ty } => Running::Pairs {
                statement: statement(&sql)?,
                ty,
                rows: false,
            },
            Program::Change(sql) => Running::Change(statement(&sql)?),
            Program::ByObject {
                select,
                update,
                values,
            } => Running::ByObject {
                select: statement(&select)?,
                update: statement(&update)?,
                values,
            },
            Program::Cascade { gather, delete } => Running::Cascade {
                gather: gather
                    .iter()
                    .map(|g| Ok((statement(&g.select)?, statement(&g.delete)?)))
                    .collect::<Result<_, EngineError>>()?,
                delete: statement(&delete)?,
                defer: statement("PRAGMA defer_foreign_keys = ON")?,
            },
        })
    }

    /// Whether it takes several statements that must stand in one transaction.
    pub fn needs_transaction(&self) -> bool {
        matches!(self, Running::ByObject { .. } | Running::Cascade { .. })
    }

    /// Executes it; returns the count that the request names.
    pub fn run(&mut self, arguments: &[Value], sink: &mut dyn Sink) -> Result<u64, EngineError> {
        match self {
            Running::Read(reading) => reading.run(arguments, sink),
            Running::Count(statement) => {
                let parameters = statement.parameters();
                let mut row = statement.execution();
                bind_arguments(&mut row, parameters, arguments)?;
                row.step()?;
                Ok(row.get_int(0).max(0) as u64)
            }
            Running::Pairs {
                statement,
                ty,
                rows,
            } => pairs(statement, *ty, *rows, arguments, sink),
            Running::Change(statement) => change(statement, arguments),
            Running::ByObject {
                select,
                update,
                values,
            } => by_object(select, update, *values, arguments),
            Running::Cascade {
                gather,
                delete,
                defer,
            } => {
                defer.run()?;
                let mut taken = Vec::with_capacity(gather.len());
                for (select, _) in gather.iter_mut() {
                    taken.push(identities(select, arguments)?);
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

/// Rows of value and count.
fn pairs(
    statement: &mut Statement,
    ty: Type,
    rows: bool,
    arguments: &[Value],
    sink: &mut dyn Sink,
) -> Result<u64, EngineError> {
    let parameters = statement.parameters();
    let mut row = statement.execution();
    bind_arguments(&mut row, parameters, arguments)?;
    let mut count = 0;
    while row.step()? {
        let counted = row.get_int(1);
        let first = value(&row, 0, ty)?;
        let spelled = match (first, ty) {
            (ValueRef::Json(text), Type::JsonPart) => Some(json_value(text, &[])),
            _ => None,
        };
        let first = spelled.as_ref().map_or(first, Value::scalar_ref);
        if rows {
            sink.row(&[first, ValueRef::Int(counted)]);
            count += 1;
        } else {
            sink.row(&[first]);
            count += counted.max(0) as u64;
        }
    }
    Ok(count)
}

fn identities(select: &mut Statement, arguments: &[Value]) -> Result<Vec<i64>, EngineError> {
    let parameters = select.parameters();
    let mut row = select.execution();
    bind_arguments(&mut row, parameters, arguments)?;
    let mut ids = Vec::new();
    while row.step()? {
        ids.push(row.get_int(0));
    }
    Ok(ids)
}

/// All is read before the first change, so that no change is met again.
fn by_object(
    select: &mut Statement,
    update: &mut Statement,
    values: usize,
    arguments: &[Value],
) -> Result<u64, EngineError> {
    let parameters = select.parameters();
    let mut row = select.execution();
    bind_arguments(&mut row, parameters, arguments)?;
    let mut read = Vec::new();
    while row.step()? {
        for column in 0..=values {
            read.push(value(&row, column, Type::Any)?.to_value());
        }
    }
    drop(row);
    let mut count = 0;
    for object in read.chunks_exact(values + 1) {
        let mut row = update.execution();
        for value in object {
            bind(&mut row, value)?;
        }
        row.run()?;
        count += 1;
    }
    Ok(count)
}
