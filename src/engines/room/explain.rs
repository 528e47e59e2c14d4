//! A request in SQL, and how SQLite would find the records.

use std::rc::Rc;

use rusqlite::Connection;

use super::ddl;
use super::options::Configuration;
use super::plan::{self, Plan};
use super::relation::MOST_PARAMETERS;
use crate::engines::sqlite::explain::plan as access;
use crate::engines::sqlite::functions::{self, Fault};
use crate::engines::sqlite::sql::Program;
use crate::engines::{EngineError, Setting};
use crate::plan::Request;
use crate::sample::Native;
use crate::workload::{HookRunner, NoHooks};

/// Prepares the statements against an empty store in memory: the plans are
/// those without statistics, as in a fresh file.
pub fn explain(setting: &Setting<'_>, request: &Request) -> Result<Native, EngineError> {
    let configuration = Configuration::of(setting.options)?;
    let layout = plan::layout(setting.schema);
    let connection = Connection::open_in_memory()?;
    functions::register(&connection)?;
    connection.execute_batch(&ddl::statements(setting.schema, &layout).join(";\n"))?;
    let (plan, functions) = plan::compile(
        setting.schema,
        &layout,
        setting.hooks,
        configuration.entities,
        request,
    )?;
    let runner: Rc<dyn HookRunner> = Rc::new(NoHooks);
    for function in &functions {
        functions::register_hook(&connection, function, &runner, &Fault::default())?;
    }
    let statements = plan.statements(setting, &layout);
    let mut found = Vec::new();
    for statement in &statements {
        found.extend(access(&connection, statement)?);
    }
    let mut words: Vec<String> = functions
        .iter()
        .filter_map(|function| setting.hooks.get(function.hook))
        .map(|hook| format!("SQLite calls back into hook `{}` for each row", hook.name))
        .collect();
    words.extend(above(&plan));
    Ok(Native {
        text: statements.join(";\n").replace("(?,?)", "(:keys)"),
        above: (!words.is_empty()).then(|| words.join("; ")),
        access: (!found.is_empty()).then(|| found.join("\n")),
    })
}

/// What Room and the app do around the statements.
fn above(plan: &Plan) -> Vec<String> {
    const COPIED: &str =
        "every row is copied into the cursor window and an object is built from it";
    match plan {
        Plan::ByEntity { .. } => vec![
            COPIED.into(),
            "all entities are queried and changed, then updated one by one with all their columns, in a transaction".into(),
        ],
        Plan::Program { program, .. } => match program {
            Program::Read(read) if !read.lists.is_empty() => {
                let mut words = vec![COPIED.to_owned()];
                words.push(format!(
                    "relations are queried after it in a transaction, at most {MOST_PARAMETERS} keys at a time, and matched by key"
                ));
                if read.lists.iter().any(|l| l.relation.position.is_some()) {
                    words.push("elements of lists are put into their order".into());
                }
                words
            }
            Program::Read(_) => vec![COPIED.into()],
            Program::Cascade { .. } => vec![
                "what goes along and foreign keys cannot delete is queried first and deleted after, one by one, in the same transaction".into(),
            ],
            Program::CountPer { .. } => vec![COPIED.into()],
            _ => Vec::new(),
        },
    }
}
