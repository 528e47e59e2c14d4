//! Entities: one per model.

use super::property::{Property, Storage};
use crate::plan::schema::{FieldId, ModelId};

/// One entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// Its name in the store.
    pub name: String,
    /// The first is the id.
    pub properties: Vec<Property>,
    /// Per field of the model, where it is.
    pub places: Vec<Place>,
    /// Per property, where its value comes from in a new record.
    pub sources: Vec<Supply>,
    /// Key of the model.
    pub key: Option<FieldId>,
    /// Sets of fields in which no two records may agree, which the engine
    /// does not see to: several columns, or a type without unique index.
    pub uniques: Vec<Vec<FieldId>>,
}

/// Where a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the object's id: an int key.
    Id,
    /// In a property, the one at this place.
    Property(usize),
    /// In a to-one property of each object of that entity.
    Children {
        /// The entity of the children.
        entity: ModelId,
        /// Place of their property.
        property: usize,
    },
    /// In the to-many relation at this place.
    Relation(usize),
    /// Back along that to-one property, of another entity.
    BackOne {
        /// The entity that points here.
        entity: ModelId,
        /// Place of its property.
        property: usize,
    },
    /// Back along the to-many relation at this place.
    BackMany(usize),
}

/// Where the value of a property comes from in a new record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// The object's id.
    Id,
    /// A field of the record.
    Field(FieldId),
    /// The owner, where that is an object of this model and owns it in this field.
    Owner(ModelId, FieldId),
}

/// A to-many relation, kept apart from objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// Its name in the store.
    pub name: String,
    /// Where it starts.
    pub source: ModelId,
    /// Where it leads.
    pub target: ModelId,
}

impl Entity {
    /// Whether the key is the object's id.
    pub fn key_is_id(&self) -> bool {
        self.key
            .is_some_and(|key| self.places.get(key) == Some(&Place::Id))
    }

    /// The property that a field is in.
    pub fn property(&self, field: FieldId) -> Option<&Property> {
        match self.places.get(field)? {
            Place::Property(at) => self.properties.get(*at),
            Place::Id => self.properties.first(),
            _ => None,
        }
    }

    /// Where a to-one property leads.
    pub fn target(&self, property: usize) -> Option<ModelId> {
        match self.properties.get(property)?.storage {
            Storage::ToOne(target) => Some(target),
            _ => None,
        }
    }
}
