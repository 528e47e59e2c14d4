//! An open store.

use std::path::Path;
use std::rc::Rc;

use rusqlite::Connection;

use super::error::{misuse, unsupported};
use super::functions::{self, Fault};
use super::inserting::{Inserts, Source};
use super::layout::Layout;
use super::running::Running;
use super::sql::{self, HookFunction};
use super::statement::Statement;
use super::upserting::Upsert;
use super::{ddl, facts, options};
use crate::base::Value;
use crate::engines::{EngineError, Maintenance, Prepared, Session, Setting};
use crate::plan::schema::{ModelId, Schema};
use crate::plan::{Hook, Request};
use crate::workload::{HookRunner, Record, Sink};

/// Name of the main file.
pub const FILE: &str = "store.sqlite";

/// A session. Statements stand before the connection, though they keep it
/// alive by themselves: `close` wants it alone.
pub struct SqliteSession {
    prepared: Vec<Option<Running>>,
    free: Vec<usize>,
    inserts: Inserts,
    upserts: Vec<Option<Upsert>>,
    begin: Statement,
    commit: Statement,
    rollback: Statement,
    connection: Rc<Connection>,
    in_transaction: bool,
    schema: Schema,
    layout: Layout,
    hooks: Vec<Hook>,
    runner: Rc<dyn HookRunner>,
    fault: Fault,
    registered: Vec<HookFunction>,
}

impl SqliteSession {
    /// Opens the store in `directory`, creating it if it is not there.
    pub fn open(
        directory: &Path,
        setting: &Setting<'_>,
        runner: Rc<dyn HookRunner>,
    ) -> Result<Self, EngineError> {
        let connection = Connection::open(directory.join(FILE))?;
        options::apply(&connection, setting.options)?;
        functions::register(&connection)?;
        let layout = Layout::of(setting.schema);
        create(&connection, setting.schema, &layout)?;
        let connection = Rc::new(connection);
        Ok(SqliteSession {
            prepared: Vec::new(),
            free: Vec::new(),
            inserts: Inserts::new(setting.schema.models.len()),
            upserts: setting.schema.models.iter().map(|_| None).collect(),
            // What begins is going to write: taking the lock at once is the
            // documented way not to find it taken in the middle.
            begin: Statement::new(&connection, "BEGIN IMMEDIATE")?,
            commit: Statement::new(&connection, "COMMIT")?,
            rollback: Statement::new(&connection, "ROLLBACK")?,
            connection,
            in_transaction: false,
            schema: setting.schema.clone(),
            layout,
            hooks: setting.hooks.to_vec(),
            runner,
            fault: Fault::default(),
            registered: Vec::new(),
        })
    }

    /// Runs `work` in the open transaction, or in one of its own; where it is
    /// a single statement, in SQLite's own autocommit.
    fn write<R>(
        &mut self,
        single: bool,
        work: impl FnOnce(&mut Self) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        if self.in_transaction || single {
            return work(self);
        }
        self.begin()?;
        match work(self) {
            Ok(result) => self.commit().map(|()| result),
            Err(error) => {
                // SQLite may have rolled back by itself; the first error is the one to tell.
                let _ = self.rollback();
                Err(error)
            }
        }
    }

    /// An error of a statement, or that of the hook behind it.
    fn told(&self, error: EngineError) -> EngineError {
        match self.fault.borrow_mut().take() {
            Some(fault) => fault.into(),
            None => error,
        }
    }
}

/// Creates tables and indexes in a file that has none.
fn create(connection: &Connection, schema: &Schema, layout: &Layout) -> Result<(), EngineError> {
    let there: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    if there == 0 {
        let statements = ddl::statements(schema, layout).join(";\n");
        connection.execute_batch(&format!("BEGIN;\n{statements};\nCOMMIT"))?;
    }
    Ok(())
}

impl Session for SqliteSession {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.begin.run()?;
        self.in_transaction = true;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.commit.run()?;
        self.in_transaction = false;
        Ok(())
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.in_transaction = false;
        self.rollback.run()
    }

    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let source = Source {
            connection: &self.connection,
            schema: &self.schema,
            layout: &self.layout,
        };
        let single = records.len() == 1 && Inserts::is_single(source, model);
        self.write(single, |session| {
            let source = Source {
                connection: &session.connection,
                schema: &session.schema,
                layout: &session.layout,
            };
            session.inserts.store(source, model, records)
        })
    }

    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let mut upsert = match self.upserts[model].take() {
            Some(upsert) => upsert,
            None => {
                let source = Source {
                    connection: &self.connection,
                    schema: &self.schema,
                    layout: &self.layout,
                };
                Upsert::new(source, model)?
            }
        };
        let single = records.len() == 1 && upsert.is_single();
        let result = self.write(single, |_| upsert.store(records));
        self.upserts[model] = Some(upsert);
        result
    }

    fn instantiate(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Err(unsupported("SQLite has no objects of its own"))
    }

    fn insert_instantiated(&mut self, _: ModelId, _: u64) -> Result<(), EngineError> {
        Err(unsupported("SQLite has no objects of its own"))
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let compiled = sql::compile(&self.schema, &self.layout, &self.hooks, request)?;
        for function in compiled.functions {
            if !self.registered.contains(&function) {
                functions::register_hook(&self.connection, &function, &self.runner, &self.fault)?;
                self.registered.push(function);
            }
        }
        let running = Running::new(&self.connection, compiled.program)?;
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
        let result = if running.needs_transaction() && !self.in_transaction {
            // Taken out, so that the session can begin and commit around it.
            let mut taken = self.prepared[prepared.0].take();
            let result = self.write(false, |_| match &mut taken {
                Some(running) => running.run(arguments, sink),
                None => Err(misuse("the request is not prepared")),
            });
            self.prepared[prepared.0] = taken;
            result
        } else {
            running.run(arguments, sink)
        };
        result.map_err(|error| self.told(error))
    }

    fn release(&mut self, prepared: Prepared) {
        let slot = self.prepared.get_mut(prepared.0);
        if slot.is_some_and(|slot| slot.take().is_some()) {
            self.free.push(prepared.0);
        }
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        if what == Maintenance::Compact {
            self.connection.execute_batch("VACUUM")?;
        }
        facts::checkpoint(&self.connection)
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        facts::indexes(&self.connection)
    }

    /// SQLite itself checkpoints and removes the write-ahead log when the last
    /// connection closes.
    fn close(self: Box<Self>) -> Result<(), EngineError> {
        let connection = Rc::clone(&self.connection);
        drop(self);
        let connection =
            Rc::try_unwrap(connection).map_err(|_| misuse("a statement outlived its session"))?;
        connection.close().map_err(|(_, error)| error.into())
    }
}
