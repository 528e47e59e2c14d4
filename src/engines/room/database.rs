//! The open database: a primary connection for writing and, with a
//! write-ahead log, a second one for reading, as the platform's pool has.
//!
//! `SQLiteConnectionPool` gives a query outside a transaction a connection
//! that is not the primary one where there is one; all in a transaction goes
//! to the primary. A `RoomDatabase` begins with `beginTransactionNonExclusive`
//! (BEGIN IMMEDIATE) with a log and with `beginTransaction` (BEGIN EXCLUSIVE)
//! without, and refreshes its tracker after the end.

use std::path::Path;
use std::rc::Rc;

use rusqlite::Connection;

use super::options::Configuration;
use super::tracker::Tracker;
use super::{ddl, master};
use crate::engines::EngineError;
use crate::engines::sqlite::error::misuse;
use crate::engines::sqlite::functions::{self, Fault};
use crate::engines::sqlite::layout::Layout;
use crate::engines::sqlite::sql::HookFunction;
use crate::engines::sqlite::statement::Statement;
use crate::plan::schema::Schema;
use crate::workload::HookRunner;

/// Name of the main file.
pub const FILE: &str = "room.db";

/// An open database. Statements stand before their connections.
pub struct Database {
    tracker: Tracker,
    begin: Statement,
    commit: Statement,
    rollback: Statement,
    /// The connection that writes.
    pub primary: Rc<Connection>,
    /// The connection that reads; the same where there is no log.
    pub reader: Rc<Connection>,
    /// How it was opened.
    pub configuration: Configuration,
    in_transaction: bool,
    registered: Vec<HookFunction>,
    runner: Rc<dyn HookRunner>,
    fault: Fault,
}

impl Database {
    /// Opens the file in `directory`, creating it if it is not there.
    pub fn open(
        directory: &Path,
        schema: &Schema,
        layout: &Layout,
        configuration: Configuration,
        runner: Rc<dyn HookRunner>,
    ) -> Result<Database, EngineError> {
        let connect = || -> Result<Connection, EngineError> {
            let connection = Connection::open(directory.join(FILE))?;
            configuration.apply(&connection)?;
            functions::register(&connection)?;
            Ok(connection)
        };
        let primary = connect()?;
        master::open(&primary, &ddl::statements(schema, layout))?;
        let primary = Rc::new(primary);
        let reader = if configuration.wal {
            Rc::new(connect()?)
        } else {
            Rc::clone(&primary)
        };
        let begin = if configuration.wal {
            "BEGIN IMMEDIATE;"
        } else {
            "BEGIN EXCLUSIVE;"
        };
        Ok(Database {
            tracker: Tracker::new(
                &primary,
                &ddl::tables(layout),
                configuration.observed,
                configuration.window_bytes,
            )?,
            begin: Statement::new(&primary, begin)?,
            commit: Statement::new(&primary, "COMMIT;")?,
            rollback: Statement::new(&primary, "ROLLBACK;")?,
            primary,
            reader,
            configuration,
            in_transaction: false,
            registered: Vec::new(),
            runner,
            fault: Fault::default(),
        })
    }

    /// Whether a transaction is open.
    pub fn in_transaction(&self) -> bool {
        self.in_transaction
    }

    /// `beginTransaction`.
    pub fn begin(&mut self) -> Result<(), EngineError> {
        self.begin.run()?;
        self.in_transaction = true;
        Ok(())
    }

    /// `setTransactionSuccessful` and `endTransaction`.
    pub fn commit(&mut self) -> Result<(), EngineError> {
        self.commit.run()?;
        self.in_transaction = false;
        self.tracker.refresh()
    }

    /// `endTransaction` of one that was not successful.
    pub fn rollback(&mut self) -> Result<(), EngineError> {
        self.in_transaction = false;
        self.rollback.run()?;
        self.tracker.refresh()
    }

    /// Runs `work` in the open transaction, or in one of its own.
    pub fn transaction<R>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        if self.in_transaction {
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

    /// Makes the functions of hooks callable on both connections.
    pub fn register(&mut self, functions: Vec<HookFunction>) -> Result<(), EngineError> {
        for function in functions {
            if self.registered.contains(&function) {
                continue;
            }
            functions::register_hook(&self.primary, &function, &self.runner, &self.fault)?;
            if self.configuration.wal {
                functions::register_hook(&self.reader, &function, &self.runner, &self.fault)?;
            }
            self.registered.push(function);
        }
        Ok(())
    }

    /// An error of a statement, or that of the hook behind it.
    pub fn told(&self, error: EngineError) -> EngineError {
        match self.fault.borrow_mut().take() {
            Some(fault) => fault.into(),
            None => error,
        }
    }

    /// Closes both connections; the last one carries the log over.
    pub fn close(self) -> Result<(), EngineError> {
        let (primary, reader) = (Rc::clone(&self.primary), Rc::clone(&self.reader));
        let wal = self.configuration.wal;
        drop(self);
        let alone = |connection: Rc<Connection>| {
            Rc::try_unwrap(connection).map_err(|_| misuse("a statement outlived its session"))
        };
        if wal {
            alone(reader)?.close().map_err(|(_, error)| error)?;
        } else {
            drop(reader);
        }
        alone(primary)?
            .close()
            .map_err(|(_, error)| EngineError::from(error))
    }
}
