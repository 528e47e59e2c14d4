//! What the fields of a stored record hold, and where.

use super::key::KeyForm;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldId, FieldKind, Model, ModelId, Schema};
use crate::plan::{Ownership, Scalar};

/// What a stored field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One value or null. A to-one link is the identity of its target, a
    /// back-link that of the owner.
    One(Scalar),
    /// A list of values or null. A to-many link is the list of the identities
    /// of its targets.
    Many(Scalar),
}

/// Where the binary form has a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// So many bytes at an offset from the record's start.
    Fixed {
        /// Where.
        offset: usize,
        /// Bytes.
        width: usize,
    },
    /// The n-th of the pieces at the record's end.
    Piece(usize),
}

/// One field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldLayout {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub shape: Shape,
    /// Where the binary form has it.
    pub place: Place,
    /// What JSON writes before its value: `"name":`.
    pub label: Vec<u8>,
}

/// One model's records.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// In the order of the model.
    pub fields: Vec<FieldLayout>,
    /// How a record's key is made.
    pub key: KeyForm,
    /// Where the offsets of the pieces begin, in the binary form.
    pub ends_at: usize,
    /// Where the pieces begin.
    pub pieces_at: usize,
}

/// Version of the binary form, a record's first byte.
pub const BINARY_FORMAT: u8 = 1;

impl Layout {
    /// The layouts of all models.
    pub fn of(schema: &Schema) -> Result<Vec<Layout>, EngineError> {
        let models = schema.models.iter();
        models.map(|model| Layout::model(schema, model)).collect()
    }

    fn model(schema: &Schema, model: &Model) -> Result<Layout, EngineError> {
        // The format's byte, then one bit per field.
        let mut offset = 1 + model.fields.len().div_ceil(8);
        let mut pieces = 0;
        let mut fields = Vec::with_capacity(model.fields.len());
        for field in &model.fields {
            let shape = shape(schema, &field.kind)?;
            let fixed = match &shape {
                Shape::One(scalar) => width(scalar),
                Shape::Many(_) => None,
            };
            let place = match fixed {
                Some(width) => {
                    let at = offset;
                    offset += width;
                    Place::Fixed { offset: at, width }
                }
                None => {
                    pieces += 1;
                    Place::Piece(pieces - 1)
                }
            };
            let mut label = serde_json::to_vec(&field.name).map_err(|error| {
                EngineError::new(ErrorKind::Other, format!("{}: {error}", field.name))
            })?;
            label.push(b':');
            fields.push(FieldLayout {
                name: field.name.clone(),
                shape,
                place,
                label,
            });
        }
        Ok(Layout {
            fields,
            key: KeyForm::of(model),
            ends_at: offset,
            pieces_at: offset + 4 * pieces,
        })
    }

    /// Number of pieces in the binary form.
    pub fn pieces(&self) -> usize {
        (self.pieces_at - self.ends_at) / 4
    }

    /// A field, which the model must have.
    pub fn field(&self, field: FieldId) -> Result<&FieldLayout, EngineError> {
        self.fields
            .get(field)
            .ok_or_else(|| EngineError::new(ErrorKind::Other, "no such field"))
    }
}

fn shape(schema: &Schema, kind: &FieldKind) -> Result<Shape, EngineError> {
    Ok(match kind {
        FieldKind::Scalar(scalar) => Shape::One(scalar.clone()),
        FieldKind::List(scalar) => Shape::Many(scalar.clone()),
        FieldKind::ToOne { target, .. } => Shape::One(identity(schema, *target)?),
        FieldKind::ToMany { target, .. } => Shape::Many(identity(schema, *target)?),
    })
}

/// The type of a model's identities: that of its key, or the row.
fn identity(schema: &Schema, model: ModelId) -> Result<Scalar, EngineError> {
    let missing = || EngineError::new(ErrorKind::Other, "a link to no model");
    let model = schema.models.get(model).ok_or_else(missing)?;
    Ok(match model.key.and_then(|key| model.fields.get(key)) {
        None => Scalar::Int,
        Some(key) => match &key.kind {
            FieldKind::Scalar(scalar) => scalar.clone(),
            _ => return Err(EngineError::new(ErrorKind::Other, "a key is one value")),
        },
    })
}

/// Number of bytes of a value in the binary form; `None` for pieces.
pub fn width(scalar: &Scalar) -> Option<usize> {
    match scalar {
        Scalar::Bool => Some(1),
        Scalar::Enum(_) => Some(2),
        Scalar::Int | Scalar::Float | Scalar::Timestamp => Some(8),
        Scalar::Uuid => Some(16),
        Scalar::Text | Scalar::Blob | Scalar::Json => None,
    }
}

/// Whether the objects behind a field belong to one owner each.
pub fn is_owned(kind: &FieldKind) -> bool {
    matches!(
        kind,
        FieldKind::ToOne {
            ownership: Ownership::Owned { .. },
            inverse_of: None,
            ..
        } | FieldKind::ToMany {
            ownership: Ownership::Owned { .. },
            ..
        }
    )
}
