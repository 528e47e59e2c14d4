//! The session: statements and transactions over a store.

use std::path::Path;
use std::rc::Rc;

use super::catalog::Catalog;
use super::delete::delete;
use super::draft::Draft;
use super::error::{Result, misuse};
use super::insert::insert;
use super::options;
use super::reader::{Fault, Reader};
use super::select::Asking;
use super::store::{Beginning, Store};
use super::update::update;
use super::upsert::upsert;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, Maintenance, Prepared, Session, Setting};
use crate::plan::Request;
use crate::plan::schema::ModelId;
use crate::workload::{HookRunner, Record, Sink};

/// An open store, used from one thread.
pub struct ZerocopySession {
    store: Store,
    catalog: Rc<Catalog>,
    hooks: Rc<dyn HookRunner>,
    prepared: Vec<Option<Rc<Request>>>,
    draft: Option<Draft>,
}

impl ZerocopySession {
    /// Opens the store in `directory`, creating it if it is not there.
    pub fn open(
        directory: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Self> {
        let catalog = Catalog::new(setting.schema.clone());
        let beginning = Beginning {
            schema: &catalog.schema,
            trees: catalog.layout.trees,
        };
        let store = Store::open(directory, options::settings(setting.options), &beginning)?;
        Ok(Self::over(store, catalog, hooks))
    }

    /// Over an open store.
    pub fn over(store: Store, catalog: Catalog, hooks: Rc<dyn HookRunner>) -> Self {
        ZerocopySession {
            store,
            catalog: Rc::new(catalog),
            hooks,
            prepared: Vec::new(),
            draft: None,
        }
    }

    /// Runs a change in the open transaction, or in one of its own. Changes are
    /// checked before they are made, so that one that fails changes nothing.
    fn write<T>(&mut self, change: impl FnOnce(&mut Draft, &Catalog) -> Result<T>) -> Result<T> {
        let catalog = Rc::clone(&self.catalog);
        if let Some(draft) = &mut self.draft {
            return change(draft, &catalog);
        }
        let mut draft = Draft::new(&self.store)?;
        let result = change(&mut draft, &catalog)?;
        draft.commit(&mut self.store, &catalog)?;
        Ok(result)
    }

    fn read(&mut self, request: &Request, arguments: &[Value], sink: &mut dyn Sink) -> Result<u64> {
        let fault = Fault::default();
        let catalog = Rc::clone(&self.catalog);
        let version = Rc::clone(&self.hooks);
        let snapshot;
        let reader = match &mut self.draft {
            Some(draft) => {
                draft.settle(&catalog)?;
                draft.reader(&catalog, &fault)
            }
            None => {
                snapshot = self.store.snapshot();
                Reader {
                    nodes: snapshot.version().nodes(),
                    roots: &snapshot.version().roots,
                    catalog: &catalog,
                    fault: &fault,
                }
            }
        };
        let asking = Asking {
            reader,
            arguments,
            hooks: &*version,
        };
        match request {
            Request::Read(query) => asking.read(query, sink),
            Request::Count { model, select } => asking.count(*model, select),
            Request::CountPer { model, select, per } => asking.count_per(*model, select, per, sink),
            Request::Aggregate {
                query,
                function,
                of,
            } => asking.aggregate(query, *function, of, sink),
            Request::Update { .. } | Request::Delete { .. } => {
                Err(misuse("a change is no question"))
            }
        }
    }
}

/// What a change needs of its surroundings.
fn asking<'a>(
    draft: &'a Draft,
    catalog: &'a Catalog,
    fault: &'a Fault,
    arguments: &'a [Value],
    hooks: &'a dyn HookRunner,
) -> Asking<'a> {
    Asking {
        reader: draft.reader(catalog, fault),
        arguments,
        hooks,
    }
}

