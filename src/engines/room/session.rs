//! An open store.

use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;

use super::adapter::{self, Adapter};
use super::database::Database;
use super::object::Object;
use super::options::Configuration;
use super::plan;
use super::running::Running;
use super::upserting::Upsert;
use crate::base::Value;
use crate::engines::sqlite::error::misuse;
use crate::engines::sqlite::facts;
use crate::engines::sqlite::layout::Layout;
use crate::engines::{EngineError, Maintenance, Prepared, Session, Setting};
use crate::plan::schema::{ModelId, Schema};
use crate::plan::{Hook, Request};
use crate::workload::{HookRunner, Record, Sink};

/// A session. Statements stand before the database.
pub struct RoomSession {
    prepared: Vec<Option<Running>>,
    free: Vec<usize>,
    adapters: Vec<Adapter>,
    upserts: Vec<Option<Upsert>>,
    database: Database,
    /// Objects built ahead, by model.
    objects: Vec<VecDeque<Object>>,
    schema: Schema,
    layout: Layout,
    hooks: Vec<Hook>,
}

impl RoomSession {
    /// Opens the store in `directory`, creating it if it is not there.
    pub fn open(
        directory: &Path,
        setting: &Setting<'_>,
        runner: Rc<dyn HookRunner>,
    ) -> Result<Self, EngineError> {
        let configuration = Configuration::of(setting.options)?;
        let layout = plan::layout(setting.schema);
        let models = setting.schema.models.len();
        Ok(RoomSession {
            prepared: Vec::new(),
            free: Vec::new(),
            adapters: adapter::adapters(setting.schema, &layout),
            upserts: (0..models).map(|_| None).collect(),
            database: Database::open(directory, setting.schema, &layout, configuration, runner)?,
            objects: (0..models).map(|_| VecDeque::new()).collect(),
            schema: setting.schema.clone(),
            layout,
            hooks: setting.hooks.to_vec(),
        })
    }

    fn build(&self, model: ModelId, records: &[Record]) -> Result<Vec<Object>, EngineError> {
        records
            .iter()
            .map(|record| Object::build(&self.adapters, model, record, None))
            .collect()
    }

    fn insert_objects(&mut self, model: ModelId, objects: &[Object]) -> Result<(), EngineError> {
        let adapters = &mut self.adapters;
        let objects: Vec<&Object> = objects.iter().collect();
        self.database
            .transaction(|database| adapter::insert(adapters, &database.primary, model, &objects))
    }
}

impl Session for RoomSession {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.database.begin()
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.database.commit()
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.database.rollback()
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let objects = self.build(model, records)?;
        self.insert_objects(model, &objects)
    }

    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let mut upsert = match self.upserts[model].take() {
            Some(upsert) => upsert,
            None => Upsert::new(
                &self.database.primary,
                &self.schema,
                &self.layout,
                &self.adapters,
                model,
            )?,
        };
        let adapters = &self.adapters;
        let result = self
            .database
            .transaction(|_| upsert.store(adapters, model, records));
        self.upserts[model] = Some(upsert);
        result
    }

    fn instantiate(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let objects = self.build(model, records)?;
        self.objects[model].extend(objects);
        Ok(())
    }

    fn insert_instantiated(&mut self, model: ModelId, count: u64) -> Result<(), EngineError> {
        let queue = &mut self.objects[model];
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if queue.len() < count {
            return Err(misuse("fewer objects were instantiated"));
        }
        let objects: Vec<Object> = queue.drain(..count).collect();
        self.insert_objects(model, &objects)
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let (plan, functions) = plan::compile(
            &self.schema,
            &self.layout,
            &self.hooks,
            self.database.configuration.entities,
            request,
        )?;
        self.database.register(functions)?;
        let running = Running::new(&self.database, &self.adapters, plan)?;
        // A request may be prepared for each execution: slots are used again.
        Ok(match self.free.pop() {
            Some(slot) => {
                self.prepared[slot] = Some(running);
                Prepared(slot)
            }
            None => {
                self.prepared.push(Some(running));
                Prepared(self.prepared.len() - 1)
            }
        })
    }

    fn execute(
        &mut self,
        prepared: Prepared,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let running = self.prepared.get_mut(prepared.0).and_then(Option::as_mut);
        let running = running.ok_or_else(|| misuse("the request is not prepared"))?;
        let result = if running.needs_transaction() {
            self.database
                .transaction(|database| running.run(database, arguments, sink))
        } else {
            running.run(&self.database, arguments, sink)
        };
        result.map_err(|error| self.database.told(error))
    }

    fn release(&mut self, prepared: Prepared) {
        let slot = self.prepared.get_mut(prepared.0);
        if slot.is_some_and(|slot| slot.take().is_some()) {
            self.free.push(prepared.0);
        }
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        if what == Maintenance::Compact {
            self.database.primary.execute_batch("VACUUM")?;
        }
        facts::checkpoint(&self.database.primary)
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        facts::indexes(&self.database.primary)
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        let RoomSession {
            prepared,
            adapters,
            upserts,
            database,
            ..
        } = *self;
        drop((prepared, adapters, upserts));
        database.close()
    }
}
