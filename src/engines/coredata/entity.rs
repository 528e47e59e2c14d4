//! Entities: what a model becomes in Core Data's tables.
//!
//! Every relationship is a property of its own entity and, where the model
//! names no inverse, an implicit one of the other: Core Data asks for inverses,
//! and delete rules need them.

use super::naming::{free, spelled, z};
use crate::engines::sqlite::layout::{Layout, LinkTable, Owner, Storage, Table};
use crate::engines::sqlite::sql::Type;
use crate::plan::schema::{FieldId, FieldKind, ModelId, Ownership, Scalar, Schema};

/// Position of a property in [`Entity::slots`].
pub type SlotId = usize;

/// All entities of a store.
#[derive(Clone, Debug)]
pub struct Entities {
    /// One per model.
    pub all: Vec<Entity>,
    /// The same, for the SQL compiler.
    pub layout: Layout,
}

/// One entity.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Its name, that of the model.
    pub name: String,
    /// Its number in `Z_ENT`: entities are numbered from 1 by name.
    pub number: i64,
    /// Its table, as spelled in SQL.
    pub table: String,
    /// One per field of the model, then implicit inverses with a column.
    pub slots: Vec<Slot>,
    /// Slots that have a column, in the order of the table.
    pub columns: Vec<SlotId>,
    /// Relationships of other entities (or this) that point here by a column.
    pub incoming: Vec<Incoming>,
    /// Join tables in which records of this entity are pointed to.
    pub joined: Vec<Joined>,
    /// Whether any link leads here that a record gives by number or key.
    pub linked: bool,
    /// The key's slot.
    pub key: Option<SlotId>,
}

/// A property.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What it is.
    pub kind: SlotKind,
    /// Its column, as spelled in SQL.
    pub column: Option<String>,
    /// Whether null is allowed.
    pub optional: bool,
    /// Whether deleting the record deletes what the property points to.
    pub cascade: bool,
}

/// Kinds of properties.
#[derive(Clone, Debug)]
pub enum SlotKind {
    /// An attribute.
    Attribute(Scalar),
    /// A transformable attribute: a scalar list as one blob.
    Transformable,
    /// A to-one relationship: the target's `Z_PK`.
    ToOne {
        /// The entity pointed to.
        target: ModelId,
        /// Whether it is the back-link of an owned child, which its owner sets.
        back: bool,
    },
    /// Records of `target` whose `slot` points here.
    Children {
        /// The entity pointed to.
        target: ModelId,
        /// Its to-one slot.
        slot: SlotId,
    },
    /// A many-to-many relationship.
    Join {
        /// The entity pointed to.
        target: ModelId,
        /// The join table.
        table: LinkTable,
    },
    /// The inverse of a many-to-many relationship, of which the model sees one.
    JoinBack {
        /// The entity that points here.
        target: ModelId,
        /// The join table.
        table: LinkTable,
    },
    /// The back-link of an owned to-one: the record of `target` whose `slot` points here.
    Mirror {
        /// The entity that points here.
        target: ModelId,
        /// Its to-one slot.
        slot: SlotId,
    },
}

/// A column that points to an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Incoming {
    /// The entity that points.
    pub from: ModelId,
    /// Its to-one slot.
    pub slot: SlotId,
}

/// A join table that points to an entity.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The entity that points.
    pub from: ModelId,
    /// The table.
    pub table: LinkTable,
}

impl Slot {
    /// How its column is read; `None` for what has none or is decoded.
    pub fn ty(&self) -> Option<Type> {
        match &self.kind {
            SlotKind::Attribute(scalar) => Some(Type::of(scalar)),
            SlotKind::ToOne { .. } => Some(Type::Int),
            _ => None,
        }
    }

    /// The entity that a relationship leads to.
    pub fn target(&self) -> Option<ModelId> {
        match &self.kind {
            SlotKind::Attribute(_) | SlotKind::Transformable => None,
            SlotKind::ToOne { target, .. }
            | SlotKind::Children { target, .. }
            | SlotKind::Join { target, .. }
            | SlotKind::JoinBack { target, .. }
            | SlotKind::Mirror { target, .. } => Some(*target),
        }
    }