impl Session for ZerocopySession {
    fn begin(&mut self) -> Result<()> {
        if self.draft.is_some() {
            return Err(misuse("a transaction has begun already"));
        }
        self.draft = Some(Draft::new(&self.store)?);
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        match self.draft.take() {
            Some(draft) => draft.commit(&mut self.store, &self.catalog),
            None => Err(misuse("no transaction has begun")),
        }
    }

    fn rollback(&mut self) -> Result<()> {
        match self.draft.take() {
            Some(_) => Ok(()),
            None => Err(misuse("no transaction has begun")),
        }
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<()> {
        self.write(|draft, catalog| insert(draft, catalog, model, records))
    }

    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<()> {
        self.write(|draft, catalog| upsert(draft, catalog, model, records))
    }

    fn instantiate(&mut self, _: ModelId, _: &[Record]) -> Result<()> {
        Err(no_objects())
    }

    fn insert_instantiated(&mut self, _: ModelId, _: u64) -> Result<()> {
        Err(no_objects())
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared> {
        let request = Some(Rc::new(request.clone()));
        Ok(Prepared(
            match self.prepared.iter().position(Option::is_none) {
                Some(free) => {
                    self.prepared[free] = request;
                    free
                }
                None => {
                    self.prepared.push(request);
                    self.prepared.len() - 1
                }
            },
        ))
    }

    fn execute(
        &mut self,
        prepared: Prepared,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64> {
        let request = match self.prepared.get(prepared.0) {
            Some(Some(request)) => Rc::clone(request),
            _ => return Err(misuse("nothing prepared")),
        };
        let hooks = Rc::clone(&self.hooks);
        match &*request {
            Request::Update {
                model, select, set, ..
            } => self.write(|draft, catalog| {
                draft.settle(catalog)?;
                let fault = Fault::default();
                let asking = asking(draft, catalog, &fault, arguments, &*hooks);
                let rows = asking.numbers(*model, select)?;
                let changes = update(&asking.reader, *model, &rows, set, arguments, &*hooks)?;
                changes.apply(draft, catalog)?;
                Ok(rows.len() as u64)
            }),
            Request::Delete { model, select } => self.write(|draft, catalog| {
                draft.settle(catalog)?;
                let fault = Fault::default();
                let asking = asking(draft, catalog, &fault, arguments, &*hooks);
                let rows = asking.numbers(*model, select)?;
                let count = rows.len() as u64;
                delete(&asking.reader, *model, rows)?.apply(draft, catalog)?;
                Ok(count)
            }),
            question => self.read(question, arguments, sink),
        }
    }

    fn release(&mut self, prepared: Prepared) {
        if let Some(slot) = self.prepared.get_mut(prepared.0) {
            *slot = None;
        }
    }

    fn maintain(&mut self, what: Maintenance) -> Result<()> {
        if self.draft.is_some() {
            return Err(misuse("a transaction is open"));
        }
        match what {
            Maintenance::Compact => self.store.compact(),
            Maintenance::Checkpoint => self.store.checkpoint(),
        }
    }

    fn indexes(&mut self) -> Result<Vec<String>> {
        let catalog = &self.catalog;
        let mut names = Vec::new();
        for (declared, kept) in catalog.schema.models.iter().zip(&catalog.layout.models) {
            for index in &kept.indexes {
                let parts: Vec<&str> = index
                    .parts
                    .iter()
                    .map(|part| declared.fields[part.field].name.as_str())
                    .collect();
                let unique = if index.unique { " unique" } else { "" };
                names.push(format!(
                    "{}:{unique} tree over ({})",
                    declared.name,
                    parts.join(", ")
                ));
            }
            for (field, layout) in declared.fields.iter().zip(&kept.fields) {
                use super::layout::FieldLayout::{Many, One};
                if let One { back: Some(_), .. } | Many { back: Some(_), .. } = layout {
                    names.push(format!("{}: back-links of {}", declared.name, field.name));
                }
            }
        }
        Ok(names)
    }

    fn close(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

fn no_objects() -> EngineError {
    EngineError::new(ErrorKind::Unsupported, "there is no object layer")
}
