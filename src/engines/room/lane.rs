//! A query prepared on the connections that execute it.

use std::rc::Rc;

use rusqlite::Connection;

use super::database::Database;
use crate::engines::EngineError;
use crate::engines::sqlite::statement::Statement;

/// A query, prepared on each connection at its first use there, and then
/// found in that connection's cache, as the platform keeps it.
pub struct Prepared {
    sql: String,
    primary: Option<Statement>,
    reader: Option<Statement>,
}

impl Prepared {
    /// A query that is going to be executed where one is executed now.
    pub fn new(database: &Database, sql: String) -> Result<Prepared, EngineError> {
        let mut prepared = Prepared {
            sql,
            primary: None,
            reader: None,
        };
        prepared.on(database)?;
        Ok(prepared)
    }

    /// The statement on the connection for now: the primary one in a
    /// transaction, else the reader.
    pub fn on(&mut self, database: &Database) -> Result<&mut Statement, EngineError> {
        let (slot, connection): (_, &Rc<Connection>) = if database.in_transaction() {
            (&mut self.primary, &database.primary)
        } else {
            (&mut self.reader, &database.reader)
        };
        match slot {
            Some(statement) => Ok(statement),
            none => Ok(none.insert(Statement::new(connection, &self.sql)?)),
        }
    }
}
