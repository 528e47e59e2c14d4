//! The tables of a store, as Core Data creates them.

use super::entity::{Entities, Entity, SlotKind};
use super::naming::spelled;
use crate::plan::schema::{Index, Model, Schema};

/// All statements, tables first; run in one transaction.
pub fn statements(schema: &Schema, entities: &Entities) -> Vec<String> {
    let mut tables = vec![
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)".to_owned(),
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)".to_owned(),
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)".to_owned(),
    ];
    let mut indexes = Vec::new();
    for (entity, model) in entities.all.iter().zip(&schema.models) {
        tables.push(table(entity));
        for slot in &entity.slots {
            match (&slot.kind, &slot.column) {
                (SlotKind::ToOne { .. }, Some(column)) => {
                    let name = format!("{}_{}_INDEX", bare(&entity.table), bare(column));
                    indexes.push(format!(
                        "CREATE INDEX {} ON {} ({column})",
                        spelled(&name),
                        entity.table
                    ));
                }
                (SlotKind::Join { table, .. }, _) => {
                    let (own, to) = (&table.owner, &table.target);
                    tables.push(format!(
                        "CREATE TABLE {table} ({own} INTEGER, {to} INTEGER, PRIMARY KEY ({own}, {to}))"
                    ));
                    let name = format!("{}_{}_INDEX", bare(&table.name), bare(to));
                    indexes.push(format!(
                        "CREATE INDEX {} ON {table} ({to}, {own})",
                        spelled(&name)
                    ));
                }
                _ => {}
            }
        }
        indexes.extend(unique_key(entity, model));
        let asked = model.indexes.iter();
        indexes.extend(asked.filter_map(|index| fetch_index(entity, model, index)));
    }
    tables.extend(indexes);
    tables
}

/// Rows that a new store begins with.
pub fn rows(entities: &Entities) -> Vec<(i64, &str)> {
    let mut rows: Vec<_> = entities
        .all
        .iter()
        .map(|entity| (entity.number, entity.name.as_str()))
        .collect();
    rows.sort_unstable();
    rows
}

fn table(entity: &Entity) -> String {
    let columns: String = entity
        .columns
        .iter()
        .map(|slot| {
            let slot = &entity.slots[*slot];
            let column = slot.column.as_deref().unwrap_or_default();
            format!(", {column} {}", slot.sql_type().1)
        })
        .collect();
    format!(
        "CREATE TABLE {} (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER{columns})",
        entity.table
    )
}

/// A uniqueness constraint is a unique index.
fn unique_key(entity: &Entity, model: &Model) -> Option<String> {
    let key = model.key?;
    let column = entity.slots.get(key)?.column.as_ref()?;
    let name = format!("Z_{}_UNIQUE_{}", entity.name, model.fields[key].name);
    Some(format!(
        "CREATE UNIQUE INDEX {} ON {} ({column} COLLATE BINARY ASC)",
        spelled(&name),
        entity.table
    ))
}

/// A fetch index, or a uniqueness constraint, that the author asked for; none
/// over what has no column.
fn fetch_index(entity: &Entity, model: &Model, index: &Index) -> Option<String> {
    let mut columns = Vec::with_capacity(index.columns.len());
    let mut names = Vec::with_capacity(index.columns.len());
    for part in &index.columns {
        let column = entity.slots.get(part.field)?.column.as_ref()?;
        let order = if part.descending { "DESC" } else { "ASC" };
        columns.push(format!("{column} COLLATE BINARY {order}"));
        names.push(model.fields[part.field].name.as_str());
    }
    let (unique, name) = if index.unique {
        let names = names.join("_");
        ("UNIQUE ", format!("Z_{}_UNIQUE_{names}", entity.name))
    } else {
        ("", format!("Z_{}_{}", entity.name, index.name))
    };
    Some(format!(
        "CREATE {unique}INDEX {} ON {} ({})",
        spelled(&name),
        entity.table,
        columns.join(", ")
    ))
}

fn bare(name: &str) -> &str {
    name.trim_matches('"')
}
