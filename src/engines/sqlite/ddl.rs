//! The schema as a careful SQLite user writes it.
//!
//! Tables are STRICT: a value of another type is refused, and an integer that
//! overflowed into a real never gets stored. An int key is the INTEGER PRIMARY
//! KEY itself; any other key is UNIQUE beside a surrogate, so that foreign keys
//! stay 8 bytes. Every foreign key has an index, as the documentation advises
//! (<https://sqlite.org/foreignkeys.html#fk_indexes>): a delete looks the
//! children up by it, and so does a relation query. Link and list tables are
//! WITHOUT ROWID, clustered by their owner.

use super::layout::{Layout, Storage};
use super::sql::names::quoted;
use crate::plan::schema::{FieldKind, Model, ModelId, Ownership, Scalar, Schema};

/// All statements, tables first; run in one transaction.
pub fn statements(schema: &Schema, layout: &Layout) -> Vec<String> {
    let mut tables = Vec::new();
    let mut indexes = Vec::new();
    for (id, model) in schema.models.iter().enumerate() {
        let foreign = table(schema, layout, id, &mut tables);
        for column in foreign {
            indexes.push(foreign_index(layout, id, model, &column));
        }
        for index in &model.indexes {
            indexes.extend(author_index(layout, id, index));
        }
        beside(layout, id, &mut tables, &mut indexes);
    }
    tables.extend(indexes.into_iter().filter(|sql| !sql.is_empty()));
    tables
}

/// The model's own table; returns its foreign key columns, and whether each is unique.
fn table(
    schema: &Schema,
    layout: &Layout,
    id: ModelId,
    out: &mut Vec<String>,
) -> Vec<(String, bool)> {
    let (model, table) = (&schema.models[id], &layout.tables[id]);
    let mut columns = Vec::new();
    let mut foreign = Vec::new();
    if table.surrogate {
        columns.push(format!("{} INTEGER PRIMARY KEY", table.id));
    }
    for (at, (field, storage)) in model.fields.iter().zip(&table.fields).enumerate() {
        let null = if field.optional { "" } else { " NOT NULL" };
        match storage {
            Storage::Column { column, .. } if layout.is_id(schema, id, at) => {
                columns.push(format!("{column} INTEGER PRIMARY KEY"));
            }
            Storage::Column { column, scalar } => {
                let unique = if model.key == Some(at) { " UNIQUE" } else { "" };
                columns.push(format!("{column} {}{null}{unique}", sql_type(scalar)));
            }
            Storage::List {
                marker: Some(marker),
                ..
            } => {
                columns.push(format!("{marker} INTEGER"));
            }
            Storage::Reference { column, target } => {
                let action = action(schema, id, at);
                // A child of several owners has only one of them.
                let null = if owners_of(schema, id) > 1 { "" } else { null };
                columns.push(references(layout, column, *target, null, action));
                foreign.push((column.clone(), owns_one(schema, id, at)));
            }
            _ => {}
        }
    }
    for owner in &table.owners {
        let action = if owner.cascade { "CASCADE" } else { "SET NULL" };
        columns.push(references(layout, &owner.column, owner.model, "", action));
        foreign.push((owner.column.clone(), false));
    }
    out.push(format!(
        "CREATE TABLE {} (\n  {}\n) STRICT",
        table.name,
        columns.join(",\n  ")
    ));
    foreign
}

fn references(layout: &Layout, column: &str, to: ModelId, null: &str, action: &str) -> String {
    let to = &layout.tables[to];
    let action = match action {
        "" => String::new(),
        action => format!(" ON DELETE {action}"),
    };
    format!(
        "{column} INTEGER{null} REFERENCES {}({}){action}",
        to.name, to.id
    )
}

/// What deleting the target of a to-one link does to the record.
pub fn action(schema: &Schema, id: ModelId, at: usize) -> &'static str {
    let field = &schema.models[id].fields[at];
    let FieldKind::ToOne {
        target, inverse_of, ..
    } = &field.kind
    else {
        return "";
    };
    let owner = inverse_of.and_then(|f| schema.models.get(*target)?.fields.get(f));
    match owner.map(|o| &o.kind) {
        Some(FieldKind::ToMany { cascade: true, .. }) => "CASCADE",
        _ if field.optional => "SET NULL",
        _ => "",
    }
}

