//! To-many faults, one by one, and prefetching, many at a time.

use std::collections::HashMap;
use std::rc::Rc;

use super::context::{Context, count};
use super::entity::{Entity, SlotId, SlotKind};
use super::object::Object;
use super::store::{Key, read_row, whole_row};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::ModelId;

/// Parameters of a statement for many records. Core Data hands SQLite an array
/// as a virtual table (`_Z_intarray0`); here it is a list of parameters.
const MANY: usize = 200;
const FEW: usize = 8;

/// `?1, ?2, …`
fn parameters(count: usize) -> String {
    let all: Vec<String> = (1..=count).map(|n| format!("?{n}")).collect();
    all.join(", ")
}

impl Context {
    /// Fires the fault of a to-many relationship: the identities alone, as Core
    /// Data's own statement delivers. Where the relationship is the inverse of
    /// one that holds several, all are there.
    pub fn many(&self, object: &Rc<Object>, slot: SlotId) -> Result<Rc<[i64]>, EngineError> {
        if let Some(known) = object.known_many(slot) {
            return Ok(known);
        }
        let entity = self.entity(object.entity);
        let sql = || self.many_sql(entity, slot);
        let statement = self.store.statement(Key::Many(object.entity, slot), sql)?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        row.int(object.id.get())?;
        let mut ids = Vec::new();
        while row.step()? {
            ids.push(row.get_int(1));
        }
        count(&self.counts.many);
        self.touch(object);
        let ids: Rc<[i64]> = ids.into();
        object.many.borrow_mut().push((slot, Rc::clone(&ids)));
        Ok(ids)
    }

    /// The statement of such a fault.
    pub fn many_sql(&self, entity: &Entity, slot: SlotId) -> String {
        let to = |target: ModelId| self.entity(target);
        match &entity.slots[slot].kind {
            SlotKind::Join { target, table } => format!(
                "SELECT 0, t0.Z_PK FROM {table} t1 JOIN {} t0 ON t0.Z_PK = t1.{} WHERE t1.{} = ?1",
                to(*target).table,
                table.target,
                table.owner
            ),
            SlotKind::JoinBack { target, table } => format!(
                "SELECT 0, t0.Z_PK FROM {table} t1 JOIN {} t0 ON t0.Z_PK = t1.{} WHERE t1.{} = ?1 ORDER BY t0.Z_PK",
                to(*target).table,
                table.owner,
                table.target
            ),
            SlotKind::Children { target, slot } | SlotKind::Mirror { target, slot } => {
                let target = to(*target);
                let column = target.slots[*slot].column.as_deref().unwrap_or_default();
                format!(
                    "SELECT 0, t0.Z_PK FROM {} t0 WHERE t0.{column} = ?1",
                    target.table
                )
            }
            _ => String::new(),
        }
    }

    /// The objects of these identities, their rows read many at a time where
    /// they are not there.
    pub fn fill(&self, model: ModelId, ids: &[i64]) -> Result<Vec<Rc<Object>>, EngineError> {
        let objects: Vec<Rc<Object>> = ids.iter().map(|id| self.object(model, *id)).collect();
        let mut missing: Vec<i64> = objects
            .iter()
            .filter(|object| object.is_fault() && object.row.borrow().is_none())
            .map(|object| object.id.get())
            .collect();
        missing.sort_unstable();
        missing.dedup();
        self.among(model, None, &missing, |_| {})?;
        Ok(objects)
    }

    /// Reads the rows whose column (`Z_PK` for `None`) is among these; `each`
    /// gets the objects.
    pub fn among(
        &self,
        model: ModelId,
        slot: Option<SlotId>,
        ids: &[i64],
        mut each: impl FnMut(Rc<Object>),
    ) -> Result<(), EngineError> {
        let entity = self.entity(model);
        let column = slot.map_or("Z_PK", |slot| {
            entity.slots[slot].column.as_deref().unwrap_or_default()
        });
        self.chunks(ids, |chunk, size| {
            let statement = self.store.statement(Key::Among(model, slot, size), || {
                format!(
                    "SELECT {} FROM {} t0 WHERE t0.{column} IN ({})",
                    whole_row(entity),
                    entity.table,
                    parameters(size)
                )
            })?;
            let mut statement = statement.borrow_mut();
            let mut row = statement.execution();
            for id in padded(chunk, size) {
                row.int(id)?;
            }
            while row.step()? {
                let (id, read) = read_row(entity, &row)?;
                each(self.adopt(model, id, read));
            }
            Ok(())
        })
    }

