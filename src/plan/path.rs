//! A way from a record to one of its values.

use serde::{Deserialize, Serialize};

use super::schema::{FieldId, FieldKind, ModelId, Schema};

/// `name`, `student.school.name`, `sensor.temperature`.
///
/// Every hop but the last is a relationship. In predicates these are to-one;
/// in columns one of them may be to-many, and the value is then a list (a
/// multiset, in the engine's order). A null link on the way makes it null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Fields from the starting model on; empty means the record itself.
    pub hops: Vec<FieldId>,
    /// Keys inside a JSON field, outermost first; empty for the whole field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub json: Vec<String>,
    /// As the author wrote it, for people.
    pub text: String,
}

impl Path {
    /// A path to a field of the starting model itself.
    pub fn field(schema: &Schema, model: ModelId, field: FieldId) -> Path {
        Path {
            hops: vec![field],
            json: Vec::new(),
            text: schema.models[model].fields[field].name.clone(),
        }
    }

    /// The model that holds the last field, starting from `model`.
    ///
    /// A checked path never leaves the schema; a path that does gives `None`.
    pub fn owner(&self, schema: &Schema, model: ModelId) -> Option<ModelId> {
        let mut at = model;
        for hop in self.hops.iter().take(self.hops.len().saturating_sub(1)) {
            at = schema.models.get(at)?.fields.get(*hop)?.kind.target()?;
        }
        Some(at)
    }

    /// The kind of the last field, starting from `model`.
    pub fn kind<'s>(&self, schema: &'s Schema, model: ModelId) -> Option<&'s FieldKind> {
        let owner = self.owner(schema, model)?;
        Some(
            &schema
                .models
                .get(owner)?
                .fields
                .get(*self.hops.last()?)?
                .kind,
        )
    }

    /// The hops up to and with the to-many link on the way, starting from
    /// `model`; `None` where there is none.
    pub fn through_many(&self, schema: &Schema, model: ModelId) -> Option<&[FieldId]> {
        let mut at = model;
        for (place, hop) in self.hops.iter().enumerate() {
            match schema.models.get(at)?.fields.get(*hop)?.kind {
                FieldKind::ToMany { .. } => return Some(&self.hops[..=place]),
                FieldKind::ToOne { target, .. } => at = target,
                _ => return None,
            }
        }
        None
    }
}
