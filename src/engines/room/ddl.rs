//! The schema as Room's generated `createAllTables` writes it.
//!
//! One entity per model, list and link table. Room knows neither STRICT nor
//! WITHOUT ROWID; keys and foreign keys stand as table constraints, and an
//! INTEGER primary key is the rowid all the same. A foreign key is what
//! `@ForeignKey` declares: ON DELETE CASCADE where the owner's field says
//! `cascade`, SET NULL where the link is optional, NO ACTION otherwise. Room
//! warns of a foreign key without an index, so each has one.

use super::names::{bare, ticked};
use crate::engines::sqlite::ddl::{action, owners_of, owns_one, sql_type};
use crate::engines::sqlite::layout::{Layout, Storage};
use crate::plan::schema::{ModelId, Scalar, Schema};

/// An entity being written.
struct Entity<'l> {
    layout: &'l Layout,
    table: String,
    columns: Vec<String>,
    primary: Vec<String>,
    foreign: Vec<String>,
    /// Columns, and whether unique.
    indexes: Vec<(Vec<String>, bool)>,
}

impl<'l> Entity<'l> {
    fn new(layout: &'l Layout, table: &str) -> Self {
        Entity {
            layout,
            table: bare(table),
            columns: Vec::new(),
            primary: Vec::new(),
            foreign: Vec::new(),
            indexes: Vec::new(),
        }
    }

    fn column(&mut self, name: &str, ty: &str, required: bool) {
        let null = if required { " NOT NULL" } else { "" };
        self.columns.push(format!("{} {ty}{null}", ticked(name)));
    }

    fn reference(&mut self, name: &str, to: ModelId, action: &str, required: bool, unique: bool) {
        self.column(name, "INTEGER", required);
        let to = &self.layout.tables[to];
        let action = if action.is_empty() {
            "NO ACTION"
        } else {
            action
        };
        self.foreign.push(format!(
            "FOREIGN KEY({}) REFERENCES {}({}) ON UPDATE NO ACTION ON DELETE {action} ",
            ticked(name),
            ticked(&to.name),
            ticked(&to.id)
        ));
        self.indexes.push((vec![ticked(name)], unique));
    }

    fn finish(self, tables: &mut Vec<String>, indexes: &mut Vec<String>) {
        let primary = format!("PRIMARY KEY({})", self.primary.join(", "));
        let parts: Vec<String> = self
            .columns
            .into_iter()
            .chain(std::iter::once(primary))
            .chain(self.foreign)
            .collect();
        let table = ticked(&self.table);
        tables.push(format!(
            "CREATE TABLE IF NOT EXISTS {table} ({})",
            parts.join(", ")
        ));
        let mut there: Vec<(String, String)> = Vec::new();
        for (columns, unique) in self.indexes {
            let unique = if unique { "UNIQUE " } else { "" };
            let on = format!("ON {table} ({})", columns.join(", "));
            // Two indexes over the same columns would be one in Room as well,
            // by their default name.
            if there
                .iter()
                .any(|(u, o)| *o == on && (u == unique || unique.is_empty()))
            {
                continue;
            }
            let mut name = format!("index_{}", self.table);
            for column in &columns {
                let bare = column
                    .replace('`', "")
                    .replace(" ASC", "")
                    .replace(" DESC", "");
                name.push_str(&format!("_{bare}"));
            }
            while indexes.iter().any(|sql| sql.contains(&ticked(&name))) {
                name.push('_');
            }
            let name = ticked(&name);
            indexes.push(format!("CREATE {unique}INDEX IF NOT EXISTS {name} {on}"));
            there.push((unique.to_owned(), on));
        }
    }
}

/// All statements, tables first.
pub fn statements(schema: &Schema, layout: &Layout) -> Vec<String> {
    let (mut tables, mut indexes) = (Vec::new(), Vec::new());
    for id in 0..schema.models.len() {
        model(schema, layout, id).finish(&mut tables, &mut indexes);
        for storage in &layout.tables[id].fields {
            if let Some(entity) = beside(layout, id, storage) {
                entity.finish(&mut tables, &mut indexes);
            }
        }
    }
    tables.extend(indexes);
    tables
}

