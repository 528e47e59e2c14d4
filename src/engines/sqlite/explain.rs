//! A request in SQL, and how SQLite would find the records.

use std::rc::Rc;

use rusqlite::Connection;

use super::ddl;
use super::functions::{self, Fault};
use super::layout::Layout;
use super::sql::{self, Compiled, Program};
use crate::engines::{EngineError, Setting};
use crate::plan::Request;
use crate::sample::Native;
use crate::workload::{HookRunner, NoHooks};

/// Prepares the statements against an empty store in memory: the plans are
/// those without statistics, as in a fresh file.
pub fn explain(setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
    let layout = Layout::of(setting.schema);
    let connection = Connection::open_in_memory()?;
    functions::register(&connection)?;
    connection.execute_batch(&ddl::statements(setting.schema, &layout).join(";\n"))?;
    let compiled = sql::compile(setting.schema, &layout, setting.hooks, request)?;
    let runner: Rc<dyn HookRunner> = Rc::new(NoHooks);
    for function in &compiled.functions {
        functions::register_hook(&connection, function, &runner, &Fault::default())?;
    }
    let statements = compiled.program.statements();
    let mut access = Vec::new();
    for statement in &statements {
        access.extend(plan(&connection, statement)?);
    }
    Ok(Native {
        text: statements.join(";\n"),
        above: above(&compiled, setting),
        access: (!access.is_empty()).then(|| access.join("\n")),
    })
}

/// How SQLite would find the rows of a statement.
pub fn plan(connection: &Connection, sql: &str) -> Result<Vec<String>, EngineError> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let lines = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    lines.map(|line| line.map_err(EngineError::from)).collect()
}

/// What SQLite does not do by itself.
fn above(compiled: &Compiled, setting: &Setting<'_>) -> Option<String> {
    let mut parts = Vec::new();
    for function in &compiled.functions {
        if let Some(hook) = setting.hooks.get(function.hook) {
            parts.push(format!(
                "SQLite calls back into hook `{}` for each row",
                hook.name
            ));
        }
    }
    parts.extend(between(&compiled.program));
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// What is done between the statements.
fn between(program: &Program) -> Option<String> {
    match program {
        Program::Read(read) if !read.lists.is_empty() => {
            Some("the statements for lists are executed for each record".into())
        }
        Program::ByObject { .. } => {
            Some("all matches are read, then updated one by one".into())
        }
        Program::Cascade { .. } => Some(
            "what goes along and foreign keys cannot delete is gathered first and deleted after, one by one".into(),
        ),
        _ => None,
    }
}
