//! How a schema lies in tables: which column, child table or link table holds
//! each field.

use super::sql::names::quoted;
use crate::plan::schema::{FieldId, FieldKind, Model, ModelId, Ownership, Scalar, Schema};

/// All tables of a schema.
#[derive(Clone, Debug)]
pub struct Layout {
    /// One per model.
    pub tables: Vec<Table>,
    /// Whether its tables are STRICT, and so refuse an integer that overflowed into a real.
    pub strict: bool,
}

/// The table of one model. Names are quoted already.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its INTEGER PRIMARY KEY: the int key itself, or a surrogate.
    pub id: String,
    /// Whether `id` is a surrogate: the row + 1.
    pub surrogate: bool,
    /// One per field of the model.
    pub fields: Vec<Storage>,
    /// Columns beside the fields': the owners of children without a back-link.
    pub owners: Vec<Owner>,
}

/// A link from a child to its owner that no field of the child stands for.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The owning model.
    pub model: ModelId,
    /// Its to-many field.
    pub field: FieldId,
    /// The child's column.
    pub column: String,
    /// Whether the child goes with its owner.
    pub cascade: bool,
}

/// Where a field is.
#[derive(Clone, Debug)]
pub enum Storage {
    /// A column of the model's table.
    Column {
        /// Its name.
        column: String,
        /// Its type.
        scalar: Scalar,
    },
    /// A child table `(owner, position, value)`.
    List {
        /// Its name.
        table: String,
        /// A column of the model's table that is null where an optional list is null.
        marker: Option<String>,
        /// Type of the elements.
        scalar: Scalar,
    },
    /// A foreign key in the model's table.
    Reference {
        /// Its name.
        column: String,
        /// The table it points to.
        target: ModelId,
    },
    /// The back-link of an owned to-one: `column` of `target` points here.
    Mirror {
        /// The model that points here.
        target: ModelId,
        /// By this column.
        column: String,
    },
    /// The back-link of a to-many in a link table.
    MirrorLinks {
        /// The model that points here.
        target: ModelId,
        /// By this link table.
        table: LinkTable,
    },
    /// Children: `column` of `target` points here.
    Children {
        /// The children's model.
        target: ModelId,
        /// Their foreign key.
        column: String,
    },
    /// A link table `(owner, target)`.
    Links {
        /// Its names.
        table: LinkTable,
        /// The model linked to.
        target: ModelId,
    },
}

/// A table of pairs. Formatted, it is its name.
#[derive(Clone, Debug, Default)]
pub struct LinkTable {
    /// Its name.
    pub name: String,
    /// Its column with the identity of the record that links.
    pub owner: String,
    /// Its column with the identity of the record linked to.
    pub target: String,
}

impl LinkTable {
    /// With the columns that a careful SQLite user gives it.
    pub fn plain(name: String) -> LinkTable {
        LinkTable {
            name,
            owner: quoted("owner"),
            target: quoted("target"),
        }
    }
}

impl std::fmt::Display for LinkTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// A name that is not taken, by appending underscores; SQLite ignores the case
/// of ASCII letters in names.
fn free(wanted: &str, taken: &mut Vec<String>) -> String {
    let mut name = wanted.to_owned();
    while taken.iter().any(|t| t.eq_ignore_ascii_case(&name)) {
        name.push('_');
    }
    taken.push(name.clone());
    name
}