    /// Core Data's column type, and its place among the columns.
    pub fn sql_type(&self) -> (usize, &'static str) {
        match &self.kind {
            SlotKind::Attribute(scalar) => match scalar {
                Scalar::Bool | Scalar::Int => (0, "INTEGER"),
                Scalar::Timestamp => (1, "TIMESTAMP"),
                Scalar::Float => (2, "FLOAT"),
                Scalar::Text | Scalar::Json | Scalar::Enum(_) => (3, "VARCHAR"),
                Scalar::Uuid | Scalar::Blob => (4, "BLOB"),
            },
            SlotKind::Transformable => (4, "BLOB"),
            _ => (0, "INTEGER"),
        }
    }
}

impl Entity {
    /// Whether any relationship starts or ends here.
    pub fn has_relationships(&self) -> bool {
        !self.incoming.is_empty()
            || !self.joined.is_empty()
            || self.slots.iter().any(|slot| slot.target().is_some())
    }
}

impl Entities {
    /// The entities of a schema. A schema comes checked: ids are in range.
    pub fn of(schema: &Schema) -> Entities {
        let mut order: Vec<ModelId> = (0..schema.models.len()).collect();
        order.sort_by(|a, b| schema.models[*a].name.cmp(&schema.models[*b].name));
        let mut tables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
            .map(String::from)
            .to_vec();
        let mut entities = Entities {
            all: Vec::with_capacity(schema.models.len()),
            layout: Layout {
                tables: Vec::new(),
                strict: false,
            },
        };
        let mut taken = vec![["Z_PK", "Z_ENT", "Z_OPT"].map(String::from).to_vec(); order.len()];
        for (id, model) in schema.models.iter().enumerate() {
            let number = order.iter().position(|m| *m == id).unwrap_or_default() + 1;
            entities.all.push(Entity {
                name: model.name.clone(),
                number: number as i64,
                table: spelled(&free(z(&model.name), &mut tables)),
                slots: model
                    .fields
                    .iter()
                    .map(|field| own_slot(&field.kind, field.optional))
                    .collect(),
                columns: Vec::new(),
                incoming: Vec::new(),
                joined: Vec::new(),
                linked: false,
                key: model.key,
            });
            for (at, field) in model.fields.iter().enumerate() {
                if entities.all[id].slots[at].has_column() {
                    let column = spelled(&free(z(&field.name), &mut taken[id]));
                    entities.all[id].slots[at].column = Some(column);
                }
            }
        }
        for id in 0..schema.models.len() {
            for at in 0..schema.models[id].fields.len() {
                entities.relate(schema, id, at, &mut tables, &mut taken);
            }
        }
        entities.mirror(schema);
        entities.finish(schema);
        entities
    }

    /// Completes a to-many relationship, and says to its target that it is one.
    fn relate(
        &mut self,
        schema: &Schema,
        id: ModelId,
        at: FieldId,
        tables: &mut Vec<String>,
        taken: &mut [Vec<String>],
    ) {
        let field = &schema.models[id].fields[at];
        match &field.kind {
            FieldKind::ToOne {
                target,
                ownership,
                inverse_of: None,
                ..
            } => {
                let incoming = Incoming { from: id, slot: at };
                self.all[*target].incoming.push(incoming);
                self.all[*target].linked |= !matches!(ownership, Ownership::Owned { .. });
            }
            FieldKind::ToMany {
                target,
                ownership: Ownership::Owned { .. },
                inverse,
                ..
            } => {
                let slot = match inverse {
                    Some(back) => *back,
                    None => {
                        let name = format!("{}_{}", schema.models[id].name, field.name);
                        let column = spelled(&free(z(&name), &mut taken[*target]));
                        self.all[*target].slots.push(Slot {
                            kind: SlotKind::ToOne {
                                target: id,
                                back: true,
                            },
                            column: Some(column),
                            optional: true,
                            cascade: false,
                        });
                        self.all[*target].slots.len() - 1
                    }
                };
                self.all[id].slots[at].kind = SlotKind::Children {
                    target: *target,
                    slot,
                };
            }
            FieldKind::ToMany { target, .. } => {
                let (own, other) = (self.all[id].number, self.all[*target].number);
                let name = free(format!("Z_{own}{}", field.name.to_uppercase()), tables);
                let mut columns = Vec::new();
                let inverse = format!("Z_{own}{}S", schema.models[id].name.to_uppercase());
                let owner = free(inverse, &mut columns);
                let to = free(
                    format!("Z_{other}{}", field.name.to_uppercase()),
                    &mut columns,
                );
                let table = LinkTable {
                    name: spelled(&name),
                    owner: spelled(&owner),
                    target: spelled(&to),
                };
                self.all[*target].linked = true;
                self.all[*target].joined.push(Joined {
                    from: id,
                    table: table.clone(),
                });
                self.all[id].slots[at].kind = SlotKind::Join {
                    target: *target,
                    table,
                };
            }
            _ => {}
        }
    }

