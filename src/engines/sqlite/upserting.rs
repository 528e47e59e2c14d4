//! Upserts: `INSERT … ON CONFLICT DO UPDATE`, then the record's lists and links
//! written anew.

use super::decode::bind;
use super::error::unsupported;
use super::inserting::{Source, insert_sql};
use super::layout::{Storage, Table};
use super::slots::{Slot, bind_slot, elements, id_key, identity, links};
use super::statement::Statement;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::{Content, Record};

/// Statements that store records of one model by key.
pub struct Upsert {
    own: Statement,
    key: Statement,
    slots: Vec<Slot>,
    many: Vec<Many>,
    key_field: FieldId,
    id_key: Option<FieldId>,
}

struct Many {
    field: FieldId,
    clear: Statement,
    insert: Statement,
    /// For links: whether the target's identity is its int key.
    by_key: bool,
}

/// The statement. Where the key is not the identity a record that is there
/// meets it in both, so both are named.
pub fn upsert_sql(table: &Table, key: FieldId) -> Option<String> {
    let Storage::Column { column: key, .. } = table.fields.get(key)? else {
        return None;
    };
    let names = super::inserting::column_names(table);
    let sets: Vec<String> = names
        .iter()
        .filter(|name| **name != key && **name != table.id)
        .map(|name| format!("{name} = excluded.{name}"))
        .collect();
    let action = if sets.is_empty() {
        "NOTHING".into()
    } else {
        format!("UPDATE SET {}", sets.join(", "))
    };
    let mut sql = format!("{} ON CONFLICT ({key}) DO {action}", insert_sql(table));
    if table.surrogate {
        sql.push_str(&format!(" ON CONFLICT ({}) DO {action}", table.id));
    }
    Some(sql)
}

impl Upsert {
    /// Prepares the statements for a model.
    pub fn new(source: Source<'_>, model: ModelId) -> Result<Self, EngineError> {
        let table = &source.layout.tables[model];
        let statement = |sql: &str| Statement::new(source.connection, sql);
        let by_key = |target: ModelId| !source.layout.tables[target].surrogate;
        let key_field = source.schema.models[model]
            .key
            .ok_or_else(|| unsupported("an upsert needs a key"))?;
        let sql = upsert_sql(table, key_field)
            .ok_or_else(|| unsupported("an upsert needs a scalar key"))?;
        let Storage::Column { column: key, .. } = &table.fields[key_field] else {
            return Err(unsupported("an upsert needs a scalar key"));
        };
        let mut slots = Vec::new();
        let mut many = Vec::new();
        if table.surrogate {
            slots.push(Slot::Id);
        }
        for (field, storage) in table.fields.iter().enumerate() {
            let (clear, insert, by_key) = match storage {
                Storage::Column { .. } => {
                    slots.push(Slot::Scalar(field));
                    continue;
                }
                Storage::Reference { target, .. } => {
                    slots.push(Slot::Link {
                        field,
                        by_key: by_key(*target),
                    });
                    continue;
                }
                Storage::List { table, marker, .. } => {
                    if marker.is_some() {
                        slots.push(Slot::Marker(field));
                    }
                    let insert = format!(
                        "INSERT INTO {table} (\"owner\", \"position\", \"value\") VALUES (?1, ?2, ?3)"
                    );
                    (
                        format!("DELETE FROM {table} WHERE \"owner\" = ?1"),
                        insert,
                        false,
                    )
                }
                Storage::Links { table, target } => {
                    let insert =
                        format!("INSERT INTO {table} (\"owner\", \"target\") VALUES (?1, ?2)");
                    (
                        format!("DELETE FROM {table} WHERE \"owner\" = ?1"),
                        insert,
                        by_key(*target),
                    )
                }
                _ => continue,
            };
            many.push(Many {
                field,
                clear: statement(&clear)?,
                insert: statement(&insert)?,
                by_key,
            });
        }
        for owner in &table.owners {
            slots.push(Slot::Owner {
                model: owner.model,
                field: owner.field,
            });
        }
        Ok(Upsert {
            own: statement(&sql)?,
            key: statement(&format!(
                "SELECT {} FROM {} WHERE {key} = ?1",
                table.id, table.name
            ))?,
            slots,
            many,
            key_field,
            id_key: id_key(source, model),
        })
    }

    /// Whether storing a record is one statement.
    pub fn is_single(&self) -> bool {
        self.many.is_empty()
    }

    /// Stores records.
    pub fn store(&mut self, records: &[Record]) -> Result<(), EngineError> {
        for record in records {
            let id = identity(record.row, self.id_key.map(|key| &record.fields[key]))?;
            let mut row = self.own.execution();
            for slot in &self.slots {
                bind_slot(&mut row, slot, record, id, None, &[])?;
            }
            row.run()?;
            if self.many.is_empty() {
                continue;
            }
            // A record that was there may have come under another row number.
            let id = match &record.fields[self.key_field] {
                Content::Value(key) if self.id_key.is_none() => {
                    let mut row = self.key.execution();
                    bind(&mut row, key)?;
                    row.step()?;
                    row.get_int(0)
                }
                _ => id,
            };
            for many in &mut self.many {
                let mut row = many.clear.execution();
                row.int(id)?;
                row.run()?;
                match &record.fields[many.field] {
                    Content::Value(Value::List(items)) => elements(&mut many.insert, id, items)?,
                    Content::Links(targets) => links(&mut many.insert, id, targets, many.by_key)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }
}
