//! The session: statements and transactions over records.

use std::rc::Rc;

use super::block::Block;
use super::encoding::Encoding;
use super::find::Asking;
use super::keyvalue::KeyValue;
use super::program::Program;
use super::store::Store;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, Maintenance, Prepared, Session};
use crate::plan::Request;
use crate::plan::schema::{ModelId, Schema};
use crate::workload::{HookRunner, Record, Sink};

/// An open store.
///
/// What a transaction writes is held in memory and handed to the engine at
/// commit; reads see it before. A rollback forgets it.
pub struct RecordSession {
    store: Store,
    hooks: Rc<dyn HookRunner>,
    prepared: Vec<Option<Rc<Program>>>,
    block: Block,
    in_transaction: bool,
}

impl RecordSession {
    /// A session over an open engine.
    pub fn new(
        schema: &Schema,
        encoding: Encoding,
        engine: Box<dyn KeyValue>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<RecordSession, EngineError> {
        Ok(RecordSession {
            store: Store::new(schema.clone(), encoding, engine)?,
            hooks,
            prepared: Vec::new(),
            block: Block::default(),
            in_transaction: false,
        })
    }

    /// Runs one statement that writes: whole or, on an error, not at all.
    fn statement<T>(
        &mut self,
        run: impl FnOnce(&mut Store, &mut Block) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let mark = self.store.mark();
        let result = run(&mut self.store, &mut self.block);
        if result.is_err() {
            self.store.roll_back(mark);
        } else if !self.in_transaction {
            self.store.commit()?;
        }
        result
    }

    fn in_transaction(&self, wanted: bool) -> Result<(), EngineError> {
        if self.in_transaction == wanted {
            return Ok(());
        }
        let message = if wanted {
            "no transaction has begun"
        } else {
            "a transaction has begun already"
        };
        Err(EngineError::new(ErrorKind::Other, message))
    }

    fn change(&mut self, program: &Program, arguments: &[Value]) -> Result<u64, EngineError> {
        let hooks = Rc::clone(&self.hooks);
        self.statement(|store, block| {
            let reader = store.reader(&program.linked);
            let asking = Asking {
                reader: &reader,
                program,
                arguments,
                hooks: &*hooks,
            };
            match &program.request {
                Request::Update { model, set, .. } => {
                    let changed = store.changed(&asking, set, block)?;
                    store.change(*model, &changed)?;
                    Ok(changed.count())
                }
                Request::Delete { model, .. } => {
                    let mut keys: Vec<Box<[u8]>> = Vec::new();
                    asking.find(block, &mut |found| {
                        keys.push(found.key.into());
                        Ok(true)
                    })?;
                    let count = keys.len() as u64;
                    store.delete(*model, keys)?;
                    Ok(count)
                }
                _ => Err(EngineError::new(ErrorKind::Other, "not a change")),
            }
        })
    }
}

impl Session for RecordSession {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.in_transaction(false)?;
        self.in_transaction = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.in_transaction(true)?;
        self.in_transaction = false;
        self.store.commit()
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.in_transaction(true)?;
        self.in_transaction = false;
        self.store.roll_back_all();
        Ok(())
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.statement(|store, _| {
            records
                .iter()
                .try_for_each(|record| store.insert(model, record, &Value::Null))
        })
    }

    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.statement(|store, _| {
            records
                .iter()
                .try_for_each(|record| store.upsert(model, record))
        })
    }

    fn instantiate(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Err(no_objects())
    }

    fn insert_instantiated(&mut self, _: ModelId, _: u64) -> Result<(), EngineError> {
        Err(no_objects())
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let program = Program::of(&self.store.schema, self.store.encoding, request)?;
        let program = Some(Rc::new(program));
        Ok(match self.prepared.iter().position(Option::is_none) {
            Some(free) => {
                self.prepared[free] = program;
                Prepared(free)
            }
            None => {
                self.prepared.push(program);
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
        let program = match self.prepared.get(prepared.0) {
            Some(Some(program)) => Rc::clone(program),
            _ => return Err(EngineError::new(ErrorKind::Other, "nothing prepared")),
        };
        let reader = self.store.reader(&program.linked);
        let asking = Asking {
            reader: &reader,
            program: &program,
            arguments,
            hooks: &*self.hooks,
        };
        let block = &mut self.block;
        match &program.request {
            Request::Read(query) => asking.read(query, block, sink),
            Request::Count { select, .. } => asking.count(select, block),
            Request::CountPer { per, .. } => asking.count_per(per, block, sink),
            Request::Aggregate {
                query,
                function,
                of,
            } => asking.aggregate(query, *function, of, block, sink),
            Request::Update { .. } | Request::Delete { .. } => self.change(&program, arguments),
        }
    }

    fn release(&mut self, prepared: Prepared) {
        if let Some(slot) = self.prepared.get_mut(prepared.0) {
            *slot = None;
        }
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        self.store.maintain(what)
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        Ok(self.store.indexes())
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        self.store.close()
    }
}

fn no_objects() -> EngineError {
    EngineError::new(ErrorKind::Unsupported, "there is no object layer")
}
