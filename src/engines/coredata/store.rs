//! The SQLite side: one connection, and statements that are prepared once.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rusqlite::Connection;

use super::entity::{Entity, SlotId, SlotKind};
use super::object::Row;
use super::transformable;
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::sqlite::decode::{bind, value};
use crate::engines::sqlite::sql::Type;
use crate::engines::sqlite::statement::{Execution, Statement};
use crate::plan::schema::ModelId;

/// What a kept statement does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Reads the row of a fault.
    ById(ModelId),
    /// Finds a record by a key or other attribute.
    ByValue(ModelId, SlotId),
    /// Reads many rows by a column (`None` for `Z_PK`): so many parameters.
    Among(ModelId, Option<SlotId>, usize),
    /// Reads the destinations of a to-many relationship.
    Many(ModelId, SlotId),
    /// Reads the destinations of a many-to-many relationship for many records;
    /// the flag is for the other direction.
    Pairs(ModelId, SlotId, bool, usize),
    /// Inserts a row.
    Insert(ModelId),
    /// Updates these columns of a row.
    Update(ModelId, Vec<SlotId>),
    /// Deletes a row.
    Delete(ModelId),
    /// Adds to a join table.
    Join(ModelId, SlotId),
    /// Takes from a join table.
    Unjoin(ModelId, SlotId),
    /// Anything without parameters, and what layers above execute.
    Text(&'static str),
}

/// An open SQLite store.
pub struct Store {
    /// The connection.
    pub connection: Rc<Connection>,
    statements: RefCell<HashMap<Key, Rc<RefCell<Statement>>>>,
    /// Whether a SQL transaction is open.
    pub in_transaction: Cell<bool>,
}

impl Store {
    /// Over an open connection.
    pub fn new(connection: Connection) -> Store {
        Store {
            connection: Rc::new(connection),
            statements: RefCell::default(),
            in_transaction: Cell::new(false),
        }
    }

    /// The statement for `key`, prepared at its first use.
    pub fn statement(
        &self,
        key: Key,
        sql: impl FnOnce() -> String,
    ) -> Result<Rc<RefCell<Statement>>, EngineError> {
        if let Some(statement) = self.statements.borrow().get(&key) {
            return Ok(Rc::clone(statement));
        }
        let statement = Rc::new(RefCell::new(Statement::new(&self.connection, &sql())?));
        self.statements
            .borrow_mut()
            .insert(key, Rc::clone(&statement));
        Ok(statement)
    }

    /// Executes a statement without parameters.
    pub fn run(&self, sql: &'static str) -> Result<(), EngineError> {
        self.statement(Key::Text(sql), || sql.to_owned())?
            .borrow_mut()
            .run()
    }

    /// Begins a transaction, as Core Data does.
    pub fn begin(&self) -> Result<(), EngineError> {
        self.run("BEGIN EXCLUSIVE")?;
        self.in_transaction.set(true);
        Ok(())
    }

    /// Commits it.
    pub fn commit(&self) -> Result<(), EngineError> {
        self.run("COMMIT")?;
        self.in_transaction.set(false);
        Ok(())
    }

    /// Undoes it, if there is one.
    pub fn rollback(&self) -> Result<(), EngineError> {
        if !self.in_transaction.replace(false) || self.connection.is_autocommit() {
            return Ok(());
        }
        self.run("ROLLBACK")
    }

    /// Closes the connection; all statements go first.
    pub fn close(self) -> Result<(), EngineError> {
        drop(self.statements);
        match Rc::try_unwrap(self.connection) {
            Ok(connection) => connection.close().map_err(|(_, error)| error.into()),
            Err(_) => Err(crate::engines::sqlite::error::misuse(
                "a statement outlived its session",
            )),
        }
    }
}

/// `0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, …`: every fetch of objects reads whole rows.
pub fn whole_row(entity: &Entity) -> String {
    let mut sql = "0, t0.Z_PK, t0.Z_OPT".to_owned();
    for slot in &entity.columns {
        if let Some(column) = &entity.slots[*slot].column {
            sql.push_str(", t0.");
            sql.push_str(column);
        }
    }
    sql
}

/// The row that [`whole_row`] selected, and its `Z_PK`.
pub fn read_row(entity: &Entity, row: &Execution<'_, '_>) -> Result<(i64, Row), EngineError> {
    let mut values = vec![Value::Null; entity.slots.len()];
    for (at, slot) in entity.columns.iter().enumerate() {
        let declared = &entity.slots[*slot];
        values[*slot] = match (&declared.kind, declared.ty()) {
            (SlotKind::Transformable, _) => match value(row, at + 3, Type::Blob)? {
                ValueRef::Blob(blob) => Value::List(transformable::decode(blob)?),
                other => other.to_value(),
            },
            (_, Some(ty)) => value(row, at + 3, ty)?.to_value(),
            _ => Value::Null,
        };
    }
    let version = row.get_int(2);
    Ok((
        row.get_int(1),
        Row {
            version,
            values: Rc::new(values),
        },
    ))
}

/// Binds a value of a slot; `archived` holds the blob of a list.
pub fn bind_slot<'v>(
    row: &mut Execution<'_, 'v>,
    value: &'v Value,
    archived: &'v [Vec<u8>],
    at: &mut usize,
) -> Result<(), EngineError> {
    match value {
        Value::List(_) => {
            let blob = archived.get(*at).map_or(&[][..], Vec::as_slice);
            *at += 1;
            row.blob(blob)
        }
        other => bind(row, other),
    }
}

/// The blobs of the lists among these values, in order.
pub fn archive<'v>(values: impl Iterator<Item = &'v Value>) -> Result<Vec<Vec<u8>>, EngineError> {
    values
        .filter_map(|value| match value {
            Value::List(items) => Some(transformable::encode(items)),
            _ => None,
        })
        .collect()
}
