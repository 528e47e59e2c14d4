//! What Room and the platform keep beside the entities: the identity hash that
//! `RoomOpenHelper` checks, and the platform's table of the locale.

use rusqlite::{Connection, OptionalExtension as _};
use sha2::{Digest as _, Sha256};

use crate::engines::{EngineError, ErrorKind};

/// Row of the hash in `room_master_table`.
const ROW: i64 = 42;

/// The identity of a schema: 32 hex digits. Room takes MD5 of the schema's
/// key; here the first half of SHA-256 of its statements stands for it.
pub fn identity_hash(statements: &[String]) -> String {
    let digest = Sha256::digest(statements.join(";").as_bytes());
    digest[..16].iter().map(|b| format!("{b:02x}")).collect()
}

/// Opens a file as the platform and Room do: creates what is missing in a new
/// one, checks the identity of one that is there.
pub fn open(connection: &Connection, statements: &[String]) -> Result<(), EngineError> {
    // SQLiteConnection.setLocaleFromConfiguration
    connection.execute_batch("CREATE TABLE IF NOT EXISTS android_metadata (locale TEXT)")?;
    let locale: Option<String> = connection
        .query_row("SELECT locale FROM android_metadata", [], |row| row.get(0))
        .optional()?;
    if locale.is_none() {
        connection.execute_batch(
            "BEGIN;
             DELETE FROM android_metadata;
             INSERT INTO android_metadata (locale) VALUES('en_US');
             COMMIT",
        )?;
    }
    let hash = identity_hash(statements);
    // SQLiteOpenHelper: onCreate in a transaction that ends with the version.
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version == 0 {
        let tables = statements.join(";\n");
        return connection
            .execute_batch(&format!(
                "BEGIN EXCLUSIVE;
                 {tables};
                 CREATE TABLE IF NOT EXISTS room_master_table (id INTEGER PRIMARY KEY,identity_hash TEXT);
                 INSERT OR REPLACE INTO room_master_table (id,identity_hash) VALUES({ROW}, '{hash}');
                 PRAGMA user_version = 1;
                 COMMIT"
            ))
            .map_err(EngineError::from);
    }
    let stored: Option<String> = connection
        .query_row(
            "SELECT identity_hash FROM room_master_table WHERE id = 42 LIMIT 1",
            [],
            |row| row.get(0),
        )
        .optional()?;
    if stored.as_deref() == Some(hash.as_str()) {
        return Ok(());
    }
    Err(EngineError::new(
        ErrorKind::Corrupt,
        "Room cannot verify the data integrity: the schema is not the one of the file",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_schema_is_refused() {
        let connection = Connection::open_in_memory().unwrap();
        let one = ["CREATE TABLE IF NOT EXISTS `a` (`id` INTEGER)".to_owned()];
        let other = ["CREATE TABLE IF NOT EXISTS `b` (`id` INTEGER)".to_owned()];
        open(&connection, &one).unwrap();
        open(&connection, &one).unwrap();
        let error = open(&connection, &other).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Corrupt);
        assert_eq!(identity_hash(&one).len(), 32);
    }
}
