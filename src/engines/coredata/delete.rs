//! Delete rules, applied by the graph: cascade and nullify, level by level.
//! What a level's relationships lead to is prefetched before the rules run.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::context::{Context, Pair};
use super::entity::{SlotId, SlotKind};
use super::object::{Object, State};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::ModelId;

/// Objects to be deleted, by entity and identity.
type Gone = BTreeMap<ModelId, BTreeMap<i64, Rc<Object>>>;

/// What the rules ask for, applied when nothing refuses.
#[derive(Default)]
struct Consequences {
    /// To-one relationships that become null.
    nullified: Vec<(Rc<Object>, SlotId)>,
    /// Entries of join tables that go.
    unjoined: BTreeSet<Pair>,
}

impl Context {
    /// Deletes these objects with all that their rules reach.
    pub fn delete(&self, model: ModelId, objects: Vec<Rc<Object>>) -> Result<(), EngineError> {
        let mut gone = Gone::new();
        let mut ahead = vec![(model, objects)];
        while let Some((model, objects)) = ahead.pop() {
            let level: Vec<Rc<Object>> = objects
                .into_iter()
                .filter(|object| {
                    let known = gone.entry(model).or_default();
                    known.insert(object.id.get(), Rc::clone(object)).is_none()
                })
                .collect();
            if level.is_empty() {
                continue;
            }
            for (at, slot) in self.entity(model).slots.iter().enumerate() {
                if let (true, Some(target)) = (slot.cascade, slot.target()) {
                    ahead.push((target, self.destinations(&level, at)?));
                }
            }
        }
        let mut consequences = Consequences::default();
        for (model, objects) in &gone {
            self.nullify(*model, objects, &gone, &mut consequences)?;
        }
        for (object, slot) in consequences.nullified {
            self.changing(&object);
            self.mutated(&object, slot);
            object.set(slot, Value::Null);
        }
        let mut pending = self.pending.borrow_mut();
        pending.unjoined.extend(consequences.unjoined);
        for object in gone.into_values().flat_map(BTreeMap::into_values) {
            // Whether it was changed before no longer matters.
            object.state.set(State::Deleted);
            object.kept.set(true);
            pending.deleted.push(object);
        }
        pending
            .updated
            .retain(|object| object.state.get() == State::Updated);
        Ok(())
    }

    /// What a relationship of these objects leads to: prefetched, or fault by fault.
    fn destinations(
        &self,
        level: &[Rc<Object>],
        at: SlotId,
    ) -> Result<Vec<Rc<Object>>, EngineError> {
        if self.settings.delete_prefetching {
            return self.prefetch(level, at);
        }
        let mut found = Vec::new();
        for object in level {
            let slot = &self.entity(object.entity).slots[at];
            let Some(target) = slot.target() else {
                continue;
            };
            let ids = match slot.kind {
                SlotKind::ToOne { .. } => match self.values(object)?.get(at) {
                    Some(Value::Int(id)) => vec![*id],
                    _ => Vec::new(),
                },
                _ => self.many(object, at)?.to_vec(),
            };
            for id in ids {
                let object = self.object(target, id);
                self.values(&object)?;
                found.push(object);
            }
        }
        Ok(found)
    }

    /// What else points to these objects, or is pointed to by a join table.
    fn nullify(
        &self,
        model: ModelId,
        objects: &BTreeMap<i64, Rc<Object>>,
        gone: &Gone,
        consequences: &mut Consequences,
    ) -> Result<(), EngineError> {
        let entity = self.entity(model);
        let ids: Vec<i64> = objects.keys().copied().collect();
        let stays = |model: ModelId, id: i64| {
            gone.get(&model)
                .is_none_or(|there| !there.contains_key(&id))
        };
        // Relationships of others that end here, and children that stay.
        let children = entity.slots.iter().filter_map(|slot| match slot.kind {
            SlotKind::Children { target, slot } => Some((target, slot)),
            _ => None,
        });
        let incoming = entity.incoming.iter().map(|i| (i.from, i.slot));
        for (from, slot) in incoming.chain(children) {
            let mut pointing = Vec::new();
            let at_once = match self.settings.delete_prefetching {
                true => ids.len().max(1),
                false => 1,
            };
            for ids in ids.chunks(at_once) {
                self.among(from, Some(slot), ids, |object| pointing.push(object))?;
            }
            for object in pointing {
                // What the context has changed already counts, not the row.
                let still = matches!(self.values(&object)?.get(slot), Some(Value::Int(id)) if objects.contains_key(id));
                if !still || !stays(from, object.id.get()) {
                    continue;
                }
                if !self.entity(from).slots[slot].optional {
                    return Err(self.refuse(from, "a required relationship would be null"));
                }
                consequences.nullified.push((object, slot));
            }
        }
        for joined in &entity.joined {
            let slot = self.join_slot(joined.from, &joined.table.name);
            for (target, owner) in self.pairs(joined.from, slot, true, &ids)? {
                consequences.unjoined.insert(Pair {
                    entity: joined.from,
                    slot,
                    owner,
                    target,
                });
            }
        }
        for (at, slot) in entity.slots.iter().enumerate() {
            match slot.kind {
                SlotKind::Join { .. } => {
                    for (owner, target) in self.pairs(model, at, false, &ids)? {
                        consequences.unjoined.insert(Pair {
                            entity: model,
                            slot: at,
                            owner,
                            target,
                        });
                    }
                }
                // A required mirror of an owned to-one that stays loses its owner.
                SlotKind::ToOne {
                    target,
                    back: false,
                } => self.check_mirror(model, at, target, objects, &stays)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn check_mirror(
        &self,
        model: ModelId,
        at: SlotId,
        target: ModelId,
        objects: &BTreeMap<i64, Rc<Object>>,
        stays: &dyn Fn(ModelId, i64) -> bool,
    ) -> Result<(), EngineError> {
        let required = self.entity(target).slots.iter().any(|slot| {
            !slot.optional
                && matches!(slot.kind, SlotKind::Mirror { target, slot } if (target, slot) == (model, at))
        });
        if !required {
            return Ok(());
        }
        for object in objects.values() {
            if let Some(Value::Int(id)) = self.values(object)?.get(at)
                && stays(target, *id)
            {
                return Err(self.refuse(target, "a required relationship would be null"));
            }
        }
        Ok(())
    }

    /// The relationship whose join table has that name.
    fn join_slot(&self, model: ModelId, table: &str) -> SlotId {
        let slots = &self.entity(model).slots;
        let is =
            |kind: &SlotKind| matches!(kind, SlotKind::Join { table: t, .. } if t.name == table);
        slots
            .iter()
            .position(|slot| is(&slot.kind))
            .unwrap_or_default()
    }
}
