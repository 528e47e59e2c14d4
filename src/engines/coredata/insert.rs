//! New objects from generated records.

use std::rc::Rc;

use super::context::{Context, Pair};
use super::entity::{SlotId, SlotKind};
use super::object::{Object, State};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::error::{misuse, unsupported};
use crate::plan::schema::ModelId;
use crate::workload::compare::Ordered;
use crate::workload::{Content, Record, Target};

/// An object with all that it owns, in no context yet: owner first.
pub type Built = Vec<Rc<Object>>;

/// The record that a child is built with.
#[derive(Clone, Copy)]
struct OwnedBy {
    model: ModelId,
    field: SlotId,
    id: i64,
}

impl Context {
    /// Builds the objects of a record and of what it owns. Links to stored
    /// objects stay as they are given until the objects are inserted.
    pub fn build(&self, model: ModelId, record: &Record) -> Result<Built, EngineError> {
        let mut built = Vec::with_capacity(1);
        self.build_into(model, record, None, &mut built)?;
        Ok(built)
    }

    fn build_into(
        &self,
        model: ModelId,
        record: &Record,
        owner: Option<OwnedBy>,
        built: &mut Built,
    ) -> Result<i64, EngineError> {
        let entity = self.entity(model);
        let fields = self.schema.models[model].fields.len();
        if record.fields.len() != fields {
            return Err(misuse("a record of another shape"));
        }
        let id = self.temporary();
        let place = built.len();
        let mut values = vec![Value::Null; entity.slots.len()];
        let mut links: Vec<(SlotId, Target)> = Vec::new();
        let mut many: Vec<(SlotId, Rc<[i64]>)> = Vec::new();
        let mut children: Built = Vec::new();
        for (at, (content, slot)) in record.fields.iter().zip(&entity.slots).enumerate() {
            match (content, &slot.kind) {
                (Content::Value(value), SlotKind::Attribute(_) | SlotKind::Transformable) => {
                    values[at] = value.clone();
                }
                (Content::Link(target), SlotKind::ToOne { .. }) => {
                    links.extend(target.clone().map(|target| (at, target)));
                }
                (Content::Links(targets), SlotKind::Join { .. }) => {
                    links.extend(targets.iter().map(|target| (at, target.clone())));
                }
                (Content::Children(records), kind) => {
                    let (target, one) = match kind {
                        SlotKind::Children { target, .. } => (*target, false),
                        SlotKind::ToOne { target, .. } => (*target, true),
                        _ => return Err(misuse("children of something else")),
                    };
                    let owner = OwnedBy {
                        model,
                        field: at,
                        id,
                    };
                    let mut ids = Vec::with_capacity(records.len());
                    for child in records {
                        ids.push(self.build_into(target, child, Some(owner), &mut children)?);
                    }
                    match (one, ids.first()) {
                        (true, Some(first)) => values[at] = Value::Int(*first),
                        (true, None) => {}
                        (false, _) => many.push((at, ids.into())),
                    }
                }
                (Content::Owner, SlotKind::ToOne { .. } | SlotKind::Mirror { .. }) => {}
                _ => return Err(misuse("a field of another kind")),
            }
        }
        if let Some(owner) = owner {
            let kind = &self.entity(owner.model).slots[owner.field].kind;
            if let SlotKind::Children { slot, .. } = kind {
                values[*slot] = Value::Int(owner.id);
            }
        }
        // A record without a key is named by its number, so that links find it.
        let wanted = match entity.key {
            Some(_) => 0,
            None => number(record.row)?,
        };
        let backing = self.layer.as_ref().and_then(|layer| layer.backing(model));
        if let Some(backing) = &backing {
            // An initialiser sets every property.
            (0..fields).for_each(|slot| backing.mutated(slot));
        }
        let object = Object::new(model, id, wanted, values, backing);
        *object.many.borrow_mut() = many;
        *object.links.borrow_mut() = links;
        built.insert(place, Rc::new(object));
        built.append(&mut children);
        Ok(id)
    }

