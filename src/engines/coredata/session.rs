//! An open store as a session.
//!
//! A transaction is what is pending in the context between two saves: `commit`
//! saves. A request that asks the store while something is pending finds it
//! written, in the SQL transaction that the commit will end.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::rc::Rc;

use super::batch;
use super::context::{Context, Settings};
use super::entity::Entities;
use super::insert::Built;
use super::layer::Layer;
use super::opening;
use super::request::plan;
use super::running::Running;
use super::store::Store;
use crate::base::Value;
use crate::engines::sqlite::error::misuse;
use crate::engines::sqlite::facts;
use crate::engines::{EngineError, Maintenance, Prepared, Session, Setting};
use crate::plan::Request;
use crate::plan::schema::ModelId;
use crate::workload::{HookRunner, Record, Sink};

/// A session.
pub struct CoreDataSession {
    prepared: Vec<Option<Running>>,
    free: Vec<usize>,
    /// Objects that were built and not inserted yet, each with what it owns.
    waiting: HashMap<ModelId, VecDeque<Built>>,
    context: Context,
    /// Between `begin` and `commit`.
    in_transaction: bool,
    /// Why the running transaction can only be undone.
    broken: Option<EngineError>,
}

impl CoreDataSession {
    /// Opens the store in `directory`, creating it if it is not there.
    pub fn open(
        directory: &Path,
        setting: &Setting<'_>,
        settings: Settings,
        hooks: Rc<dyn HookRunner>,
        layer: impl FnOnce(&Entities) -> Option<Box<dyn Layer>>,
    ) -> Result<CoreDataSession, EngineError> {
        let entities = Entities::of(setting.schema);
        let layer = layer(&entities);
        let connection = opening::open(
            directory,
            setting.schema,
            &entities,
            setting.options,
            layer.as_deref(),
        )?;
        Ok(CoreDataSession {
            prepared: Vec::new(),
            free: Vec::new(),
            waiting: HashMap::new(),
            context: Context::new(
                setting.schema.clone(),
                entities,
                Store::new(connection),
                hooks,
                settings,
                layer,
            ),
            in_transaction: false,
            broken: None,
        })
    }

    /// The context, for tests.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Runs `work`, and saves unless a transaction is open. What fails outside
    /// of one is undone.
    fn write<R>(
        &mut self,
        work: impl FnOnce(&Context) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        let outcome = work(&self.context);
        self.context.drain();
        if self.in_transaction {
            return outcome;
        }
        match outcome {
            Ok(value) => self.context.save().map(|()| value),
            Err(error) => {
                self.context.roll_back()?;
                Err(error)
            }
        }
    }

    /// Writes what is pending, for a request that asks the store.
    fn flush(&mut self) -> Result<(), EngineError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let outcome = self.context.write_pending();
        if let Err(error) = &outcome {
            self.broken = Some(error.clone());
        }
        outcome
    }

    fn batch_insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.flush()?;
        self.write(|context| context.batch_insert(model, records))
    }
}

impl Session for CoreDataSession {
    fn begin(&mut self) -> Result<(), EngineError> {
        if self.in_transaction {
            return Err(misuse("a transaction is open already"));
        }
        self.in_transaction = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.in_transaction = false;
        match self.broken.take() {
            None => self.context.save(),
            Some(error) => {
                self.context.roll_back()?;
                Err(error)
            }
        }
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.in_transaction = false;
        self.broken = None;
        self.context.roll_back()
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        if self.context.settings.batch_insert && batch::inserts(&self.context.entities, model) {
            return self.batch_insert(model, records);
        }
        self.write(|context| {
            let mut built = Vec::with_capacity(records.len());
            for record in records {
                built.append(&mut context.build(model, record)?);
            }
            context.insert(built)
        })
    }

    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.flush()?;
        self.write(|context| context.upsert(model, records))
    }

    fn instantiate(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let waiting = self.waiting.entry(model).or_default();
        for record in records {
            waiting.push_back(self.context.build(model, record)?);
        }
        Ok(())
    }

    fn insert_instantiated(&mut self, model: ModelId, count: u64) -> Result<(), EngineError> {
        let mut built = Vec::new();
        let waiting = self.waiting.entry(model).or_default();
        for _ in 0..count {
            let next = waiting.pop_front();
            built.append(&mut next.ok_or_else(|| misuse("no more objects were instantiated"))?);
        }
        self.write(|context| context.insert(built))
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let context = &self.context;
        let plan = plan(
            &context.schema,
            &context.entities,
            &context.settings,
            request,
        )?;
        let running = Running::new(context, plan)?;
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
        let slot = self.prepared.get_mut(prepared.0);
        // Taken out, so that the session can save around it.
        let mut running = slot
            .and_then(Option::take)
            .ok_or_else(|| misuse("the request is not prepared"))?;
        let outcome = match running.asks_the_store(&self.context) {
            true => self.flush(),
            false => Ok(()),
        };
        let outcome = outcome.and_then(|()| match running.changes() {
            true => self.write(|context| running.run(context, arguments, sink)),
            false => {
                let outcome = running.run(&self.context, arguments, sink);
                self.context.drain();
                outcome
            }
        });
        self.prepared[prepared.0] = Some(running);
        outcome
    }

    fn release(&mut self, prepared: Prepared) {
        let slot = self.prepared.get_mut(prepared.0);
        if slot.is_some_and(|slot| slot.take().is_some()) {
            self.free.push(prepared.0);
        }
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        let connection = &self.context.store.connection;
        if what == Maintenance::Compact {
            connection.execute_batch("VACUUM")?;
        }
        facts::checkpoint(connection)
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        facts::indexes(&self.context.store.connection)
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        let CoreDataSession {
            prepared, context, ..
        } = *self;
        drop(prepared);
        context.reset();
        context.store.close()
    }
}
