//! Inserts: one prepared statement per table, made at its first use and kept.

use std::rc::Rc;

use rusqlite::Connection;

use super::layout::{Layout, Storage, Table};
use super::slots::{OwnedBy, Slot, bind_slot, elements, id_key, identity, links, owned_one};
use super::statement::Statement;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::workload::{Content, Record};

/// Statements that store records of each model.
pub struct Inserts {
    models: Vec<Option<Box<Insert>>>,
}

/// Statements for one model.
struct Insert {
    own: Statement,
    slots: Vec<Slot>,
    /// Owned to-one targets, stored before the record: field and model.
    before: Vec<(FieldId, ModelId)>,
    /// Lists, links and children, stored after it.
    after: Vec<(FieldId, After)>,
    /// The key field, where it is the identity.
    key: Option<FieldId>,
}

enum After {
    Elements(Statement),
    Links { statement: Statement, by_key: bool },
    Children(ModelId),
}

/// Where the statements come from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The open store.
    pub connection: &'a Rc<Connection>,
    /// Its models.
    pub schema: &'a Schema,
    /// Their tables.
    pub layout: &'a Layout,
}

impl Inserts {
    /// For so many models.
    pub fn new(models: usize) -> Self {
        Inserts {
            models: (0..models).map(|_| None).collect(),
        }
    }

    /// Whether storing a record of the model is one statement.
    pub fn is_single(source: Source<'_>, model: ModelId) -> bool {
        let fields = &source.layout.tables[model].fields;
        let owns_one = |(at, storage): (usize, &Storage)| {
            matches!(storage, Storage::Reference { .. }) && owned_one(source.schema, model, at)
        };
        !fields.iter().any(|s| {
            matches!(
                s,
                Storage::List { .. } | Storage::Children { .. } | Storage::Links { .. }
            )
        }) && !fields.iter().enumerate().any(owns_one)
    }

    /// Stores records with all that they own.
    pub fn store(
        &mut self,
        source: Source<'_>,
        model: ModelId,
        records: &[Record],
    ) -> Result<(), EngineError> {
        self.children(source, model, records, None, |_| {})
    }

    /// Stores records, of an owner or of none; `stored` gets their identities.
    fn children(
        &mut self,
        source: Source<'_>,
        model: ModelId,
        records: &[Record],
        owner: Option<OwnedBy>,
        mut stored: impl FnMut(i64),
    ) -> Result<(), EngineError> {
        // Taken out, since what the records own is stored in between.
        let mut insert = match self.models[model].take() {
            Some(insert) => insert,
            None => Box::new(Insert::new(source, model)?),
        };
        let mut result = Ok(());
        for record in records {
            match self.with(source, model, &mut insert, record, owner) {
                Ok(id) => stored(id),
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        self.models[model] = Some(insert);
        result
    }

    fn with(
        &mut self,
        source: Source<'_>,
        model: ModelId,
        insert: &mut Insert,
        record: &Record,
        owner: Option<OwnedBy>,
    ) -> Result<i64, EngineError> {
        let id = identity(record.row, insert.key.map(|key| &record.fields[key]))?;
        let mut owned = Vec::new();
        for &(field, target) in &insert.before {
            if let Content::Children(children) = &record.fields[field] {
                let owner = Some(OwnedBy { model, field, id });
                self.children(source, target, children, owner, |id| {
                    owned.push((field, id))
                })?;
            }
        }
        let mut row = insert.own.execution();
        for slot in &insert.slots {
            bind_slot(&mut row, slot, record, id, owner, &owned)?;
        }
        row.run()?;
        for (field, after) in &mut insert.after {
            match (after, &record.fields[*field]) {
                (After::Elements(statement), Content::Value(Value::List(items))) => {
                    elements(statement, id, items)?;
                }
                (After::Links { statement, by_key }, Content::Links(targets)) => {
                    links(statement, id, targets, *by_key)?;
                }
                (After::Children(target), Content::Children(children)) => {
                    let owner = Some(OwnedBy {
                        model,
                        field: *field,
                        id,
                    });
                    self.children(source, *target, children, owner, |_| {})?;
                }
                _ => {}
            }
        }
        Ok(id)
    }
}

/// Names of a table's own columns in the order of its INSERT.
pub fn column_names(table: &Table) -> Vec<&str> {
    let mut names = Vec::new();
    if table.surrogate {
        names.push(table.id.as_str());
    }
    for storage in &table.fields {
        match storage {
            Storage::Column { column, .. } | Storage::Reference { column, .. } => {
                names.push(column);
            }
            Storage::List {
                marker: Some(marker),
                ..
            } => names.push(marker),
            _ => {}
        }
    }
    names.extend(table.owners.iter().map(|o| o.column.as_str()));
    names
}

/// `INSERT INTO … VALUES (?1, …)`
pub fn insert_sql(table: &Table) -> String {
    let names = column_names(table);
    let places: Vec<String> = (1..=names.len()).map(|n| format!("?{n}")).collect();
    format!(
        "INSERT INTO {} ({}) VALUES ({})",
        table.name,
        names.join(", "),
        places.join(", ")
    )
}

impl Insert {
    fn new(source: Source<'_>, model: ModelId) -> Result<Self, EngineError> {
        let table = &source.layout.tables[model];
        let by_key = |target: ModelId| !source.layout.tables[target].surrogate;
        let statement = |sql: &str| Statement::new(source.connection, sql);
        let mut slots = Vec::new();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        if table.surrogate {
            slots.push(Slot::Id);
        }
        for (field, storage) in table.fields.iter().enumerate() {
            match storage {
                Storage::Column { .. } => slots.push(Slot::Scalar(field)),
                Storage::Reference { target, .. } => {
                    if owned_one(source.schema, model, field) {
                        before.push((field, *target));
                    }
                    slots.push(Slot::Link {
                        field,
                        by_key: by_key(*target),
                    });
                }
                Storage::List { table, marker, .. } => {
                    if marker.is_some() {
                        slots.push(Slot::Marker(field));
                    }
                    let sql = format!(
                        "INSERT INTO {table} (\"owner\", \"position\", \"value\") VALUES (?1, ?2, ?3)"
                    );
                    after.push((field, After::Elements(statement(&sql)?)));
                }
                Storage::Links { table, target } => {
                    let sql =
                        format!("INSERT INTO {table} (\"owner\", \"target\") VALUES (?1, ?2)");
                    let links = After::Links {
                        statement: statement(&sql)?,
                        by_key: by_key(*target),
                    };
                    after.push((field, links));
                }
                Storage::Children { target, .. } => after.push((field, After::Children(*target))),
                Storage::Mirror { .. } | Storage::MirrorLinks { .. } => {}
            }
        }
        for owner in &table.owners {
            slots.push(Slot::Owner {
                model: owner.model,
                field: owner.field,
            });
        }
        Ok(Insert {
            own: statement(&insert_sql(table))?,
            slots,
            before,
            after,
            key: id_key(source, model),
        })
    }
}
