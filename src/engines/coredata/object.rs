//! Managed objects.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::entity::SlotId;
use super::layer::Backing;
use crate::base::Value;
use crate::plan::schema::ModelId;
use crate::workload::Target;

/// One value per slot of the entity; a to-one relationship is the target's
/// identity, a to-many one is null here and kept in [`Object::many`].
pub type Values = Vec<Value>;

/// A row of the row cache: what the store last said of a record. An object's
/// snapshot is the row that it was made from, kept as long as the object is.
#[derive(Debug)]
pub struct Row {
    /// `Z_OPT`.
    pub version: i64,
    /// Its values. Shared with the objects made from it until they change, as
    /// retained strings are.
    pub values: Rc<Values>,
}

/// Where an object stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In no context.
    New,
    /// To be inserted by the next save.
    Inserted,
    /// As in the store, or a fault.
    Clean,
    /// To be updated by the next save.
    Updated,
    /// To be deleted by the next save.
    Deleted,
    /// Deleted from the store.
    Gone,
}

/// A managed object: on the heap, registered by its context, a fault until its
/// values are asked for.
pub struct Object {
    /// Its entity.
    pub entity: ModelId,
    /// `Z_PK`; negative while it is temporary.
    pub id: Cell<i64>,
    /// The `Z_PK` that it asks for; 0 for the next of its entity.
    pub wanted: i64,
    /// Where it stands.
    pub state: Cell<State>,
    /// Whether its context keeps it until the save: it was inserted or changed.
    pub kept: Cell<bool>,
    /// The row it was made from.
    pub row: RefCell<Option<Rc<Row>>>,
    /// Its values; `None` while it is a fault.
    pub values: RefCell<Option<Rc<Values>>>,
    /// Destinations of its to-many relationships; one that is missing is a fault.
    pub many: RefCell<Vec<(SlotId, Rc<[i64]>)>>,
    /// Links of a new object that are not looked up yet.
    pub links: RefCell<Vec<(SlotId, Target)>>,
    /// What a layer above keeps beside it.
    pub backing: Option<Box<dyn Backing>>,
}

impl Object {
    /// A fault: it knows who it is, and no more.
    pub fn fault(entity: ModelId, id: i64, backing: Option<Box<dyn Backing>>) -> Object {
        Object {
            entity,
            id: Cell::new(id),
            wanted: 0,
            state: Cell::new(State::Clean),
            kept: Cell::new(false),
            row: RefCell::default(),
            values: RefCell::default(),
            many: RefCell::default(),
            links: RefCell::default(),
            backing,
        }
    }

    /// A new object in no context.
    pub fn new(
        entity: ModelId,
        id: i64,
        wanted: i64,
        values: Values,
        backing: Option<Box<dyn Backing>>,
    ) -> Object {
        Object {
            wanted,
            state: Cell::new(State::New),
            values: RefCell::new(Some(Rc::new(values))),
            ..Object::fault(entity, id, backing)
        }
    }

    /// Whether its values were not asked for yet.
    pub fn is_fault(&self) -> bool {
        self.values.borrow().is_none()
    }

    /// Whether the next save has something to do for it.
    pub fn is_pending(&self) -> bool {
        matches!(
            self.state.get(),
            State::Inserted | State::Updated | State::Deleted
        )
    }

    /// `Z_OPT` as the context knows it; 0 for what was never stored.
    pub fn version(&self) -> i64 {
        self.row.borrow().as_ref().map_or(0, |row| row.version)
    }

    /// The destinations of a to-many relationship, if they are known.
    pub fn known_many(&self, slot: SlotId) -> Option<Rc<[i64]>> {
        let many = self.many.borrow();
        let found = many.iter().find(|(at, _)| *at == slot);
        found.map(|(_, ids)| Rc::clone(ids))
    }

    /// Sets one value, leaving the row as it is: what was shared is copied once.
    pub fn set(&self, slot: SlotId, value: Value) {
        let mut values = self.values.borrow_mut();
        if let Some(values) = values.as_mut()
            && let Some(place) = Rc::make_mut(values).get_mut(slot)
        {
            *place = value;
        }
    }

    /// Slots in which it differs from its row.
    pub fn changed(&self) -> Vec<SlotId> {
        let (values, row) = (self.values.borrow(), self.row.borrow());
        let (Some(values), Some(row)) = (values.as_ref(), row.as_ref()) else {
            return Vec::new();
        };
        let pairs = values.iter().zip(row.values.iter());
        pairs
            .enumerate()
            .filter(|(_, (new, old))| new != old)
            .map(|(slot, _)| slot)
            .collect()
    }
}
