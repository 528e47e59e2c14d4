//! The managed object context: objects, registered by identity and kept until
//! the save; what is pending; faults.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::entity::{Entities, Entity, SlotId};
use super::identity::{ObjectId, PlainHash};
use super::layer::Layer;
use super::object::{Object, Row, State, Values};
use super::store::{Key, Store, read_row, whole_row};
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{ModelId, Schema};
use crate::workload::HookRunner;
use crate::workload::compare::Ordered;
use crate::workload::eval::EvalError;

/// A context with its coordinator and store.
pub struct Context {
    /// Models.
    pub schema: Schema,
    /// What they are in the store.
    pub entities: Entities,
    /// The store.
    pub store: Store,
    /// Runs hooks, above the store.
    pub hooks: Rc<dyn HookRunner>,
    /// How it fetches.
    pub settings: Settings,
    /// A framework above.
    pub layer: Option<Box<dyn Layer>>,
    /// What the next save writes.
    pub pending: RefCell<Pending>,
    /// Targets of links by their number or key, as an importing app remembers them.
    pub known: RefCell<BTreeMap<(ModelId, Ordered), i64>>,
    /// What happened, for tests.
    pub counts: Counts,
    registered: RefCell<HashMap<ObjectId, Rc<Object>, PlainHash>>,
    /// Registered by the running request, let go at its end unless pending.
    touched: RefCell<Vec<Rc<Object>>>,
    next_temporary: Cell<i64>,
    /// An error of the store while an expression was evaluated.
    trouble: RefCell<Option<EngineError>>,
}

/// How a context fetches and writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// `fetchBatchSize`; 0 for all at once.
    pub fetch_batch_size: u64,
    /// Not `returnsObjectsAsFaults`: values are filled in by the fetch.
    pub filled: bool,
    /// `relationshipKeyPathsForPrefetching`: what the columns lead over.
    pub prefetching: bool,
    /// Delete rules fetch many objects at a time, instead of firing faults.
    pub delete_prefetching: bool,
    /// Updates by `NSBatchUpdateRequest` where one statement is asked for.
    pub batch_update: bool,
    /// Inserts by `NSBatchInsertRequest` where the entity allows it.
    pub batch_insert: bool,
    /// Deletes by `NSBatchDeleteRequest` where the entity allows it.
    pub batch_delete: bool,
}

/// What the next save writes; objects in it are kept alive by it.
#[derive(Default)]
pub struct Pending {
    /// New objects, in the order in which they came.
    pub inserted: Vec<Rc<Object>>,
    /// Changed objects.
    pub updated: Vec<Rc<Object>>,
    /// Deleted objects.
    pub deleted: Vec<Rc<Object>>,
    /// Pairs for join tables.
    pub joined: Vec<Pair>,
    /// Pairs to take out of them.
    pub unjoined: Vec<Pair>,
}

/// An entry of a join table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The entity with the relationship.
    pub entity: ModelId,
    /// The relationship.
    pub slot: SlotId,
    /// The record that links.
    pub owner: i64,
    /// The record linked to.
    pub target: i64,
}

impl Pending {
    /// Whether a save would do nothing.
    pub fn is_empty(&self) -> bool {
        self.inserted.is_empty()
            && self.updated.is_empty()
            && self.deleted.is_empty()
            && self.joined.is_empty()
            && self.unjoined.is_empty()
    }
}

/// What happened since the context was made.
#[derive(Debug, Default)]
pub struct Counts {
    /// Faults that the row cache filled.
    pub from_cache: Cell<u64>,
    /// Faults that took a statement.
    pub from_store: Cell<u64>,
    /// To-many faults that took a statement.
    pub many: Cell<u64>,
}

/// Adds one.
pub fn count(cell: &Cell<u64>) {
    cell.set(cell.get() + 1);
}

impl Context {
    /// A context with nothing in it.
    pub fn new(
        schema: Schema,
        entities: Entities,
        store: Store,
        hooks: Rc<dyn HookRunner>,
        settings: Settings,
        layer: Option<Box<dyn Layer>>,
    ) -> Context {
        Context {
            schema,
            entities,
            store,
            hooks,
            settings,
            layer,
            pending: RefCell::default(),
            known: RefCell::default(),
            counts: Counts::default(),
            registered: RefCell::default(),
            touched: RefCell::default(),
            next_temporary: Cell::new(-1),
            trouble: RefCell::default(),
        }
    }

