//! The save: identities from `Z_PRIMARYKEY`, then row by row through prepared
//! statements, in one transaction.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::context::{Context, Pair, Pending};
use super::entity::{SlotId, SlotKind};
use super::layer::{Change, ChangeKind};
use super::object::{Object, Row, State};
use super::store::{Key, archive, bind_slot};
use crate::base::Value;
use crate::engines::sqlite::statement::Statement;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::ModelId;

impl Context {
    /// Saves: writes what is pending and commits.
    pub fn save(&self) -> Result<(), EngineError> {
        let outcome = self.write_pending().and_then(|()| {
            if !self.store.in_transaction.get() {
                return Ok(());
            }
            self.store.commit()?;
            // Core Data asks after each save whether freed pages are worth giving back.
            self.store.run("PRAGMA page_count")?;
            self.store.run("PRAGMA freelist_count")
        });
        if outcome.is_err() {
            self.store.rollback()?;
        }
        self.ended(outcome.is_ok());
        outcome
    }

    fn ended(&self, kept: bool) {
        self.reset();
        if let Some(layer) = &self.layer {
            layer.ended(kept);
        }
    }

    /// Forgets everything that was not saved.
    pub fn roll_back(&self) -> Result<(), EngineError> {
        self.ended(false);
        self.store.rollback()
    }

    /// Writes what is pending into the open transaction, or begins one.
    pub fn write_pending(&self) -> Result<(), EngineError> {
        let pending = std::mem::take(&mut *self.pending.borrow_mut());
        if pending.is_empty() {
            return Ok(());
        }
        let mut changes = Vec::new();
        let assigned = self.assign(&pending)?;
        if !self.store.in_transaction.get() {
            self.store.begin()?;
        }
        // Deletes first, so that what takes the place of a deleted record finds it free.
        self.unjoin(&pending.unjoined)?;
        self.delete_rows(&pending.deleted, &mut changes)?;
        self.update_rows(&pending.updated, &mut changes)?;
        self.insert_rows(pending.inserted, &assigned, &mut changes)?;
        self.join(&pending.joined, &assigned)?;
        if let Some(layer) = &self.layer {
            layer.saved(self, &changes)?;
        }
        // Names were of temporary identities.
        self.known.borrow_mut().clear();
        Ok(())
    }

    /// Permanent identities for new objects: a range per entity, in a
    /// transaction of its own.
    fn assign(&self, pending: &Pending) -> Result<HashMap<i64, i64>, EngineError> {
        let mut assigned = HashMap::with_capacity(pending.inserted.len());
        let mut by_entity: BTreeMap<ModelId, Vec<&Rc<Object>>> = BTreeMap::new();
        for object in &pending.inserted {
            by_entity.entry(object.entity).or_default().push(object);
        }
        if by_entity.is_empty() {
            return Ok(assigned);
        }
        let own = !self.store.in_transaction.get();
        if own {
            self.store.begin()?;
        }
        for (model, objects) in by_entity {
            let number = self.entity(model).number;
            let highest = self.highest(number)?;
            let mut last = highest;
            for object in objects {
                let id = match object.wanted {
                    0 => {
                        last += 1;
                        last
                    }
                    wanted => {
                        last = last.max(wanted);
                        wanted
                    }
                };
                assigned.insert(object.id.get(), id);
            }
            if last > highest {
                self.raise(number, highest, last)?;
            }
        }
        if own {
            self.store.commit()?;
        }
        Ok(assigned)
    }

    /// `Z_MAX` of an entity.
    pub fn highest(&self, number: i64) -> Result<i64, EngineError> {
        let sql = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?1";
        let statement = self.store.statement(Key::Text(sql), || sql.to_owned())?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        row.int(number)?;
        row.step()?;
        Ok(row.get_int(0))
    }

    /// Takes the identities up to `last`.
    pub fn raise(&self, number: i64, highest: i64, last: i64) -> Result<(), EngineError> {
        let sql = "UPDATE OR FAIL Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX = ?3";
        let statement = self.store.statement(Key::Text(sql), || sql.to_owned())?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        for value in [last, number, highest] {
            row.int(value)?;
        }
        row.run()
    }

