//! Where an expression stands, and what may therefore be in it.

use super::imports::UnitId;
use super::types::Type;
use crate::plan::schema::{FieldId, ModelId};

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'c> {
    /// In a generator: draws, the row, fields before this one.
    Generator { model: ModelId, field: FieldId },
    /// Over a record: predicates, `set`, aggregates.
    Record { model: ModelId },
    /// Over an element of a scalar list.
    Element { item: &'c Type },
    /// Params and axes alone: quantities, conditions of whole points.
    Point,
    /// The same with `engine`: the condition of an index.
    Index,
}

/// Everything that decides what an expression may name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cx<'c> {
    /// Whose names.
    pub unit: UnitId,
    pub place: Place<'c>,
    /// Name and model of the drawn record, inside a repeated block.
    pub binder: Option<(&'c str, ModelId)>,
}

impl<'c> Cx<'c> {
    pub fn new(unit: UnitId, place: Place<'c>) -> Self {
        Cx {
            unit,
            place,
            binder: None,
        }
    }

    #[must_use]
    pub fn at(self, place: Place<'c>) -> Self {
        Cx { place, ..self }
    }

    pub fn is_generator(&self) -> bool {
        matches!(self.place, Place::Generator { .. })
    }

    /// Whether symbols of axes stand bare here, and no record is around.
    pub fn is_point(&self) -> bool {
        matches!(self.place, Place::Point | Place::Index)
    }
}