    /// Inserts built objects: registered, kept until the save, their links
    /// looked up. Where one is refused none of them stays.
    pub fn insert(&self, built: impl IntoIterator<Item = Rc<Object>>) -> Result<(), EngineError> {
        let (objects, pairs) = {
            let pending = self.pending.borrow();
            (pending.inserted.len(), pending.joined.len())
        };
        for object in built {
            self.register(&object);
            let (model, wanted) = (object.entity, object.wanted);
            object.state.set(State::Inserted);
            object.kept.set(true);
            if let Some(backing) = &object.backing {
                backing.inserted();
            }
            self.pending.borrow_mut().inserted.push(Rc::clone(&object));
            if let Err(error) = self.resolve(&object).and_then(|()| self.validate(&object)) {
                self.take_back(objects, pairs);
                return Err(error);
            }
            let entity = self.entity(model);
            if entity.linked {
                let name = match entity.key {
                    Some(key) => self.values(&object)?.get(key).cloned(),
                    None => Some(Value::Int(wanted)),
                };
                let name = (model, Ordered(name.unwrap_or(Value::Null)));
                self.known.borrow_mut().insert(name, object.id.get());
            }
        }
        Ok(())
    }

    fn take_back(&self, objects: usize, pairs: usize) {
        let taken = {
            let mut pending = self.pending.borrow_mut();
            pending.joined.truncate(pairs);
            pending.inserted.split_off(objects)
        };
        for object in taken {
            object.state.set(State::Gone);
            self.forget(&object);
            let id = object.id.get();
            self.known.borrow_mut().retain(|_, known| *known != id);
        }
    }

    /// Looks the links of a new object up.
    pub fn resolve(&self, object: &Rc<Object>) -> Result<(), EngineError> {
        let links = std::mem::take(&mut *object.links.borrow_mut());
        for (at, target) in links {
            let slot = &self.entity(object.entity).slots[at];
            let model = slot
                .target()
                .ok_or_else(|| misuse("a link of an attribute"))?;
            let id = self.target(model, &target)?;
            match slot.kind {
                SlotKind::Join { .. } => self.pending.borrow_mut().joined.push(Pair {
                    entity: object.entity,
                    slot: at,
                    owner: object.id.get(),
                    target: id,
                }),
                _ => object.set(at, Value::Int(id)),
            }
        }
        Ok(())
    }

    /// The object that a link names: by its key, or by its number.
    pub fn target(&self, model: ModelId, target: &Target) -> Result<i64, EngineError> {
        let key = self.entity(model).key;
        let name = match (key, &target.key) {
            (Some(_), Some(key)) => key.clone(),
            (Some(_), None) => return Err(misuse("a link does not hold its target's key")),
            (None, _) => Value::Int(number(target.row)?),
        };
        let name = (model, Ordered(name));
        if let Some(id) = self.known.borrow().get(&name) {
            return Ok(*id);
        }
        let found = match (key, &name.1.0) {
            (Some(key), value) => self.by_value(model, key, value)?,
            (None, Value::Int(id)) => self.existing(model, *id)?,
            (None, _) => None,
        };
        let object = found
            .filter(|object| !matches!(object.state.get(), State::Deleted | State::Gone))
            .ok_or_else(|| self.refuse(model, "there is no such object to link to"))?;
        let id = object.id.get();
        self.known.borrow_mut().insert(name, id);
        Ok(id)
    }

    /// `validateForInsert` and `validateForUpdate`: no null where none may be.
    /// A back-link is its owner's affair.
    pub fn validate(&self, object: &Rc<Object>) -> Result<(), EngineError> {
        let values = self.values(object)?;
        for (value, slot) in values.iter().zip(&self.entity(object.entity).slots) {
            let looked_at = match slot.kind {
                SlotKind::Attribute(_) | SlotKind::Transformable => true,
                SlotKind::ToOne { back, .. } => !back,
                _ => false,
            };
            if looked_at && !slot.optional && value.is_null() {
                let column = slot.column.as_deref().unwrap_or_default();
                return Err(self.refuse(object.entity, &format!("{column} may not be null")));
            }
        }
        Ok(())
    }
}

/// The `Z_PK` of the record of that number.
fn number(row: u64) -> Result<i64, EngineError> {
    i64::try_from(row)
        .ok()
        .and_then(|row| row.checked_add(1))
        .ok_or_else(|| unsupported("row numbers above 2^63 have no identity"))
}
