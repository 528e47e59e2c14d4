//! `@Relation`: the lists of many objects by one more query.
//!
//! Keys are gathered from the cursor, split into chunks of at most 999 (
//! `RoomDatabase.MAX_BIND_PARAMETER_CNT`), and each chunk is one query with
//! `IN (?,…)`; what it delivers is put into the lists by key
//! (`RelationUtil.recursiveFetchLongSparseArray`, and the generated
//! `__fetchRelationship…`).

use std::collections::HashMap;
use std::rc::Rc;

use rusqlite::Connection;

use super::cursor::{Arguments, Cursor};
use super::names::places;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::sql::{ListColumn, ListRead, Type, list};
use crate::engines::sqlite::statement::Statement;
use crate::workload::eval::json::json_value;

/// `RoomDatabase.MAX_BIND_PARAMETER_CNT`.
pub const MOST_PARAMETERS: usize = 999;
/// Statements that the platform keeps prepared (`SQLiteDatabase`, 25).
const MOST_PREPARED: usize = 25;

/// A relation, with its query for each number of keys that was asked for.
pub struct Relation {
    /// How the main query names the list.
    pub read: ListRead,
    statements: HashMap<usize, Statement>,
}

/// An object of a list: one value per column.
pub type Item = Box<[Value]>;

/// Lists by their owner's identity, which are in order.
#[derive(Debug, Default)]
pub struct Lists {
    keys: Vec<i64>,
    lists: Vec<Vec<Item>>,
}

impl Lists {
    /// The list of an owner.
    pub fn of(&self, key: i64) -> &[Item] {
        match self.keys.binary_search(&key) {
            Ok(at) => &self.lists[at],
            Err(_) => &[],
        }
    }
}

impl Relation {
    /// For a list of the main query.
    pub fn new(read: ListRead) -> Relation {
        Relation {
            read,
            statements: HashMap::new(),
        }
    }

    /// The query for so many keys.
    pub fn sql(read: &ListRead, keys: &str) -> String {
        let relation = &read.relation;
        let mut select: Vec<&str> = relation.select.iter().map(String::as_str).collect();
        if owner(read) == select.len() {
            select.push(&relation.owner);
        }
        select.extend(relation.position.as_deref());
        format!(
            "SELECT {} FROM {} WHERE {} IN ({keys})",
            select.join(", "),
            relation.from,
            relation.owner
        )
    }

    /// Reads the lists of owners, whose identities may come in any order and
    /// more than once.
    pub fn fetch(
        &mut self,
        connection: &Rc<Connection>,
        mut keys: Vec<i64>,
        window_bytes: usize,
    ) -> Result<Lists, EngineError> {
        keys.sort_unstable();
        keys.dedup();
        let mut lists: Vec<Vec<Item>> = keys.iter().map(|_| Vec::new()).collect();
        let columns = &self.read.columns;
        let owner = owner(&self.read);
        let selected = columns.len().max(owner + 1);
        let position = self.read.relation.position.as_ref().map(|_| selected);
        let width = selected + usize::from(position.is_some());
        for (chunk, lists) in keys
            .chunks(MOST_PARAMETERS)
            .zip(lists.chunks_mut(MOST_PARAMETERS))
        {
            if !self.statements.contains_key(&chunk.len()) {
                if self.statements.len() >= MOST_PREPARED {
                    self.statements.clear();
                }
                let sql = Relation::sql(&self.read, &places(chunk.len()));
                let statement = Statement::new(connection, &sql)?;
                self.statements.insert(chunk.len(), statement);
            }
            let Some(statement) = self.statements.get_mut(&chunk.len()) else {
                continue;
            };
            let mut cursor = Cursor::new(statement, Arguments::Keys(chunk), width, window_bytes);
            while cursor.advance()? {
                let Ok(at) = chunk.binary_search(&cursor.int(owner)) else {
                    continue;
                };
                let mut item = Vec::with_capacity(columns.len() + 1);
                for (at, column) in columns.iter().enumerate() {
                    item.push(value(&cursor, at, *column)?);
                }
                if let Some(position) = position {
                    item.push(Value::Int(cursor.int(position)));
                }
                lists[at].push(item.into());
            }
        }
        if position.is_some() {
            // A relation has no order; an app puts the elements into theirs.
            for list in &mut lists {
                list.sort_by_key(|item| match item.last() {
                    Some(Value::Int(position)) => *position,
                    _ => 0,
                });
            }
        }
        Ok(Lists { keys, lists })
    }
}

/// Where the owner's identity is: a column of the entity, or one behind them.
fn owner(read: &ListRead) -> usize {
    let select = &read.relation.select;
    let at = select.iter().position(|sql| *sql == read.relation.owner);
    at.unwrap_or(select.len())
}

fn value(cursor: &Cursor<'_>, at: usize, column: ListColumn) -> Result<Value, EngineError> {
    Ok(match (column.ty, column.nested) {
        (ty, true) => match cursor.value(at, Type::Text)? {
            Value::Text(json) => Value::List(list::elements(&json, ty)),
            other => other,
        },
        (Type::JsonPart, false) => part(cursor.value(at, Type::JsonPart)?),
        (ty, false) => cursor.value(at, ty)?,
    })
}

/// A part of a JSON field, read as JSON text, as the value that it spells.
pub fn part(value: Value) -> Value {
    match value {
        Value::Json(text) => json_value(&text, &[]),
        other => other,
    }
}
