//! Find or create: one fetch for the keys of a batch, then new values for what
//! was found and new objects for the rest.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::context::{Context, Pair};
use super::entity::{SlotId, SlotKind};
use super::object::Object;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::error::{misuse, unsupported};
use crate::plan::schema::ModelId;
use crate::workload::compare::Ordered;
use crate::workload::{Content, Record};

impl Context {
    /// Stores records by key.
    pub fn upsert(&self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let key = self
            .entity(model)
            .key
            .ok_or_else(|| unsupported("an upsert needs a key"))?;
        let mut found: BTreeMap<Ordered, Rc<Object>> = BTreeMap::new();
        for record in records {
            let Some(Content::Value(value)) = record.fields.get(key) else {
                return Err(unsupported("an upsert needs a scalar key"));
            };
            let name = Ordered(value.clone());
            let there = match found.get(&name) {
                Some(object) => Some(Rc::clone(object)),
                None => self.by_value(model, key, value)?,
            };
            let object = match there {
                Some(object) => {
                    self.overwrite(&object, record)?;
                    object
                }
                None => {
                    let built = self.build(model, record)?;
                    let first = built.first().cloned();
                    self.insert(built)?;
                    first.ok_or_else(|| misuse("nothing was built"))?
                }
            };
            found.insert(name, object);
        }
        Ok(())
    }

    /// Gives an object all values of a record. All is looked up first.
    fn overwrite(&self, object: &Rc<Object>, record: &Record) -> Result<(), EngineError> {
        self.values(object)?;
        let slots = &self.entity(object.entity).slots;
        let mut values = Vec::new();
        let mut sets = Vec::new();
        for (at, (content, slot)) in record.fields.iter().zip(slots).enumerate() {
            match (content, &slot.kind) {
                (Content::Value(value), _) => values.push((at, value.clone())),
                (Content::Link(link), SlotKind::ToOne { target, .. }) => {
                    let id = link.as_ref().map(|link| self.target(*target, link));
                    values.push((at, id.transpose()?.map_or(Value::Null, Value::Int)));
                }
                (Content::Links(links), SlotKind::Join { target, .. }) => {
                    let ids = links.iter().map(|link| self.target(*target, link));
                    sets.push((at, ids.collect::<Result<Vec<_>, _>>()?));
                }
                _ => {}
            }
        }
        self.changing(object);
        for (slot, value) in values {
            self.mutated(object, slot);
            object.set(slot, value);
        }
        for (slot, ids) in sets {
            self.replace_many(object, slot, &ids)?;
        }
        self.validate(object)
    }

    /// Gives a many-to-many relationship other destinations.
    fn replace_many(
        &self,
        object: &Rc<Object>,
        slot: SlotId,
        ids: &[i64],
    ) -> Result<(), EngineError> {
        let owner = object.id.get();
        let old = match owner {
            ..0 => Rc::from([].as_slice()),
            _ => self.many(object, slot)?,
        };
        let pair = |target: &i64| Pair {
            entity: object.entity,
            slot,
            owner,
            target: *target,
        };
        let mut pending = self.pending.borrow_mut();
        // What an earlier record of the batch gave it is not in the store yet.
        pending
            .joined
            .retain(|p| (p.entity, p.slot, p.owner) != (object.entity, slot, owner));
        pending
            .unjoined
            .retain(|p| (p.entity, p.slot, p.owner) != (object.entity, slot, owner));
        let gone = old.iter().filter(|id| !ids.contains(id)).map(pair);
        pending.unjoined.extend(gone);
        let new = ids.iter().filter(|id| !old.contains(id)).map(pair);
        pending.joined.extend(new);
        Ok(())
    }

    /// Tells the layer above that a property is set.
    pub fn mutated(&self, object: &Object, slot: SlotId) {
        if let Some(backing) = &object.backing {
            backing.mutated(slot);
        }
    }
}