impl Layout {
    /// The layout of a schema. A schema comes checked: ids are in range.
    pub fn of(schema: &Schema) -> Layout {
        let mut names = Vec::new();
        let tables: Vec<String> = schema
            .models
            .iter()
            .map(|m| free(&m.name, &mut names))
            .collect();
        // Columns of each table: its fields', then what is added below.
        let mut taken: Vec<Vec<String>> = schema
            .models
            .iter()
            .map(|m| m.fields.iter().map(|f| f.name.clone()).collect())
            .collect();
        let mut layout = Layout {
            tables: Vec::with_capacity(tables.len()),
            strict: true,
        };
        for (model, name) in schema.models.iter().zip(&tables) {
            let id = int_key(model);
            let taken = &mut taken[layout.tables.len()];
            layout.tables.push(Table {
                name: quoted(name),
                surrogate: id.is_none(),
                id: quoted(&id.unwrap_or_else(|| free("_id", taken))),
                fields: Vec::new(),
                owners: Vec::new(),
            });
        }
        for (id, model) in schema.models.iter().enumerate() {
            for (at, field) in model.fields.iter().enumerate() {
                let beside = || format!("{}_{}", model.name, field.name);
                let storage = match &field.kind {
                    FieldKind::Scalar(scalar) => Storage::Column {
                        column: quoted(&field.name),
                        scalar: scalar.clone(),
                    },
                    FieldKind::List(scalar) => Storage::List {
                        table: quoted(&free(&beside(), &mut names)),
                        marker: field.optional.then(|| quoted(&field.name)),
                        scalar: scalar.clone(),
                    },
                    FieldKind::ToOne {
                        target, inverse_of, ..
                    } => {
                        let mirrored =
                            inverse_of.and_then(|f| schema.models.get(*target)?.fields.get(f));
                        match mirrored.map(|m| (&m.kind, &m.name)) {
                            Some((FieldKind::ToOne { .. }, name)) => Storage::Mirror {
                                target: *target,
                                column: quoted(name),
                            },
                            // The table's name is filled in below.
                            Some((FieldKind::ToMany { ownership, .. }, _))
                                if !matches!(ownership, Ownership::Owned { .. }) =>
                            {
                                Storage::MirrorLinks {
                                    target: *target,
                                    table: LinkTable::default(),
                                }
                            }
                            _ => Storage::Reference {
                                column: quoted(&field.name),
                                target: *target,
                            },
                        }
                    }
                    FieldKind::ToMany {
                        target,
                        ownership: Ownership::Owned { .. },
                        cascade,
                        inverse,
                    } => {
                        let back = inverse
                            .and_then(|f| schema.models.get(*target)?.fields.get(f))
                            .map(|f| quoted(&f.name));
                        let column = back.unwrap_or_else(|| {
                            let wanted = format!("owner_{}", beside().to_lowercase());
                            let column = quoted(&free(&wanted, &mut taken[*target]));
                            layout.tables[*target].owners.push(Owner {
                                model: id,
                                field: at,
                                column: column.clone(),
                                cascade: *cascade,
                            });
                            column
                        });
                        Storage::Children {
                            target: *target,
                            column,
                        }
                    }
                    FieldKind::ToMany { target, .. } => Storage::Links {
                        table: LinkTable::plain(quoted(&free(&beside(), &mut names))),
                        target: *target,
                    },
                };
                layout.tables[id].fields.push(storage);
            }
        }
        layout.name_mirrors(schema);
        layout
    }

    fn name_mirrors(&mut self, schema: &Schema) {
        for (id, model) in schema.models.iter().enumerate() {
            for (at, field) in model.fields.iter().enumerate() {
                let FieldKind::ToOne {
                    target,
                    inverse_of: Some(of),
                    ..
                } = &field.kind
                else {
                    continue;
                };
                let Storage::Links { table, .. } = &self.tables[*target].fields[*of] else {
                    continue;
                };
                let links = table.clone();
                if let Storage::MirrorLinks { table, .. } = &mut self.tables[id].fields[at] {
                    *table = links;
                }
            }
        }
    }

    /// Whether a field is the model's integer primary key.
    pub fn is_id(&self, schema: &Schema, model: ModelId, field: FieldId) -> bool {
        !self.tables[model].surrogate && schema.models[model].key == Some(field)
    }
}

fn int_key(model: &Model) -> Option<String> {
    let field = model.fields.get(model.key?)?;
    matches!(field.kind, FieldKind::Scalar(Scalar::Int)).then(|| field.name.clone())
}
