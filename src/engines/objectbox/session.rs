//! An open store.

use std::path::Path;
use std::rc::Rc;

use super::api::{Store, Txn, misuse, unsupported};
use super::ffi;
use super::finder::Ground;
use super::inserting::Inserting;
use super::layout;
use super::record::Encoder;
use super::running::Running;
use super::setup::Setup;
use super::undo::Undo;
use super::upserting::Upserting;
use crate::base::Value;
use crate::engines::{EngineError, Maintenance, Prepared, Session, Setting};
use crate::plan::Request;
use crate::plan::schema::ModelId;
use crate::workload::{HookRunner, Record, Sink};

/// A session. Queries and transactions stand before the store, though they
/// keep it alive by themselves: `close` wants it alone.
pub struct ObjectBoxSession {
    prepared: Vec<Option<Running>>,
    free: Vec<usize>,
    upserts: Vec<Option<Upserting>>,
    txn: Option<Txn>,
    store: Rc<Store>,
    setup: Rc<Setup>,
    hooks: Rc<dyn HookRunner>,
    encoder: Encoder,
}

impl ObjectBoxSession {
    /// Opens the store in `directory`, creating it if it is not there.
    pub fn open(
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Self, EngineError> {
        let setup = Setup::of(setting)?;
        let functions = ffi::functions()?;
        let model = layout::model(functions, &setup.layout)?;
        let store = Store::open(functions, directory, model, setup.options.max_db_size_kib)?;
        Ok(ObjectBoxSession {
            prepared: Vec::new(),
            free: Vec::new(),
            upserts: setup.schema.models.iter().map(|_| None).collect(),
            txn: None,
            store: Rc::new(store),
            setup: Rc::new(setup),
            hooks,
            encoder: Encoder::default(),
        })
    }

    fn in_transaction(&self, wanted: bool) -> Result<(), EngineError> {
        match (self.txn.is_some(), wanted) {
            (false, true) => Err(misuse("no transaction has begun")),
            (true, false) => Err(misuse("a transaction has begun already")),
            _ => Ok(()),
        }
    }
}

/// Runs `work` in the open transaction, or in one of its own, which an error
/// undoes; `work` is told which.
fn write<R>(
    open: &mut Option<Txn>,
    store: &Rc<Store>,
    work: impl FnOnce(&mut Txn, bool) -> Result<R, EngineError>,
) -> Result<R, EngineError> {
    if let Some(txn) = open {
        return work(txn, true);
    }
    let mut txn = Txn::write(store)?;
    let result = work(&mut txn, false)?;
    txn.commit()?;
    Ok(result)
}

impl Session for ObjectBoxSession {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.in_transaction(false)?;
        self.txn = Some(Txn::write(&self.store)?);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.in_transaction(true)?;
        match self.txn.take() {
            Some(txn) => txn.commit(),
            None => Ok(()),
        }
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.in_transaction(true)?;
        self.txn = None;
        Ok(())
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let ground = Ground {
            store: &self.store,
            setup: &self.setup,
            hooks: &*self.hooks,
        };
        let encoder = &mut self.encoder;
        write(&mut self.txn, &self.store, |txn, within| {
            let inserting = Inserting {
                ground: &ground,
                encoder,
                undo: Undo::new(within),
            };
            inserting.run(txn, model, records)
        })
    }

    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let ground = Ground {
            store: &self.store,
            setup: &self.setup,
            hooks: &*self.hooks,
        };
        let slot = self.upserts.get_mut(model);
        let slot = slot.ok_or_else(|| misuse("there is no such model"))?;
        let upserting = match slot {
            Some(upserting) => upserting,
            None => slot.insert(Upserting::new(&ground, model)?),
        };
        let encoder = &mut self.encoder;
        write(&mut self.txn, &self.store, |txn, within| {
            upserting.run(&ground, txn, encoder, records, within)
        })
    }

    fn instantiate(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Err(no_objects())
    }

    fn insert_instantiated(&mut self, _: ModelId, _: u64) -> Result<(), EngineError> {
        Err(no_objects())
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let ground = Ground {
            store: &self.store,
            setup: &self.setup,
            hooks: &*self.hooks,
        };
        let running = Running::new(&ground, request)?;
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
        let running = self.prepared.get(prepared.0).and_then(Option::as_ref);
        let running = running.ok_or_else(|| misuse("the request is not prepared"))?;
        let ground = Ground {
            store: &self.store,
            setup: &self.setup,
            hooks: &*self.hooks,
        };
        if running.writes() {
            let encoder = &mut self.encoder;
            return write(&mut self.txn, &self.store, |txn, _| {
                running.change(&ground, txn, encoder, arguments)
            });
        }
        match &self.txn {
            Some(txn) => running.ask(&ground, txn, arguments, sink),
            None => running.ask(&ground, &Txn::read(&self.store)?, arguments, sink),
        }
    }

    fn release(&mut self, prepared: Prepared) {
        let slot = self.prepared.get_mut(prepared.0);
        if slot.is_some_and(|slot| slot.take().is_some()) {
            self.free.push(prepared.0);
        }
    }

    fn maintain(&mut self, _: Maintenance) -> Result<(), EngineError> {
        Err(unsupported(
            "ObjectBox neither compacts its file nor has a log to carry over",
        ))
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        Ok(layout::indexes(&self.setup.layout))
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        let store = Rc::clone(&self.store);
        drop(self);
        let store = Rc::try_unwrap(store).map_err(|_| misuse("a query outlived its session"))?;
        store.close()
    }
}

fn no_objects() -> EngineError {
    unsupported("objects belong to ObjectBox's language bindings")
}
