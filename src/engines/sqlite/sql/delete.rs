//! Deletes. What a record owns through a foreign key of the child goes by ON
//! DELETE CASCADE, link and list entries too. What it points to itself (a
//! to-one target, or targets in a link table) no foreign key action can take
//! along: these are gathered first and deleted after it, in the same
//! transaction.

use super::filter;
use super::frame::{AS_ROOT, Context};
use super::layout::Storage;
use super::program::{Gather, Program};
use crate::engines::EngineError;
use crate::plan::Select;
use crate::plan::schema::{FieldId, FieldKind, ModelId};

/// A delete as a program.
pub fn delete(c: &Context<'_>, model: ModelId, select: &Select) -> Result<Program, EngineError> {
    let clause = filter::change_clause(c, model, select)?;
    let table = &c.layout.tables[model];
    let delete = c.finish(&format!("DELETE FROM {}{AS_ROOT}{clause}", table.name));
    let mut gather = Vec::new();
    let ids = match select {
        Select::All => None,
        select => Some(filter::identities(c, model, select)?),
    };
    follow(c, model, ids.as_deref(), &mut Vec::new(), &mut gather);
    Ok(if gather.is_empty() {
        Program::Change(delete)
    } else {
        Program::Cascade { gather, delete }
    })
}

/// Everything that goes with the records of `model` in `ids` (all when absent)
/// by a link of their own, at any depth. Each link of the schema is followed
/// once.
fn follow(
    c: &Context<'_>,
    model: ModelId,
    ids: Option<&str>,
    seen: &mut Vec<(ModelId, FieldId)>,
    gather: &mut Vec<Gather>,
) {
    let table = &c.layout.tables[model];
    for (at, field) in c.schema.models[model].fields.iter().enumerate() {
        let cascade = match &field.kind {
            FieldKind::ToOne {
                cascade,
                inverse_of,
                ..
            } => *cascade && inverse_of.is_none(),
            FieldKind::ToMany { cascade, .. } => *cascade,
            _ => false,
        };
        if !cascade || seen.contains(&(model, at)) {
            continue;
        }
        seen.push((model, at));
        let within = |word: &str, column: &str| match ids {
            Some(ids) => format!(" {word} {column} IN ({ids})"),
            None => String::new(),
        };
        let (target, select, by_key) = match &table.fields[at] {
            Storage::Children { target, column } => {
                let child = &c.layout.tables[*target];
                let within = within("WHERE", column);
                let select = format!("SELECT {} FROM {}{within}", child.id, child.name);
                (*target, select, true)
            }
            Storage::Reference { column, target } => {
                let within = within("AND", &table.id);
                let select = format!(
                    "SELECT DISTINCT {column} FROM {} WHERE {column} IS NOT NULL{within}",
                    table.name
                );
                (*target, select, false)
            }
            Storage::Links { table, target } => {
                let within = within("WHERE", &table.owner);
                let select = format!("SELECT DISTINCT {} FROM {table}{within}", table.target);
                (*target, select, false)
            }
            _ => continue,
        };
        if !by_key {
            let target = &c.layout.tables[target];
            gather.push(Gather {
                select: c.finish(&select),
                delete: format!("DELETE FROM {} WHERE {} = ?1", target.name, target.id),
            });
        }
        follow(c, target, Some(&select), seen, gather);
    }
}
