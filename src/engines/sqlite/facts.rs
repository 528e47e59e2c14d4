//! Housekeeping, and what the store says of itself.

use rusqlite::Connection;

use super::error::misuse;
use super::sql::names::quoted;
use crate::engines::EngineError;

/// Carries the write-ahead log over and cuts it to nothing. Without one every
/// commit is in the main file already, and there is nothing to do.
pub fn checkpoint(connection: &Connection) -> Result<(), EngineError> {
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |r| r.get(0))?;
    if mode != "wal" {
        return Ok(());
    }
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |r| r.get(0))?;
    if busy != 0 {
        return Err(misuse("the checkpoint was blocked"));
    }
    Ok(())
}

/// Every index: the statement that made it, or, for an automatic one, what it
/// stands for.
pub fn indexes(connection: &Connection) -> Result<Vec<String>, EngineError> {
    let mut statement = connection.prepare(
        "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY tbl_name, name",
    )?;
    let rows = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let mut indexes = Vec::new();
    for row in rows {
        let (name, table, sql): (String, String, Option<String>) = row?;
        indexes.push(match sql {
            Some(sql) => sql,
            None => {
                let columns = columns(connection, &name)?;
                format!(
                    "automatic UNIQUE INDEX {name} ON {}({columns})",
                    quoted(&table)
                )
            }
        });
    }
    Ok(indexes)
}

fn columns(connection: &Connection, index: &str) -> Result<String, EngineError> {
    let mut statement =
        connection.prepare("SELECT name FROM pragma_index_info(?1) ORDER BY seqno")?;
    let names = statement.query_map([index], |row| row.get::<_, String>(0))?;
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    Ok(names
        .iter()
        .map(|n| quoted(n))
        .collect::<Vec<_>>()
        .join(", "))
}
