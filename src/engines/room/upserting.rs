//! `@Upsert`: an insert, and where that meets a uniqueness rule an update by
//! primary key (`androidx.room.EntityUpsertionAdapter` of Room 2.5 and later);
//! lists and junctions are deleted and inserted anew.
//!
//! Where the key is not the primary key, an update by primary key would miss
//! the record: the app looks its identity up first.

use std::rc::Rc;

use rusqlite::Connection;

use super::adapter::{Adapter, After};
use super::names::{bare, places, ticked};
use super::object::{self, Object};
use crate::base::Value;
use crate::engines::sqlite::decode::bind;
use crate::engines::sqlite::error::unsupported;
use crate::engines::sqlite::layout::{Layout, Storage};
use crate::engines::sqlite::statement::Statement;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::workload::{Content, Record};

/// The adapter of a model.
pub struct Upsert {
    insert: Statement,
    update: Statement,
    /// The identity behind a key that is not the identity.
    lookup: Option<Statement>,
    key: FieldId,
    /// Column of the identity.
    id: usize,
    /// Deletes and inserts of each list and junction.
    beside: Vec<(FieldId, After, Statement, Statement)>,
}

impl Upsert {
    /// Prepares the statements for a model.
    pub fn new(
        connection: &Rc<Connection>,
        schema: &Schema,
        layout: &Layout,
        adapters: &[Adapter],
        model: ModelId,
    ) -> Result<Upsert, EngineError> {
        let (table, adapter) = (&layout.tables[model], &adapters[model]);
        let key = schema.models[model].key;
        let key = key.ok_or_else(|| unsupported("an upsert needs a key"))?;
        let Some(Storage::Column { column, .. }) = table.fields.get(key) else {
            return Err(unsupported("an upsert needs a scalar key"));
        };
        let id = bare(&table.id);
        let columns: Vec<String> = adapter.columns.iter().map(|c| ticked(c)).collect();
        let lookup = format!(
            "SELECT {} FROM {} WHERE {} = ?",
            ticked(&table.id),
            ticked(&table.name),
            ticked(column)
        );
        let mut beside = Vec::new();
        for &(field, after) in &adapter.after {
            let entity = &adapters[after.adapter()];
            let delete = format!("DELETE FROM {} WHERE `owner` = ?", ticked(&entity.table));
            let delete = Statement::new(connection, &delete)?;
            let insert = Statement::new(connection, &entity.insert_sql())?;
            beside.push((field, after, delete, insert));
        }
        Ok(Upsert {
            insert: Statement::new(
                connection,
                &format!(
                    "INSERT INTO {} ({}) VALUES ({})",
                    ticked(&table.name),
                    columns.join(","),
                    places(columns.len())
                ),
            )?,
            update: Statement::new(
                connection,
                &adapter.update_sql(&id).replacen(" OR ABORT", "", 1),
            )?,
            lookup: match table.surrogate {
                true => Some(Statement::new(connection, &lookup)?),
                false => None,
            },
            key,
            id: adapter
                .columns
                .iter()
                .position(|column| *column == id)
                .unwrap_or_default(),
            beside,
        })
    }

    /// Stores records.
    pub fn store(
        &mut self,
        adapters: &[Adapter],
        model: ModelId,
        records: &[Record],
    ) -> Result<(), EngineError> {
        for record in records {
            let mut object = Object::build(adapters, model, record, None)?;
            if let (Some(lookup), Content::Value(key)) =
                (&mut self.lookup, &record.fields[self.key])
            {
                let mut row = lookup.execution();
                bind(&mut row, key)?;
                if row.step()? {
                    object.values[self.id] = Value::Int(row.get_int(0));
                }
            }
            self.upsert(&object)?;
            let Value::Int(id) = object.values[self.id] else {
                return Err(EngineError::new(ErrorKind::Constraint, "a key is null"));
            };
            for (field, after, delete, insert) in &mut self.beside {
                let content = &record.fields[*field];
                let objects = match after {
                    After::Elements(_) => object::elements(id, content),
                    After::Links { by_key, .. } => object::links(id, content, *by_key)?,
                    After::Children(_) => continue,
                };
                let mut row = delete.execution();
                row.int(id)?;
                row.run()?;
                for object in &objects {
                    execute(insert, &object.values)?;
                }
            }
        }
        Ok(())
    }

    fn upsert(&mut self, object: &Object) -> Result<(), EngineError> {
        let error = match execute(&mut self.insert, &object.values) {
            Err(error) if error.kind == ErrorKind::Constraint => error,
            result => return result,
        };
        let mut row = self.update.execution();
        for value in &object.values {
            bind(&mut row, value)?;
        }
        bind(&mut row, &object.values[self.id])?;
        row.run()?;
        // It was another rule that was broken: Room would lose the record here.
        if self.update.changes() == 0 {
            return Err(error);
        }
        Ok(())
    }
}

fn execute(statement: &mut Statement, values: &[Value]) -> Result<(), EngineError> {
    let mut row = statement.execution();
    for value in values {
        bind(&mut row, value)?;
    }
    row.run()
}
