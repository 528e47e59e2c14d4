//! A schema together with how it is kept.

use super::layout::{IndexLayout, Layout, ModelLayout};
use crate::plan::schema::{Model, ModelId, Schema};

/// A schema and its layout.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// The schema.
    pub schema: Schema,
    /// How it is kept.
    pub layout: Layout,
}

impl Catalog {
    /// Of that schema.
    pub fn new(schema: Schema) -> Self {
        let layout = Layout::of(&schema);
        Catalog { schema, layout }
    }

    /// A model as declared. A model that is not there is a fault of the caller.
    pub fn declared(&self, model: ModelId) -> &Model {
        &self.schema.models[model]
    }

    /// A model as kept.
    pub fn kept(&self, model: ModelId) -> &ModelLayout {
        &self.layout.models[model]
    }

    /// Indexes of a model.
    pub fn indexes(&self, model: ModelId) -> &[IndexLayout] {
        &self.layout.models[model].indexes
    }

    /// Whether there is such a model.
    pub fn has(&self, model: ModelId) -> bool {
        model < self.layout.models.len()
    }
}
