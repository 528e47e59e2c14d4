//! What is stored: models, fields, relationships and indexes.

use serde::{Deserialize, Serialize};

/// Position of a model in [`Schema::models`].
pub type ModelId = usize;
/// Position of a field in [`Model::fields`].
pub type FieldId = usize;

/// All models of one trial, with the indexes that hold at its point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// Models in the order of the file; only those that the trial reaches.
    pub models: Vec<Model>,
}

/// One model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Capitalised name as written (`Student`); unique in the schema.
    pub name: String,
    /// Declared fields in order, then one back-link per `inverse` that names this model.
    pub fields: Vec<Field>,
    /// The `key` field, if there is one: unique, never null, never changed.
    pub key: Option<FieldId>,
    /// Indexes that the author asked for; the key's own is not listed.
    pub indexes: Vec<Index>,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Lower-case name as written.
    pub name: String,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether null is allowed.
    pub optional: bool,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// One value.
    Scalar(Scalar),
    /// An ordered list of values.
    List(Scalar),
    /// A link to one object.
    ToOne {
        /// The model linked to.
        target: ModelId,
        /// Who makes the object.
        ownership: Ownership,
        /// Deleting this record deletes the object.
        cascade: bool,
        /// Set on a back-link: the to-many (or to-one) field of `target` that this one mirrors.
        inverse_of: Option<FieldId>,
    },
    /// Links to many objects; a set, without order.
    ToMany {
        /// The model linked to.
        target: ModelId,
        /// Who makes the objects.
        ownership: Ownership,
        /// Deleting this record deletes the objects.
        cascade: bool,
        /// The back-link field in `target`, if `inverse` named one.
        inverse: Option<FieldId>,
    },
}

/// Who makes the objects that a link points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ownership {
    /// New children of each owner, at most `max`; a child's row is `owner row × max + position`.
    Owned {
        /// Upper end of the number of children.
        max: u64,
    },
    /// One of `pool` objects, rows `0..pool`, stored in the first transaction.
    Shared {
        /// Size of the pool.
        pool: u64,
    },
    /// An object that an earlier step made.
    Linked,
}

/// A scalar type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `int`, 64 bits
    Int,
    /// `float`, double
    Float,
    /// `text`
    Text,
    /// `uuid`
    Uuid,
    /// `timestamp`, milliseconds UTC
    Timestamp,
    /// `blob`
    Blob,
    /// `json`
    Json,
    /// `enum(…)`: the cases, in order; values are text
    Enum(Vec<String>),
}

/// An index that the author asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// `Model_field_field`, unique in the schema.
    pub name: String,
    /// Columns, most significant first.
    pub columns: Vec<IndexColumn>,
    /// Whether two records may not agree in all columns.
    pub unique: bool,
}

/// One column of an index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IndexColumn {
    /// A scalar or to-one field of the model.
    pub field: FieldId,
    /// Whether the order is descending.
    pub descending: bool,
}

impl Schema {
    /// The model of that name.
    pub fn model_named(&self, name: &str) -> Option<ModelId> {
        self.models.iter().position(|m| m.name == name)
    }
}

impl Model {
    /// The field of that name.
    pub fn field_named(&self, name: &str) -> Option<FieldId> {
        self.fields.iter().position(|f| f.name == name)
    }
}

impl FieldKind {
    /// The model that a relationship points to; `None` for scalars and lists.
    pub fn target(&self) -> Option<ModelId> {
        match self {
            FieldKind::ToOne { target, .. } | FieldKind::ToMany { target, .. } => Some(*target),
            FieldKind::Scalar(_) | FieldKind::List(_) => None,
        }
    }
}
