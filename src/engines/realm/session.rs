//! An open store.

use std::path::Path;
use std::rc::Rc;

use super::error::{misuse, unsupported};
use super::options::Chosen;
use super::running::{Execution, Running};
use super::store::Store;
use super::write::Inserts;
use crate::base::Value;
use crate::engines::{EngineError, Maintenance, Prepared, Session, Setting};
use crate::plan::Request;
use crate::plan::schema::ModelId;
use crate::workload::{HookRunner, Record, Sink};

/// A session. Prepared requests stand before the store: they hold queries of it.
pub struct RealmSession {
    prepared: Vec<Option<Running>>,
    free: Vec<usize>,
    inserts: Inserts,
    store: Store,
    in_memory: bool,
    hooks: Rc<dyn HookRunner>,
}

impl RealmSession {
    /// Opens the store in `directory`, creating it if it is not there.
    pub fn open(
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Self, EngineError> {
        let store = Store::open(directory, setting)?;
        Ok(RealmSession {
            prepared: Vec::new(),
            free: Vec::new(),
            inserts: Inserts::new(&store),
            store,
            in_memory: Chosen::of(setting.options).in_memory,
            hooks,
        })
    }

    /// Runs `work` in the open transaction, or in one of its own: Realm writes
    /// in no other way. `work` is told whether the transaction goes on.
    fn write<R>(
        &mut self,
        work: impl FnOnce(&mut Self, bool) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        if self.store.realm.is_writing() {
            return work(self, true);
        }
        self.store.realm.begin()?;
        match work(self, false) {
            Ok(result) => self.store.realm.commit().map(|()| result),
            Err(error) => {
                self.inserts.targets.forget();
                // The first error is the one to tell.
                let _ = self.store.realm.rollback();
                Err(error)
            }
        }
    }
}

impl Session for RealmSession {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.store.realm.begin()
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.store.realm.commit()
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.inserts.targets.forget();
        self.store.realm.rollback()
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.write(|session, keep| {
            session
                .inserts
                .store(&mut session.store, model, records, keep)
        })
    }

    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.write(|session, keep| {
            session
                .inserts
                .upsert(&mut session.store, model, records, keep)
        })
    }

    fn instantiate(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Err(unsupported(
            "objects outside a realm belong to the language bindings, not to Realm Core",
        ))
    }

    fn insert_instantiated(&mut self, _: ModelId, _: u64) -> Result<(), EngineError> {
        Err(unsupported(
            "objects outside a realm belong to the language bindings, not to Realm Core",
        ))
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let running = Running::new(&self.store, request, |model| {
            self.inserts.watch(&self.store, model)
        })?;
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
        let hooks = Rc::clone(&self.hooks);
        let execution = |sink, keep| Execution {
            arguments,
            hooks: &*hooks,
            sink,
            keep,
        };
        if !running.changes() {
            return running.ask(&self.store, execution(sink, false));
        }
        if running.deletes() {
            self.inserts.targets.forget();
        }
        if self.store.realm.is_writing() {
            return running.change(&mut self.store, execution(sink, true));
        }
        // Taken out, so that the session can begin and commit around it.
        let mut taken = self.prepared[prepared.0].take();
        let result = self.write(|session, keep| match &mut taken {
            Some(running) => running.change(&mut session.store, execution(sink, keep)),
            None => Err(misuse("the request is not prepared")),
        });
        self.prepared[prepared.0] = taken;
        result
    }

    fn release(&mut self, prepared: Prepared) {
        let slot = self.prepared.get_mut(prepared.0);
        if slot.is_some_and(|slot| slot.take().is_some()) {
            self.free.push(prepared.0);
        }
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        if what == Maintenance::Checkpoint {
            return Err(unsupported(
                "Realm has no checkpoint: a commit is in the file",
            ));
        }
        if self.in_memory {
            return Err(unsupported(
                "nothing is kept on disk that could be compacted",
            ));
        }
        for running in self.prepared.iter_mut().flatten() {
            running.forget();
        }
        match self.store.realm.compact()? {
            true => Ok(()),
            false => Err(misuse("Realm did not compact: the file is in use")),
        }
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        self.store.indexes()
    }

    fn close(mut self: Box<Self>) -> Result<(), EngineError> {
        self.prepared.clear();
        let RealmSession { store, .. } = *self;
        store.realm.close()
    }
}