    /// Entries of a join table for these records: (record, other end). `back`
    /// reads them by the target.
    pub fn pairs(
        &self,
        model: ModelId,
        slot: SlotId,
        back: bool,
        ids: &[i64],
    ) -> Result<Vec<(i64, i64)>, EngineError> {
        let table = match &self.entity(model).slots[slot].kind {
            SlotKind::Join { table, .. } | SlotKind::JoinBack { table, .. } => table,
            _ => return Ok(Vec::new()),
        };
        let (by, other) = match back {
            true => (&table.target, &table.owner),
            false => (&table.owner, &table.target),
        };
        let mut pairs = Vec::new();
        self.chunks(ids, |chunk, size| {
            let key = Key::Pairs(model, slot, back, size);
            let statement = self.store.statement(key, || {
                format!(
                    "SELECT t1.{by}, t1.{other} FROM {table} t1 WHERE t1.{by} IN ({})",
                    parameters(size)
                )
            })?;
            let mut statement = statement.borrow_mut();
            let mut row = statement.execution();
            for id in padded(chunk, size) {
                row.int(id)?;
            }
            while row.step()? {
                pairs.push((row.get_int(0), row.get_int(1)));
            }
            Ok(())
        })?;
        Ok(pairs)
    }

    fn chunks(
        &self,
        ids: &[i64],
        mut each: impl FnMut(&[i64], usize) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        for chunk in ids.chunks(MANY) {
            let size = if chunk.len() <= FEW { FEW } else { MANY };
            each(chunk, size)?;
        }
        Ok(())
    }

    /// Reads what a relationship of all these objects leads to, many at a time;
    /// their to-many faults are filled. Returns the destinations, each once.
    pub fn prefetch(
        &self,
        objects: &[Rc<Object>],
        slot: SlotId,
    ) -> Result<Vec<Rc<Object>>, EngineError> {
        let Some(model) = objects.first().map(|object| object.entity) else {
            return Ok(Vec::new());
        };
        let kind = self.entity(model).slots[slot].kind.clone();
        let ids: Vec<i64> = objects.iter().map(|object| object.id.get()).collect();
        let (target, pairs) = match kind {
            SlotKind::ToOne { target, .. } => {
                let mut targets = Vec::new();
                for object in objects {
                    if let Some(Value::Int(id)) = self.values(object)?.get(slot) {
                        targets.push(*id);
                    }
                }
                targets.sort_unstable();
                targets.dedup();
                return self.fill(target, &targets);
            }
            SlotKind::Children { target, slot: back } | SlotKind::Mirror { target, slot: back } => {
                let mut found = Vec::new();
                self.among(target, Some(back), &ids, |child| found.push(child))?;
                let mut pairs = Vec::with_capacity(found.len());
                for child in &found {
                    if let Some(Value::Int(owner)) = self.values(child)?.get(back) {
                        pairs.push((*owner, child.id.get()));
                    }
                }
                (target, pairs)
            }
            SlotKind::Join { target, .. } => (target, self.pairs(model, slot, false, &ids)?),
            SlotKind::JoinBack { target, .. } => (target, self.pairs(model, slot, true, &ids)?),
            SlotKind::Attribute(_) | SlotKind::Transformable => return Ok(Vec::new()),
        };
        let mut by_owner: HashMap<i64, Vec<i64>> = HashMap::new();
        for (owner, id) in &pairs {
            by_owner.entry(*owner).or_default().push(*id);
        }
        for object in objects {
            if object.known_many(slot).is_none() {
                let mut many = by_owner.remove(&object.id.get()).unwrap_or_default();
                many.sort_unstable();
                self.touch(object);
                object.many.borrow_mut().push((slot, many.into()));
            }
        }
        let mut targets: Vec<i64> = pairs.into_iter().map(|(_, id)| id).collect();
        targets.sort_unstable();
        targets.dedup();
        self.fill(target, &targets)
    }
}

/// A chunk, its last identity repeated to fill the parameters.
fn padded(chunk: &[i64], size: usize) -> impl Iterator<Item = i64> + '_ {
    let last = chunk.last().copied().unwrap_or_default();
    chunk
        .iter()
        .copied()
        .chain(std::iter::repeat(last))
        .take(size)
}
