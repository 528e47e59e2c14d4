//! From a schema to tables, columns and indexes.

use super::block::{ColumnType, Type};
use crate::plan::schema::{FieldId, FieldKind, ModelId, Ownership, Schema};

/// How the models of a schema are kept.
#[derive(Clone, Debug)]
pub struct Layout {
    /// One per model.
    pub models: Vec<ModelLayout>,
    /// Number of indexes.
    pub trees: usize,
}

/// How one model is kept.
#[derive(Clone, Debug, Default)]
pub struct ModelLayout {
    /// Types of the columns.
    pub columns: Vec<ColumnType>,
    /// One per field.
    pub fields: Vec<FieldLayout>,
    /// Links that own records of this model.
    pub owners: Vec<OwnerColumn>,
    /// The key's, then those that were declared.
    pub indexes: Vec<IndexLayout>,
}

/// How one field is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldLayout {
    /// A scalar or a list.
    Column(usize),
    /// A to-one link.
    One {
        column: usize,
        target: ModelId,
        /// The index from target to source; none where the target has an owner column.
        back: Option<usize>,
    },
    /// A to-many link.
    Many {
        column: usize,
        target: ModelId,
        /// As above.
        back: Option<usize>,
    },
    /// A back-link: it follows from the field `of` of `target`.
    Back { target: ModelId, of: FieldId },
}

/// The column of an owned record that says who owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnerColumn {
    /// The owner's model.
    pub model: ModelId,
    /// The owner's field.
    pub field: FieldId,
    /// The column here.
    pub column: usize,
}

/// One index.
#[derive(Clone, Debug)]
pub struct IndexLayout {
    /// Its name.
    pub name: String,
    /// Its columns, most significant first.
    pub parts: Vec<IndexPart>,
    /// Whether no two records may agree in all of them.
    pub unique: bool,
    /// Its place among all trees.
    pub tree: usize,
}

/// One column of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexPart {
    /// The field.
    pub field: FieldId,
    /// Its column.
    pub column: usize,
    /// What the column holds.
    pub kind: Type,
    /// Whether it may be null.
    pub optional: bool,
    /// Whether the order is descending.
    pub descending: bool,
}

impl ModelLayout {
    /// The column that says which record owns one, by way of that field.
    pub fn owner(&self, model: ModelId, field: FieldId) -> Option<usize> {
        self.owners
            .iter()
            .find(|owner| (owner.model, owner.field) == (model, field))
            .map(|owner| owner.column)
    }

    /// The column of a scalar field, and what it holds.
    pub fn scalar(&self, field: FieldId) -> Option<(usize, Type)> {
        match self.fields.get(field)? {
            FieldLayout::Column(column) => {
                let kind = self.columns.get(*column)?;
                (!kind.list).then_some((*column, kind.element))
            }
            _ => None,
        }
    }
}

impl Layout {
    /// How this schema is kept.
    pub fn of(schema: &Schema) -> Layout {
        let mut models: Vec<ModelLayout> = schema
            .models
            .iter()
            .map(|_| ModelLayout::default())
            .collect();
        let mut trees = 0;
        let mut owned = Vec::new();
        for (id, model) in schema.models.iter().enumerate() {
            for (field, declared) in model.fields.iter().enumerate() {
                let mut column = |kind: ColumnType| {
                    models[id].columns.push(kind);
                    models[id].columns.len() - 1
                };
                let mut back = |ownership: &Ownership, target: ModelId| match ownership {
                    Ownership::Owned { .. } => {
                        owned.push((id, field, target));
                        None
                    }
                    Ownership::Shared { .. } | Ownership::Linked => {
                        trees += 1;
                        Some(trees - 1)
                    }
                };
                let layout = match &declared.kind {
                    FieldKind::Scalar(scalar) => {
                        FieldLayout::Column(column(ColumnType::one(Type::of(scalar))))
                    }
                    FieldKind::List(scalar) => {
                        FieldLayout::Column(column(ColumnType::list(Type::of(scalar))))
                    }
                    FieldKind::ToOne {
                        target,
                        inverse_of: Some(of),
                        ..
                    } => FieldLayout::Back {
                        target: *target,
                        of: *of,
                    },
                    FieldKind::ToOne {
                        target, ownership, ..
                    } => FieldLayout::One {
                        column: column(ColumnType::one(Type::Link)),
                        target: *target,
                        back: back(ownership, *target),
                    },
                    FieldKind::ToMany {
                        target, ownership, ..
                    } => FieldLayout::Many {
                        column: column(ColumnType::list(Type::Link)),
                        target: *target,
                        back: back(ownership, *target),
                    },
                };
                models[id].fields.push(layout);
            }
        }
        for (model, field, target) in owned {
            let column = models[target].columns.len();
            models[target].columns.push(ColumnType::one(Type::Link));
            models[target].owners.push(OwnerColumn {
                model,
                field,
                column,
            });
        }
        for (id, model) in schema.models.iter().enumerate() {
            let key = model.key.map(|key| {
                let name = format!("{}_{}", model.name, model.fields[key].name);
                (name, vec![(key, false)], true)
            });
            let declared = model.indexes.iter().map(|index| {
                let columns = index.columns.iter().map(|c| (c.field, c.descending));
                (index.name.clone(), columns.collect(), index.unique)
            });
            for (name, columns, unique) in key.into_iter().chain(declared) {
                let parts: Option<Vec<IndexPart>> = columns
                    .into_iter()
                    .map(|(field, descending)| part(&models[id], schema, id, field, descending))
                    .collect();
                if let Some(parts) = parts {
                    models[id].indexes.push(IndexLayout {
                        name,
                        parts,
                        unique,
                        tree: trees,
                    });
                    trees += 1;
                }
            }
        }
        Layout { models, trees }
    }

    /// Every field that links to records of a model, with its model.
    pub fn links_to(&self, model: ModelId) -> Vec<(ModelId, FieldId)> {
        let mut links = Vec::new();
        for (id, from) in self.models.iter().enumerate() {
            for (field, layout) in from.fields.iter().enumerate() {
                if let FieldLayout::One { target, .. } | FieldLayout::Many { target, .. } = layout
                    && *target == model
                {
                    links.push((id, field));
                }
            }
        }
        links
    }
}

fn part(
    layout: &ModelLayout,
    schema: &Schema,
    model: ModelId,
    field: FieldId,
    descending: bool,
) -> Option<IndexPart> {
    let (column, kind) = match layout.fields.get(field)? {
        FieldLayout::One { column, .. } => (*column, Type::Link),
        _ => layout.scalar(field)?,
    };
    Some(IndexPart {
        field,
        column,
        kind,
        optional: schema.models[model].fields[field].optional,
        descending,
    })
}