    /// The entity of a model.
    pub fn entity(&self, model: ModelId) -> &Entity {
        &self.entities.all[model]
    }

    /// An identity for a new object until it is saved.
    pub fn temporary(&self) -> i64 {
        let id = self.next_temporary.get();
        self.next_temporary.set(id - 1);
        id
    }

    /// How many objects are registered.
    pub fn registered(&self) -> usize {
        self.registered.borrow().len()
    }

    /// Registers a new object, which the pending changes keep.
    pub fn register(&self, object: &Rc<Object>) {
        let id = ObjectId::new(object.entity, object.id.get());
        self.registered.borrow_mut().insert(id, Rc::clone(object));
    }

    /// The object of that identity, if it is registered.
    pub fn registered_object(&self, entity: ModelId, id: i64) -> Option<Rc<Object>> {
        let registered = self.registered.borrow();
        registered.get(&ObjectId::new(entity, id)).cloned()
    }

    /// The object of that identity: registered, or a fault that now is.
    pub fn object(&self, entity: ModelId, id: i64) -> Rc<Object> {
        if let Some(object) = self.registered_object(entity, id) {
            return object;
        }
        let backing = self.layer.as_ref().and_then(|layer| layer.backing(entity));
        if let Some(backing) = &backing {
            backing.inserted();
        }
        let object = Rc::new(Object::fault(entity, id, backing));
        self.register(&object);
        self.touched.borrow_mut().push(Rc::clone(&object));
        object
    }

    /// The object of a row that was read. The row goes to the row cache; an
    /// object that has values keeps them.
    pub fn adopt(&self, entity: ModelId, id: i64, row: Row) -> Rc<Object> {
        let object = self.object(entity, id);
        if object.is_fault() {
            *object.row.borrow_mut() = Some(Rc::new(row));
            if self.settings.filled {
                let values = object.row.borrow().as_ref().map(|r| Rc::clone(&r.values));
                *object.values.borrow_mut() = values;
            }
        }
        object
    }

    /// Fires the fault, if the object is one.
    pub fn values(&self, object: &Object) -> Result<Rc<Values>, EngineError> {
        if let Some(values) = object.values.borrow().as_ref() {
            return Ok(Rc::clone(values));
        }
        if object.row.borrow().is_some() {
            count(&self.counts.from_cache);
        } else {
            let row = self.row_by_id(object.entity, object.id.get())?;
            let row = row.ok_or_else(|| {
                let name = &self.entity(object.entity).name;
                EngineError::new(
                    ErrorKind::Other,
                    format!("{name}: could not fulfill a fault"),
                )
            })?;
            count(&self.counts.from_store);
            *object.row.borrow_mut() = Some(Rc::new(row));
        }
        let row = object.row.borrow();
        let values = row.as_ref().map(|row| Rc::clone(&row.values));
        let values = values.unwrap_or_default();
        *object.values.borrow_mut() = Some(Rc::clone(&values));
        Ok(values)
    }

    /// The row of that identity, from the store.
    pub fn row_by_id(&self, model: ModelId, id: i64) -> Result<Option<Row>, EngineError> {
        let entity = self.entity(model);
        let statement = self.store.statement(Key::ById(model), || {
            format!(
                "SELECT {} FROM {} t0 WHERE t0.Z_PK = ?1",
                whole_row(entity),
                entity.table
            )
        })?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        row.int(id)?;
        match row.step()? {
            true => Ok(Some(read_row(entity, &row)?.1)),
            false => Ok(None),
        }
    }

    /// The object of that identity, if the store or the context has it.
    pub fn existing(&self, model: ModelId, id: i64) -> Result<Option<Rc<Object>>, EngineError> {
        if let Some(object) = self.registered_object(model, id) {
            let there = !matches!(object.state.get(), State::Deleted | State::Gone);
            if object.is_pending() || object.row.borrow().is_some() {
                return Ok(there.then_some(object));
            }
        }
        let row = self.row_by_id(model, id)?;
        Ok(row.map(|row| self.adopt(model, id, row)))
    }

