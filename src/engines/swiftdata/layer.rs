//! SwiftData above the graph.

use std::collections::HashMap;
use std::rc::Rc;

use super::backing::{ModelBacking, PropertyTable};
use super::history::History;
use super::observation::KeyPath;
use crate::engines::EngineError;
use crate::engines::coredata::context::Context;
use crate::engines::coredata::entity::Entities;
use crate::engines::coredata::layer::{Backing, Change, Layer};
use crate::plan::schema::ModelId;

/// The layer.
pub struct SwiftDataLayer {
    tables: Vec<Rc<PropertyTable>>,
    history: Option<History>,
}

impl SwiftDataLayer {
    /// Over these entities, with or without history.
    pub fn new(entities: &Entities, history: bool) -> SwiftDataLayer {
        let table = |(entity, declared): (ModelId, &crate::engines::coredata::entity::Entity)| {
            let properties = 0..declared.slots.len();
            let paths = properties.map(|property| (KeyPath { entity, property }, property));
            Rc::new(paths.collect::<HashMap<_, _>>())
        };
        SwiftDataLayer {
            tables: entities.all.iter().enumerate().map(table).collect(),
            history: history.then(History::default),
        }
    }
}

impl Layer for SwiftDataLayer {
    fn backing(&self, entity: ModelId) -> Option<Box<dyn Backing>> {
        let table = Rc::clone(self.tables.get(entity)?);
        Some(Box::new(ModelBacking::new(entity, table)))
    }

    fn tables(&self) -> Vec<String> {
        self.history.as_ref().map_or_else(Vec::new, History::tables)
    }

    fn saved(&self, context: &Context, changes: &[Change]) -> Result<(), EngineError> {
        match &self.history {
            Some(history) => history.write(context, changes),
            None => Ok(()),
        }
    }

    fn ended(&self, kept: bool) {
        if let Some(history) = &self.history {
            history.ended(kept);
        }
    }

    fn explain(&self) -> Option<&'static str> {
        self.history.as_ref().map(|_| {
            "the save also writes persistent history: a row of ATRANSACTION, and a row of ACHANGE for each record"
        })
    }
}
