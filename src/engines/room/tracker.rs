//! The invalidation tracker: which tables a transaction touched.
//!
//! Every observed table has three temporary triggers that set its bit in a
//! table in memory; after each transaction the bits that are set are read and
//! cleared, in a transaction of their own (`androidx.room.InvalidationTracker`
//! of Room 2.6: `internalInit`, `startTrackingTable`, `refreshRunnable`).

use std::rc::Rc;

use rusqlite::Connection;

use super::cursor::{Arguments, Cursor};
use crate::engines::EngineError;
use crate::engines::sqlite::statement::Statement;

const CREATE: &str = "CREATE TEMP TABLE room_table_modification_log (table_id INTEGER PRIMARY KEY, invalidated INTEGER NOT NULL DEFAULT 0)";
const SELECT: &str = "SELECT * FROM room_table_modification_log WHERE invalidated = 1;";
const RESET: &str = "UPDATE room_table_modification_log SET invalidated = 0 WHERE invalidated = 1";

/// The tracker of the writing connection.
pub struct Tracker {
    begin: Statement,
    select: Statement,
    reset: Statement,
    commit: Statement,
    window_bytes: usize,
    /// Whether an observer would have been told, by table id.
    invalidated: Vec<i64>,
}

/// The statements that start tracking a table.
fn triggers(id: usize, table: &str) -> String {
    let table = table.to_ascii_lowercase();
    let mut sql = format!("INSERT OR IGNORE INTO room_table_modification_log VALUES({id}, 0);\n");
    for event in ["UPDATE", "DELETE", "INSERT"] {
        sql.push_str(&format!(
            "CREATE TEMP TRIGGER IF NOT EXISTS `room_table_modification_trigger_{table}_{event}` AFTER {event} ON `{table}` BEGIN UPDATE room_table_modification_log SET invalidated = 1 WHERE table_id = {id} AND invalidated = 0; END;\n"
        ));
    }
    sql
}

impl Tracker {
    /// Makes the log, and triggers for the tables that are observed.
    pub fn new(
        connection: &Rc<Connection>,
        tables: &[String],
        observed: bool,
        window_bytes: usize,
    ) -> Result<Tracker, EngineError> {
        connection.execute_batch("PRAGMA temp_store = MEMORY;PRAGMA recursive_triggers='ON';")?;
        connection.execute_batch(CREATE)?;
        if observed {
            let triggers: Vec<String> = tables
                .iter()
                .enumerate()
                .map(|(id, table)| triggers(id, table))
                .collect();
            connection.execute_batch(&format!("BEGIN IMMEDIATE;\n{}COMMIT", triggers.concat()))?;
        }
        Ok(Tracker {
            begin: Statement::new(connection, "BEGIN IMMEDIATE;")?,
            select: Statement::new(connection, SELECT)?,
            reset: Statement::new(connection, RESET)?,
            commit: Statement::new(connection, "COMMIT;")?,
            window_bytes,
            invalidated: Vec::new(),
        })
    }

    /// What Room does after each transaction, there on another thread.
    pub fn refresh(&mut self) -> Result<(), EngineError> {
        self.invalidated.clear();
        self.begin.run()?;
        let mut cursor = Cursor::new(
            &mut self.select,
            Arguments::Values(&[]),
            2,
            self.window_bytes,
        );
        while cursor.advance()? {
            self.invalidated.push(cursor.int(0));
        }
        if !self.invalidated.is_empty() {
            self.reset.run()?;
        }
        self.commit.run()
    }

    /// Ids of the tables that the last transaction touched.
    pub fn invalidated(&self) -> &[i64] {
        &self.invalidated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracked(observed: bool) -> (Rc<Connection>, Tracker) {
        let connection = Rc::new(Connection::open_in_memory().unwrap());
        connection
            .execute_batch("CREATE TABLE `One` (x); CREATE TABLE `Two` (x)")
            .unwrap();
        let tables = ["One".to_owned(), "Two".to_owned()];
        let tracker = Tracker::new(&connection, &tables, observed, 16 << 10).unwrap();
        (connection, tracker)
    }

    #[test]
    fn each_refresh_tells_the_tables_touched_since() {
        let (connection, mut tracker) = tracked(true);
        tracker.refresh().unwrap();
        assert!(tracker.invalidated().is_empty());
        for (change, touched) in [
            ("INSERT INTO Two VALUES (1), (2)", vec![1]),
            ("UPDATE Two SET x = 3", vec![1]),
            ("UPDATE Two SET x = 3 WHERE x = 7", vec![]),
            ("INSERT INTO One VALUES (1); DELETE FROM Two", vec![0, 1]),
        ] {
            connection.execute_batch(change).unwrap();
            tracker.refresh().unwrap();
            assert_eq!(tracker.invalidated(), touched, "{change}");
        }
        tracker.refresh().unwrap();
        assert!(tracker.invalidated().is_empty());
    }

    #[test]
    fn without_observers_there_are_no_triggers() {
        let (connection, mut tracker) = tracked(false);
        connection
            .execute_batch("INSERT INTO One VALUES (1)")
            .unwrap();
        tracker.refresh().unwrap();
        assert!(tracker.invalidated().is_empty());
    }
}
