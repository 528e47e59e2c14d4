//! How a schema lies in ObjectBox: entities, properties, relations.

pub mod entity;
pub mod model;
pub mod property;
mod schema;

pub use entity::{Entity, Place, Relation, Supply};
pub use model::{indexes, model};
pub use property::{Element, Property, Storage};

use super::options::TextIndex;
use crate::plan::Schema;

/// Everything about the store that does not change while it is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// One per model, in the same order; ids count from 1.
    pub entities: Vec<Entity>,
    /// To-many relations that are kept apart from objects; ids count from 1.
    pub relations: Vec<Relation>,
}

impl Layout {
    /// The layout of a schema.
    pub fn of(schema: &Schema, text_index: TextIndex) -> Layout {
        schema::lay_out(schema, text_index)
    }
}