/// Fields of all models that own children of this one.
pub fn owners_of(schema: &Schema, id: ModelId) -> usize {
    let owns = |kind: &FieldKind| matches!(kind, FieldKind::ToMany { target, ownership: Ownership::Owned { .. }, .. } if *target == id);
    let fields = schema.models.iter().flat_map(|m| &m.fields);
    fields.filter(|f| owns(&f.kind)).count()
}

/// Whether a to-one field owns its target, which then has no other owner.
pub fn owns_one(schema: &Schema, id: ModelId, at: usize) -> bool {
    matches!(
        schema.models[id].fields[at].kind,
        FieldKind::ToOne {
            ownership: Ownership::Owned { .. },
            inverse_of: None,
            ..
        }
    )
}

/// List and link tables of a model.
fn beside(layout: &Layout, id: ModelId, tables: &mut Vec<String>, indexes: &mut Vec<String>) {
    let owner = &layout.tables[id];
    for storage in &owner.fields {
        match storage {
            Storage::List { table, scalar, .. } => {
                let owner = references(layout, "\"owner\"", id, " NOT NULL", "CASCADE");
                tables.push(format!(
                    "CREATE TABLE {table} (\n  {owner},\n  \"position\" INTEGER NOT NULL,\n  \"value\" {} NOT NULL,\n  PRIMARY KEY (\"owner\", \"position\")\n) STRICT, WITHOUT ROWID",
                    sql_type(scalar)
                ));
            }
            Storage::Links { table, target } => {
                let from = references(layout, "\"owner\"", id, " NOT NULL", "CASCADE");
                let to = references(layout, "\"target\"", *target, " NOT NULL", "CASCADE");
                tables.push(format!(
                    "CREATE TABLE {table} (\n  {from},\n  {to},\n  PRIMARY KEY (\"owner\", \"target\")\n) STRICT, WITHOUT ROWID"
                ));
                let name = quoted(&format!("{}_target", bare(&table.name)));
                indexes.push(format!("CREATE INDEX {name} ON {table}(\"target\")"));
            }
            _ => {}
        }
    }
}

fn bare(quoted: &str) -> &str {
    quoted.trim_matches('"')
}

/// The index on a foreign key, unless one of the author's begins with it.
fn foreign_index(layout: &Layout, id: ModelId, model: &Model, column: &(String, bool)) -> String {
    let table = &layout.tables[id];
    let (column, unique) = column;
    let covered = model.indexes.iter().any(|index| {
        let first = index.columns.first().map(|c| &table.fields[c.field]);
        matches!(first, Some(Storage::Reference { column: first, .. }) if first == column)
    });
    if covered {
        return String::new();
    }
    let name = quoted(&format!("{}_{}_fk", model.name, bare(column)));
    let unique = if *unique { "UNIQUE " } else { "" };
    format!("CREATE {unique}INDEX {name} ON {}({column})", table.name)
}

/// An index that the author asked for; none over what has no column.
fn author_index(layout: &Layout, id: ModelId, index: &crate::plan::Index) -> Option<String> {
    let table = &layout.tables[id];
    let mut columns = Vec::with_capacity(index.columns.len());
    for column in &index.columns {
        let name = match table.fields.get(column.field)? {
            Storage::Column { column, .. } | Storage::Reference { column, .. } => column,
            _ => return None,
        };
        let order = if column.descending { " DESC" } else { "" };
        columns.push(format!("{name}{order}"));
    }
    let unique = if index.unique { "UNIQUE " } else { "" };
    Some(format!(
        "CREATE {unique}INDEX {} ON {}({})",
        quoted(&index.name),
        table.name,
        columns.join(", ")
    ))
}

/// SQLite's type for a scalar.
pub fn sql_type(scalar: &Scalar) -> &'static str {
    match scalar {
        Scalar::Bool | Scalar::Int | Scalar::Timestamp => "INTEGER",
        Scalar::Float => "REAL",
        Scalar::Text | Scalar::Json | Scalar::Enum(_) => "TEXT",
        Scalar::Uuid | Scalar::Blob => "BLOB",
    }
}