    fn insert_rows(
        &self,
        mut inserted: Vec<Rc<Object>>,
        assigned: &HashMap<i64, i64>,
        changes: &mut Vec<Change>,
    ) -> Result<(), EngineError> {
        inserted.sort_by_key(|object| object.entity);
        let mut prepared: Option<(ModelId, Rc<RefCell<Statement>>)> = None;
        for object in inserted {
            let model = object.entity;
            let statement = match &prepared {
                Some((of, statement)) if *of == model => Rc::clone(statement),
                _ => {
                    let statement = self.insert_statement(model)?;
                    prepared = Some((model, Rc::clone(&statement)));
                    statement
                }
            };
            let id = assigned.get(&object.id.get()).copied().unwrap_or_default();
            self.point(&object, assigned);
            let values = self.values(&object)?;
            self.insert_row(&mut statement.borrow_mut(), model, id, &values)?;
            // To-many relationships held temporary identities; they are faults now.
            object.many.borrow_mut().clear();
            *object.row.borrow_mut() = Some(Rc::new(Row { version: 1, values }));
            object.state.set(State::Clean);
            self.renumber(&object, id);
            self.record(changes, ChangeKind::Insert, model, id, Vec::new());
        }
        Ok(())
    }

    /// Makes to-one relationships point to permanent identities.
    fn point(&self, object: &Object, assigned: &HashMap<i64, i64>) {
        for (at, slot) in self.entity(object.entity).slots.iter().enumerate() {
            if !matches!(slot.kind, SlotKind::ToOne { .. }) {
                continue;
            }
            let held = match object.values.borrow().as_ref().and_then(|v| v.get(at)) {
                Some(Value::Int(id)) if *id < 0 => *id,
                _ => continue,
            };
            if let Some(id) = assigned.get(&held) {
                object.set(at, Value::Int(*id));
            }
        }
    }

    /// `INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, …) VALUES (…)`
    pub fn insert_sql(&self, model: ModelId) -> String {
        let entity = self.entity(model);
        let mut names = vec!["Z_PK", "Z_ENT", "Z_OPT"];
        names.extend(
            entity
                .columns
                .iter()
                .filter_map(|slot| entity.slots[*slot].column.as_deref()),
        );
        let places: Vec<String> = (1..=names.len()).map(|n| format!("?{n}")).collect();
        format!(
            "INSERT INTO {} ({}) VALUES ({})",
            entity.table,
            names.join(", "),
            places.join(", ")
        )
    }

    /// The prepared INSERT of an entity.
    pub fn insert_statement(&self, model: ModelId) -> Result<Rc<RefCell<Statement>>, EngineError> {
        self.store
            .statement(Key::Insert(model), || self.insert_sql(model))
    }

    /// Inserts one row.
    pub fn insert_row(
        &self,
        statement: &mut Statement,
        model: ModelId,
        id: i64,
        values: &[Value],
    ) -> Result<(), EngineError> {
        let entity = self.entity(model);
        let of = |slot: &SlotId| values.get(*slot).unwrap_or(&Value::Null);
        let archived = archive(entity.columns.iter().map(of))?;
        let mut row = statement.execution();
        row.int(id)?;
        row.int(entity.number)?;
        row.int(1)?;
        let mut at = 0;
        for slot in &entity.columns {
            bind_slot(&mut row, of(slot), &archived, &mut at)?;
        }
        row.run()
    }

    /// `UPDATE OR FAIL ZUSER SET ZAGE = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?`
    pub fn update_sql(&self, model: ModelId, slots: &[SlotId]) -> String {
        let entity = self.entity(model);
        let mut sets: Vec<String> = slots
            .iter()
            .filter_map(|slot| entity.slots[*slot].column.as_deref())
            .enumerate()
            .map(|(at, column)| format!("{column} = ?{}", at + 1))
            .collect();
        let next = sets.len() + 1;
        sets.push(format!("Z_OPT = ?{next}"));
        format!(
            "UPDATE OR FAIL {} SET {} WHERE Z_PK = ?{} AND Z_OPT = ?{}",
            entity.table,
            sets.join(", "),
            next + 1,
            next + 2
        )
    }