    /// The object whose attribute has that value, from the store.
    pub fn by_value(
        &self,
        model: ModelId,
        slot: SlotId,
        value: &Value,
    ) -> Result<Option<Rc<Object>>, EngineError> {
        let entity = self.entity(model);
        let column = entity.slots[slot].column.as_deref().unwrap_or_default();
        let statement = self.store.statement(Key::ByValue(model, slot), || {
            format!(
                "SELECT {} FROM {} t0 WHERE t0.{column} = ?1 LIMIT 1",
                whole_row(entity),
                entity.table
            )
        })?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        crate::engines::sqlite::decode::bind(&mut row, value)?;
        match row.step()? {
            true => {
                let (id, row) = read_row(entity, &row)?;
                Ok(Some(self.adopt(model, id, row)))
            }
            false => Ok(None),
        }
    }

    /// Marks an object as changed.
    pub fn changing(&self, object: &Rc<Object>) {
        if object.state.get() == State::Clean {
            object.state.set(State::Updated);
            object.kept.set(true);
            self.pending.borrow_mut().updated.push(Rc::clone(object));
        }
    }

    /// Tells the layer above that a property is read.
    pub fn accessed(&self, object: &Object, slot: SlotId) {
        if let Some(backing) = &object.backing {
            backing.accessed(slot);
        }
    }

    /// At the end of a request: objects that nothing holds any longer go, and
    /// their rows with them.
    pub fn drain(&self) {
        let touched = std::mem::take(&mut *self.touched.borrow_mut());
        let mut registered = self.registered.borrow_mut();
        for object in touched {
            // What stays is asked for its relationships anew.
            if object.id.get() >= 0 {
                object.many.borrow_mut().clear();
            }
            if !object.kept.get() {
                registered.remove(&ObjectId::new(object.entity, object.id.get()));
            }
        }
    }

    /// Marks an object as used by the running request.
    pub fn touch(&self, object: &Rc<Object>) {
        self.touched.borrow_mut().push(Rc::clone(object));
    }

    /// After a request that went past the objects: what is not pending is read anew.
    pub fn refresh(&self) {
        self.touched.borrow_mut().clear();
        let mut registered = self.registered.borrow_mut();
        registered.retain(|_, object| object.is_pending());
    }

    /// Forgets all objects and all pending changes.
    pub fn reset(&self) {
        *self.pending.borrow_mut() = Pending::default();
        self.known.borrow_mut().clear();
        self.touched.borrow_mut().clear();
        self.registered.borrow_mut().clear();
    }

    /// Gives a registered object its permanent identity.
    pub fn renumber(&self, object: &Rc<Object>, id: i64) {
        let mut registered = self.registered.borrow_mut();
        registered.remove(&ObjectId::new(object.entity, object.id.get()));
        object.id.set(id);
        registered.insert(ObjectId::new(object.entity, id), Rc::clone(object));
    }

    /// Takes a deleted object out.
    pub fn forget(&self, object: &Object) {
        let id = ObjectId::new(object.entity, object.id.get());
        self.registered.borrow_mut().remove(&id);
    }

    /// An error of the store as one of an evaluation, which carries no kinds;
    /// [`Context::evaluated`] brings it back.
    pub fn troubled(&self, error: EngineError) -> EvalError {
        let message = error.message.clone();
        *self.trouble.borrow_mut() = Some(error);
        EvalError::wrong(message)
    }

    /// The outcome of an evaluation.
    pub fn evaluated<T>(&self, outcome: Result<T, EvalError>) -> Result<T, EngineError> {
        let trouble = self.trouble.borrow_mut().take();
        match (outcome, trouble) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(trouble)) => Err(trouble),
            (Err(error), None) => Err(error.into()),
        }
    }

    /// The error of a broken rule.
    pub fn refuse(&self, model: ModelId, what: &str) -> EngineError {
        let name = &self.entity(model).name;
        EngineError::new(ErrorKind::Constraint, format!("{name}: {what}"))
    }
}
