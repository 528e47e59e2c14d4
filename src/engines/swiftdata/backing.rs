//! Backing data: where the computed properties of a `@Model` class read and
//! write.
//!
//! Before an object is in a context its values lie in a dictionary by property;
//! afterwards in the managed object, which a key path is looked up for at each
//! access.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hint::black_box;
use std::rc::Rc;

use super::observation::{KeyPath, ObservationRegistrar};
use crate::engines::coredata::entity::SlotId;
use crate::engines::coredata::layer::Backing;
use crate::plan::schema::ModelId;

/// `schemaMetadata`: where each key path of a class leads.
pub type PropertyTable = HashMap<KeyPath, SlotId>;

/// What the macro adds to each object.
pub struct ModelBacking {
    entity: ModelId,
    registrar: ObservationRegistrar,
    table: Rc<PropertyTable>,
    /// The dictionary of an object that is in no context.
    initial: RefCell<HashMap<KeyPath, SlotId>>,
    in_context: Cell<bool>,
}

impl ModelBacking {
    /// For an object of that entity.
    pub fn new(entity: ModelId, table: Rc<PropertyTable>) -> ModelBacking {
        ModelBacking {
            entity,
            registrar: ObservationRegistrar::default(),
            table,
            initial: RefCell::default(),
            in_context: Cell::new(false),
        }
    }

    fn key_path(&self, slot: SlotId) -> KeyPath {
        KeyPath {
            entity: self.entity,
            property: slot,
        }
    }

    /// Entries of the dictionary.
    pub fn initial(&self) -> usize {
        self.initial.borrow().len()
    }
}

impl Backing for ModelBacking {
    fn accessed(&self, slot: SlotId) {
        let key_path = self.key_path(slot);
        self.registrar.access(key_path);
        // `getValue(forKey:)`: what the lookup finds is used by the caller.
        black_box(self.table.get(&key_path));
    }

    fn mutated(&self, slot: SlotId) {
        let key_path = self.key_path(slot);
        black_box(self.registrar.with_mutation(key_path));
        // `setValue(forKey:to:)`
        let found = black_box(self.table.get(&key_path));
        if let (Some(slot), false) = (found, self.in_context.get()) {
            self.initial.borrow_mut().insert(key_path, *slot);
        }
    }

    fn inserted(&self) {
        self.in_context.set(true);
        *self.initial.borrow_mut() = HashMap::new();
    }
}
