//! The session: statements and transactions over a store.

use std::rc::Rc;

use super::ask::Asking;
use super::store::Store;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, Maintenance, Prepared, Session};
use crate::plan::schema::ModelId;
use crate::plan::{Request, Schema, Select};
use crate::workload::{HookRunner, Record, Sink};

/// An open store.
pub struct MemorySession {
    store: Store,
    hooks: Rc<dyn HookRunner>,
    prepared: Vec<Option<Rc<Request>>>,
    in_transaction: bool,
}

impl MemorySession {
    pub fn new(schema: Schema, hooks: Rc<dyn HookRunner>) -> Self {
        MemorySession {
            store: Store::new(schema),
            hooks,
            prepared: Vec::new(),
            in_transaction: false,
        }
    }

    /// Runs one statement: whole or, on an error, not at all.
    fn statement<T>(
        &mut self,
        run: impl FnOnce(&mut Store, &dyn HookRunner) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let mark = self.store.mark();
        let hooks = Rc::clone(&self.hooks);
        let result = run(&mut self.store, &*hooks);
        if result.is_err() {
            self.store.roll_back(mark);
        }
        if !self.in_transaction {
            self.store.commit();
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
}

impl Session for MemorySession {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.in_transaction(false)?;
        self.in_transaction = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.in_transaction(true)?;
        self.in_transaction = false;
        self.store.commit();
        Ok(())
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.in_transaction(true)?;
        self.in_transaction = false;
        self.store.roll_back(0);
        self.store.commit();
        Ok(())
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.statement(|store, _| {
            records
                .iter()
                .try_for_each(|record| store.insert(model, record))
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
        if let Some((model, Select::Point(field))) = selection(request)
            && self.store.schema.models.get(model).and_then(|m| m.key) != Some(*field)
        {
            self.store.expect_points(model, *field);
        }
        let request = Some(Rc::new(request.clone()));
        let at = match self.prepared.iter().position(Option::is_none) {
            Some(free) => {
                self.prepared[free] = request;
                free
            }
            None => {
                self.prepared.push(request);
                self.prepared.len() - 1
            }
        };
        Ok(Prepared(at))
    }

    fn execute(
        &mut self,
        prepared: Prepared,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let request = match self.prepared.get(prepared.0) {
            Some(Some(request)) => Rc::clone(request),
            _ => return Err(EngineError::new(ErrorKind::Other, "nothing prepared")),
        };
        self.statement(|store, hooks| {
            let mut asking = Asking {
                arguments,
                hooks,
                sink,
            };
            match &*request {
                Request::Read(query) => store.read(query, &mut asking),
                Request::Count { model, select } => {
                    let rows = store.select(*model, select, arguments, hooks)?;
                    Ok(rows.len() as u64)
                }
                Request::CountPer { model, select, per } => {
                    store.count_per(*model, select, per, &mut asking)
                }
                Request::Aggregate {
                    query,
                    function,
                    of,
                } => store.aggregate(query, *function, of, &mut asking),
                Request::Update {
                    model, select, set, ..
                } => {
                    let rows = store.select(*model, select, arguments, hooks)?;
                    store.update(*model, &rows, set, arguments, hooks)?;
                    Ok(rows.len() as u64)
                }
                Request::Delete { model, select } => {
                    let rows = store.select(*model, select, arguments, hooks)?;
                    store.delete(*model, &rows)?;
                    Ok(rows.len() as u64)
                }
            }
        })
    }

    fn release(&mut self, prepared: Prepared) {
        if let Some(slot) = self.prepared.get_mut(prepared.0) {
            *slot = None;
        }
    }

    fn maintain(&mut self, _: Maintenance) -> Result<(), EngineError> {
        Err(EngineError::new(
            ErrorKind::Unsupported,
            "nothing to maintain: nothing is kept on disk",
        ))
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        let models = &self.store.schema.models;
        Ok(models
            .iter()
            .flat_map(|model| {
                let key = model.key.map(|key| {
                    let name = &model.fields[key].name;
                    format!("{}: sorted map over {name} (key)", model.name)
                });
                let unique = model.indexes.iter().filter(|index| index.unique);
                let unique = unique.map(|i| format!("{}: sorted map {}", model.name, i.name));
                key.into_iter().chain(unique)
            })
            .collect())
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        Ok(())
    }
}

fn selection(request: &Request) -> Option<(ModelId, &Select)> {
    Some(match request {
        Request::Read(query) | Request::Aggregate { query, .. } => (query.model, &query.select),
        Request::Count { model, select }
        | Request::CountPer { model, select, .. }
        | Request::Update { model, select, .. }
        | Request::Delete { model, select } => (*model, select),
    })
}

fn no_objects() -> EngineError {
    EngineError::new(ErrorKind::Unsupported, "there is no object layer")
}
