//! Persistent history: a row for each save, and one for each change in it.

use std::cell::Cell;

use crate::engines::EngineError;
use crate::engines::coredata::context::Context;
use crate::engines::coredata::layer::{Change, ChangeKind};
use crate::engines::coredata::store::Key;

/// `Z_ENT` of `ACHANGE`.
pub const CHANGE: i64 = 16_001;
/// `Z_ENT` of `ATRANSACTION`.
pub const TRANSACTION: i64 = 16_002;
/// `Z_ENT` of `ATRANSACTIONSTRING`.
pub const STRING: i64 = 16_003;

/// What a save is by: names that are stored once and referred to.
const NAMES: [&str; 3] = ["lab.persist.app", "persist-lab", "main"];

/// Tables in which a transaction refers to a name, and so has an index.
const REFERENCES: [&str; 4] = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"];

/// Writes history.
#[derive(Debug, Default)]
pub struct History {
    /// The running save's row; 0 before there is one.
    transaction: Cell<i64>,
    /// `Z_PK` of [`NAMES`], once they are stored.
    names: Cell<Option<[i64; 3]>>,
    /// Whether they were stored by the running save.
    fresh: Cell<bool>,
}

impl History {
    /// Its tables, and their rows in `Z_PRIMARYKEY`.
    pub fn tables(&self) -> Vec<String> {
        let mut tables = vec![
            "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB)".to_owned(),
            "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZQUERYGEN BLOB)".to_owned(),
            "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)".to_owned(),
            "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)".to_owned(),
            "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME)".to_owned(),
        ];
        for column in REFERENCES {
            tables.push(format!(
                "CREATE INDEX ATRANSACTION_{column}_INDEX ON ATRANSACTION ({column})"
            ));
        }
        for (number, name) in [
            (CHANGE, "CHANGE"),
            (TRANSACTION, "TRANSACTION"),
            (STRING, "TRANSACTIONSTRING"),
        ] {
            tables.push(format!(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES ({number}, '{name}', 0, 0)"
            ));
        }
        tables
    }

    /// Writes the changes of a save, inside its transaction.
    pub fn write(&self, context: &Context, changes: &[Change]) -> Result<(), EngineError> {
        if changes.is_empty() {
            return Ok(());
        }
        let transaction = self.transaction(context)?;
        let highest = context.highest(CHANGE)?;
        let sql = "INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7)";
        let statement = context.store.statement(Key::Text(sql), || sql.to_owned())?;
        let mut statement = statement.borrow_mut();
        for (change, id) in changes.iter().zip(highest + 1..) {
            let columns = columns(change);
            let mut row = statement.execution();
            row.int(id)?;
            row.int(CHANGE)?;
            row.int(change.kind as i64)?;
            row.int(context.entity(change.entity).number)?;
            row.int(change.id)?;
            row.int(transaction)?;
            match change.kind {
                ChangeKind::Update => row.blob(&columns)?,
                ChangeKind::Insert | ChangeKind::Delete => row.null()?,
            }
            row.run()?;
        }
        context.raise(CHANGE, highest, highest + changes.len() as i64)
    }

    /// The save's own row, written once.
    fn transaction(&self, context: &Context) -> Result<i64, EngineError> {
        if self.transaction.get() != 0 {
            return Ok(self.transaction.get());
        }
        let [bundle, process, author] = self.names(context)?;
        let highest = context.highest(TRANSACTION)?;
        let id = highest + 1;
        // Seconds since 2001, by SQLite's own clock.
        let sql = "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) VALUES (?1, ?2, 1, ?3, ?4, NULL, ?5, (julianday('now') - 2451910.5) * 86400.0)";
        let statement = context.store.statement(Key::Text(sql), || sql.to_owned())?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        for value in [id, TRANSACTION, author, bundle, process] {
            row.int(value)?;
        }
        row.run()?;
        context.raise(TRANSACTION, highest, id)?;
        self.transaction.set(id);
        Ok(id)
    }

    /// The names' rows: found, or stored.
    fn names(&self, context: &Context) -> Result<[i64; 3], EngineError> {
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let mut ids = [0; 3];
        for (id, name) in ids.iter_mut().zip(NAMES) {
            *id = self.name(context, name)?;
        }
        self.names.set(Some(ids));
        self.fresh.set(true);
        Ok(ids)
    }

    fn name(&self, context: &Context, name: &'static str) -> Result<i64, EngineError> {
        let find = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?1";
        let statement = context
            .store
            .statement(Key::Text(find), || find.to_owned())?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        row.text(name)?;
        if row.step()? {
            return Ok(row.get_int(0));
        }
        drop(row);
        let highest = context.highest(STRING)?;
        let sql =
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?1, ?2, 1, ?3)";
        let statement = context.store.statement(Key::Text(sql), || sql.to_owned())?;
        let mut statement = statement.borrow_mut();
        let mut row = statement.execution();
        row.int(highest + 1)?;
        row.int(STRING)?;
        row.text(name)?;
        row.run()?;
        context.raise(STRING, highest, highest + 1)?;
        Ok(highest + 1)
    }

    /// The save is over.
    pub fn ended(&self, kept: bool) {
        self.transaction.set(0);
        if self.fresh.replace(false) && !kept {
            self.names.set(None);
        }
    }
}

/// The changed columns as a bit vector.
fn columns(change: &Change) -> Vec<u8> {
    let mut bits = Vec::new();
    for slot in &change.slots {
        let byte = slot / 8;
        if bits.len() <= byte {
            bits.resize(byte + 1, 0);
        }
        bits[byte] |= 1 << (slot % 8);
    }
    bits
}