    /// Back-links that are no column of their own.
    fn mirror(&mut self, schema: &Schema) {
        for id in 0..schema.models.len() {
            for at in 0..schema.models[id].fields.len() {
                let FieldKind::ToOne {
                    target,
                    inverse_of: Some(of),
                    ..
                } = &schema.models[id].fields[at].kind
                else {
                    continue;
                };
                let kind = match &self.all[*target].slots[*of].kind {
                    SlotKind::Join { table, .. } => SlotKind::JoinBack {
                        target: *target,
                        table: table.clone(),
                    },
                    SlotKind::ToOne { .. } => SlotKind::Mirror {
                        target: *target,
                        slot: *of,
                    },
                    _ => continue,
                };
                let slot = &mut self.all[id].slots[at];
                (slot.kind, slot.column) = (kind, None);
            }
        }
    }

    /// Columns in Core Data's order, and the layout for the SQL compiler.
    fn finish(&mut self, schema: &Schema) {
        for entity in &mut self.all {
            let mut columns: Vec<SlotId> = (0..entity.slots.len())
                .filter(|slot| entity.slots[*slot].column.is_some())
                .collect();
            columns.sort_by_key(|slot| {
                let slot = &entity.slots[*slot];
                (slot.sql_type().0, slot.column.clone())
            });
            entity.columns = columns;
        }
        self.layout.tables = (0..self.all.len())
            .map(|id| self.table(schema, id))
            .collect();
    }

    fn table(&self, schema: &Schema, id: ModelId) -> Table {
        let entity = &self.all[id];
        let fields = schema.models[id].fields.len();
        let column = |slot: &Slot| slot.column.clone().unwrap_or_default();
        let there = |model: ModelId, slot: SlotId| column(&self.all[model].slots[slot]);
        let storage = |slot: &Slot| match &slot.kind {
            SlotKind::Attribute(scalar) => Storage::Column {
                column: column(slot),
                scalar: scalar.clone(),
            },
            SlotKind::Transformable => Storage::Column {
                column: column(slot),
                scalar: Scalar::Blob,
            },
            SlotKind::ToOne { target, .. } => Storage::Reference {
                column: column(slot),
                target: *target,
            },
            SlotKind::Children { target, slot } => Storage::Children {
                target: *target,
                column: there(*target, *slot),
            },
            SlotKind::Join { target, table } => Storage::Links {
                table: table.clone(),
                target: *target,
            },
            SlotKind::JoinBack { target, table } => Storage::MirrorLinks {
                target: *target,
                table: table.clone(),
            },
            SlotKind::Mirror { target, slot } => Storage::Mirror {
                target: *target,
                column: there(*target, *slot),
            },
        };
        let implicit = entity.slots[fields..].iter();
        Table {
            name: entity.table.clone(),
            id: "Z_PK".into(),
            surrogate: true,
            fields: entity.slots[..fields].iter().map(storage).collect(),
            owners: implicit
                .map(|slot| Owner {
                    model: slot.target().unwrap_or_default(),
                    field: 0,
                    column: column(slot),
                    cascade: false,
                })
                .collect(),
        }
    }
}

impl Slot {
    fn has_column(&self) -> bool {
        matches!(
            self.kind,
            SlotKind::Attribute(_) | SlotKind::Transformable | SlotKind::ToOne { .. }
        )
    }
}

/// A field's own part; relationships to many are completed later.
fn own_slot(kind: &FieldKind, optional: bool) -> Slot {
    let (kind, cascade) = match kind {
        FieldKind::Scalar(scalar) => (SlotKind::Attribute(scalar.clone()), false),
        FieldKind::List(_) => (SlotKind::Transformable, false),
        FieldKind::ToOne {
            target,
            cascade,
            inverse_of,
            ..
        } => (
            SlotKind::ToOne {
                target: *target,
                back: inverse_of.is_some(),
            },
            *cascade && inverse_of.is_none(),
        ),
        FieldKind::ToMany {
            target, cascade, ..
        } => (
            SlotKind::Children {
                target: *target,
                slot: 0,
            },
            *cascade,
        ),
    };
    Slot {
        kind,
        column: None,
        optional,
        cascade,
    }
}
