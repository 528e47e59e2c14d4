//! `EntityInsertionAdapter`s: one prepared insert per entity, made at its first
//! use and kept, executed once per object.

use std::rc::Rc;

use rusqlite::Connection;

use super::names::{bare, places, ticked};
use super::object::Object;
use crate::engines::EngineError;
use crate::engines::sqlite::decode::bind;
use crate::engines::sqlite::inserting::column_names;
use crate::engines::sqlite::layout::{Layout, Storage};
use crate::engines::sqlite::slots::{Slot, owned_one};
use crate::engines::sqlite::statement::Statement;
use crate::plan::schema::{FieldId, ModelId, Schema};

/// The adapter of an entity. Those of models come first, by the model's id;
/// those of lists and junctions after.
pub struct Adapter {
    /// Its table.
    pub table: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// What each column of a model's entity holds.
    pub slots: Vec<Slot>,
    /// Owned to-one targets, inserted before: field and adapter.
    pub before: Vec<(FieldId, usize)>,
    /// What points to it, inserted after.
    pub after: Vec<(FieldId, After)>,
    /// The key field, where it is the identity.
    pub key: Option<FieldId>,
    insert: Option<Statement>,
}

/// Entities inserted after the one that they point to.
#[derive(Clone, Copy, Debug)]
pub enum After {
    /// Elements of a list, by their adapter.
    Elements(usize),
    /// Entries of a junction.
    Links {
        /// Their adapter.
        adapter: usize,
        /// Whether the target's identity is its int key.
        by_key: bool,
    },
    /// Children.
    Children(usize),
}

impl After {
    /// The adapter that inserts it.
    pub fn adapter(self) -> usize {
        match self {
            After::Elements(adapter) | After::Links { adapter, .. } | After::Children(adapter) => {
                adapter
            }
        }
    }
}

impl Adapter {
    fn new(table: &str, columns: &[&str]) -> Adapter {
        Adapter {
            table: bare(table),
            columns: columns.iter().map(|column| bare(column)).collect(),
            slots: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            key: None,
            insert: None,
        }
    }

    /// `INSERT OR ABORT INTO …`, what `@Insert` writes.
    pub fn insert_sql(&self) -> String {
        let columns: Vec<String> = self.columns.iter().map(|c| ticked(c)).collect();
        format!(
            "INSERT OR ABORT INTO {} ({}) VALUES ({})",
            ticked(&self.table),
            columns.join(","),
            places(columns.len())
        )
    }

    /// `UPDATE OR ABORT … WHERE id = ?`, what `@Update` writes.
    pub fn update_sql(&self, id: &str) -> String {
        let sets: Vec<String> = self
            .columns
            .iter()
            .map(|c| format!("{} = ?", ticked(c)))
            .collect();
        format!(
            "UPDATE OR ABORT {} SET {} WHERE {} = ?",
            ticked(&self.table),
            sets.join(","),
            ticked(id)
        )
    }
}

/// Adapters of all entities of a schema.
pub fn adapters(schema: &Schema, layout: &Layout) -> Vec<Adapter> {
    let mut models = Vec::with_capacity(schema.models.len());
    let mut beside = Vec::new();
    for id in 0..schema.models.len() {
        models.push(model(schema, layout, id, &mut beside));
    }
    models.append(&mut beside);
    models
}

fn model(schema: &Schema, layout: &Layout, id: ModelId, beside: &mut Vec<Adapter>) -> Adapter {
    let table = &layout.tables[id];
    let mut adapter = Adapter::new(&table.name, &column_names(table));
    adapter.key = schema.models[id].key.filter(|_| !table.surrogate);
    let mut add = |entity: Adapter| {
        beside.push(entity);
        schema.models.len() + beside.len() - 1
    };
    if table.surrogate {
        adapter.slots.push(Slot::Id);
    }
    for (field, storage) in table.fields.iter().enumerate() {
        let by_key = |target: ModelId| !layout.tables[target].surrogate;
        match storage {
            Storage::Column { .. } => adapter.slots.push(Slot::Scalar(field)),
            Storage::Reference { target, .. } => {
                if owned_one(schema, id, field) {
                    adapter.before.push((field, *target));
                }
                let by_key = by_key(*target);
                adapter.slots.push(Slot::Link { field, by_key });
            }
            Storage::List { table, marker, .. } => {
                if marker.is_some() {
                    adapter.slots.push(Slot::Marker(field));
                }
                let entity = add(Adapter::new(table, &["owner", "position", "value"]));
                adapter.after.push((field, After::Elements(entity)));
            }
            Storage::Links { table, target } => {
                let links = After::Links {
                    adapter: add(Adapter::new(&table.name, &["owner", "target"])),
                    by_key: by_key(*target),
                };
                adapter.after.push((field, links));
            }
            Storage::Children { target, .. } => {
                adapter.after.push((field, After::Children(*target)));
            }
            Storage::Mirror { .. } | Storage::MirrorLinks { .. } => {}
        }
    }
    for owner in &table.owners {
        adapter.slots.push(Slot::Owner {
            model: owner.model,
            field: owner.field,
        });
    }
    adapter
}

/// What a DAO's transaction does with a list of objects: entity by entity, the
/// objects that are pointed to first.
pub fn insert(
    adapters: &mut [Adapter],
    connection: &Rc<Connection>,
    adapter: usize,
    objects: &[&Object],
) -> Result<(), EngineError> {
    for at in 0..adapters[adapter].before.len() {
        let (_, target) = adapters[adapter].before[at];
        let targets: Vec<&Object> = objects.iter().flat_map(|o| &o.before[at]).collect();
        if !targets.is_empty() {
            insert(adapters, connection, target, &targets)?;
        }
    }
    insert_own(&mut adapters[adapter], connection, objects)?;
    for at in 0..adapters[adapter].after.len() {
        let target = adapters[adapter].after[at].1.adapter();
        let others: Vec<&Object> = objects.iter().flat_map(|o| &o.after[at]).collect();
        if !others.is_empty() {
            insert(adapters, connection, target, &others)?;
        }
    }
    Ok(())
}

fn insert_own(
    adapter: &mut Adapter,
    connection: &Rc<Connection>,
    objects: &[&Object],
) -> Result<(), EngineError> {
    if adapter.insert.is_none() {
        adapter.insert = Some(Statement::new(connection, &adapter.insert_sql())?);
    }
    let Some(statement) = &mut adapter.insert else {
        return Ok(());
    };
    for object in objects {
        let mut row = statement.execution();
        for value in &object.values {
            bind(&mut row, value)?;
        }
        row.run()?;
    }
    Ok(())
}