fn model<'l>(schema: &Schema, layout: &'l Layout, id: ModelId) -> Entity<'l> {
    let (model, table) = (&schema.models[id], &layout.tables[id]);
    let mut entity = Entity::new(layout, &table.name);
    if table.surrogate {
        entity.column(&table.id, "INTEGER", true);
    }
    entity.primary.push(ticked(&table.id));
    // The author's own come first, so that a foreign key's is not made twice.
    for index in &model.indexes {
        let column = |at: usize| match table.fields.get(index.columns[at].field) {
            Some(Storage::Column { column, .. } | Storage::Reference { column, .. }) => {
                let descending = index.columns[at].descending;
                // Room writes orders where one of them is descending.
                let any = index.columns.iter().any(|c| c.descending);
                Some(match (any, descending) {
                    (false, _) => ticked(column),
                    (true, false) => format!("{} ASC", ticked(column)),
                    (true, true) => format!("{} DESC", ticked(column)),
                })
            }
            _ => None,
        };
        let columns: Option<Vec<String>> = (0..index.columns.len()).map(column).collect();
        entity
            .indexes
            .extend(columns.map(|columns| (columns, index.unique)));
    }
    let authors = entity.indexes.len();
    for (at, (field, storage)) in model.fields.iter().zip(&table.fields).enumerate() {
        match storage {
            Storage::Column { column, scalar } => {
                entity.column(column, sql_type(scalar), !field.optional);
                if model.key == Some(at) && !layout.is_id(schema, id, at) {
                    entity.indexes.push((vec![ticked(column)], true));
                }
            }
            Storage::List {
                marker: Some(marker),
                ..
            } => entity.column(marker, "INTEGER", false),
            Storage::Reference { column, target } => {
                // A child of several owners has only one of them.
                let required = !field.optional && owners_of(schema, id) <= 1;
                let action = action(schema, id, at);
                entity.reference(column, *target, action, required, owns_one(schema, id, at));
            }
            _ => {}
        }
    }
    for owner in &table.owners {
        let action = if owner.cascade { "CASCADE" } else { "SET NULL" };
        entity.reference(&owner.column, owner.model, action, false, false);
    }
    // An index of the author's that begins with a foreign key covers it.
    let order = |column: &str| column.split("` ").next().map(|n| n.replace('`', ""));
    let firsts: Vec<_> = entity.indexes[..authors]
        .iter()
        .map(|(columns, _)| order(&columns[0]))
        .collect();
    let mut at = 0;
    entity.indexes.retain(|(columns, unique)| {
        at += 1;
        at <= authors || *unique || !firsts.contains(&order(&columns[0]))
    });
    entity
}

/// The entity of a list or of a junction.
fn beside<'l>(layout: &'l Layout, id: ModelId, storage: &Storage) -> Option<Entity<'l>> {
    Some(match storage {
        Storage::List { table, scalar, .. } => {
            let mut entity = Entity::new(layout, table);
            entity.reference("owner", id, "CASCADE", true, false);
            // The primary key begins with it.
            entity.indexes.clear();
            entity.column("position", sql_type(&Scalar::Int), true);
            entity.column("value", sql_type(scalar), true);
            entity.primary = vec![ticked("owner"), ticked("position")];
            entity
        }
        Storage::Links { table, target } => {
            let mut entity = Entity::new(layout, &table.name);
            entity.reference("owner", id, "CASCADE", true, false);
            entity.indexes.clear();
            entity.reference("target", *target, "CASCADE", true, false);
            entity.primary = vec![ticked("owner"), ticked("target")];
            entity
        }
        _ => return None,
    })
}

/// Names of all tables, in the order of their ids in the tracker.
pub fn tables(layout: &Layout) -> Vec<String> {
    let mut names = Vec::new();
    for table in &layout.tables {
        names.push(bare(&table.name));
        for storage in &table.fields {
            match storage {
                Storage::List { table, .. } => names.push(bare(table)),
                Storage::Links { table, .. } => names.push(bare(&table.name)),
                _ => {}
            }
        }
    }
    names
}