    fn update_rows(
        &self,
        updated: &[Rc<Object>],
        changes: &mut Vec<Change>,
    ) -> Result<(), EngineError> {
        for object in updated {
            if object.state.get() != State::Updated {
                continue;
            }
            object.state.set(State::Clean);
            // Set to what it was: nothing to write.
            let slots = object.changed();
            if slots.is_empty() {
                continue;
            }
            let model = object.entity;
            let values = self.values(object)?;
            let statement = self
                .store
                .statement(Key::Update(model, slots.clone()), || {
                    self.update_sql(model, &slots)
                })?;
            let mut statement = statement.borrow_mut();
            let of = |slot: &SlotId| values.get(*slot).unwrap_or(&Value::Null);
            let archived = archive(slots.iter().map(of))?;
            let (id, version) = (object.id.get(), object.version());
            let mut row = statement.execution();
            let mut at = 0;
            for slot in &slots {
                bind_slot(&mut row, of(slot), &archived, &mut at)?;
            }
            for value in [version + 1, id, version] {
                row.int(value)?;
            }
            row.run()?;
            if statement.changes() == 0 {
                return Err(self.conflict(object));
            }
            *object.row.borrow_mut() = Some(Rc::new(Row {
                version: version + 1,
                values: Rc::clone(&values),
            }));
            self.record(changes, ChangeKind::Update, model, id, slots);
        }
        Ok(())
    }

    /// `DELETE FROM ZUSER WHERE Z_PK = ? AND Z_OPT = ?`
    pub fn delete_sql(&self, model: ModelId) -> String {
        format!(
            "DELETE FROM {} WHERE Z_PK = ?1 AND Z_OPT = ?2",
            self.entity(model).table
        )
    }

    fn delete_rows(
        &self,
        deleted: &[Rc<Object>],
        changes: &mut Vec<Change>,
    ) -> Result<(), EngineError> {
        for object in deleted {
            let (model, id) = (object.entity, object.id.get());
            let statement = self
                .store
                .statement(Key::Delete(model), || self.delete_sql(model))?;
            let mut statement = statement.borrow_mut();
            let mut row = statement.execution();
            row.int(id)?;
            row.int(object.version())?;
            row.run()?;
            if statement.changes() == 0 {
                return Err(self.conflict(object));
            }
            object.state.set(State::Gone);
            self.forget(object);
            self.record(changes, ChangeKind::Delete, model, id, Vec::new());
        }
        Ok(())
    }

    fn join(&self, pairs: &[Pair], assigned: &HashMap<i64, i64>) -> Result<(), EngineError> {
        let permanent = |id: i64| assigned.get(&id).copied().unwrap_or(id);
        self.each_pair(pairs, true, |pair| {
            (permanent(pair.owner), permanent(pair.target))
        })
    }

    fn unjoin(&self, pairs: &[Pair]) -> Result<(), EngineError> {
        self.each_pair(pairs, false, |pair| (pair.owner, pair.target))
    }

    fn each_pair(
        &self,
        pairs: &[Pair],
        adds: bool,
        ends: impl Fn(&Pair) -> (i64, i64),
    ) -> Result<(), EngineError> {
        for pair in pairs {
            let SlotKind::Join { table, .. } = &self.entity(pair.entity).slots[pair.slot].kind
            else {
                continue;
            };
            let (own, to) = (&table.owner, &table.target);
            let statement = match adds {
                true => self
                    .store
                    .statement(Key::Join(pair.entity, pair.slot), || {
                        format!("INSERT OR REPLACE INTO {table} ({own}, {to}) VALUES (?1, ?2)")
                    })?,
                false => self
                    .store
                    .statement(Key::Unjoin(pair.entity, pair.slot), || {
                        format!("DELETE FROM {table} WHERE {own} = ?1 AND {to} = ?2")
                    })?,
            };
            let mut statement = statement.borrow_mut();
            let (owner, target) = ends(pair);
            let mut row = statement.execution();
            row.int(owner)?;
            row.int(target)?;
            row.run()?;
        }
        Ok(())
    }

    fn record(
        &self,
        changes: &mut Vec<Change>,
        kind: ChangeKind,
        entity: ModelId,
        id: i64,
        slots: Vec<SlotId>,
    ) {
        if self.layer.is_some() {
            changes.push(Change {
                kind,
                entity,
                id,
                slots,
            });
        }
    }

    /// Optimistic locking: the row was changed since the object was made from it.
    fn conflict(&self, object: &Object) -> EngineError {
        EngineError::new(
            ErrorKind::Constraint,
            format!(
                "merge conflict: {} {} is not at version {} any more",
                self.entity(object.entity).name,
                object.id.get(),
                object.version()
            ),
        )
    }
}
