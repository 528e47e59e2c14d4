//! `SQLiteCursor`: a query's rows, seen through a window.
//!
//! The first look executes the query to its end: rows are copied until the
//! window is full, the rest is only counted. A row outside the window executes
//! the query again, skips to a third of a window before the row, and stops
//! when the window is full (frameworks/base: `SQLiteCursor.fillWindow`,
//! `DatabaseUtils.cursorPickFillWindowStartPosition`,
//! `nativeExecuteForCursorWindow`).

use super::window::Window;
use crate::base::Value;
use crate::engines::sqlite::decode::{bind_arguments, typed};
use crate::engines::sqlite::error::misuse;
use crate::engines::sqlite::sql::Type;
use crate::engines::sqlite::statement::{Cell, Execution, Statement};
use crate::engines::{EngineError, ErrorKind};

/// What a query is executed with.
#[derive(Clone, Copy, Debug)]
pub enum Arguments<'a> {
    /// The request's; the statement takes as many as it has parameters.
    Values(&'a [Value]),
    /// Identities, one per parameter.
    Keys(&'a [i64]),
}

/// A cursor, before its first row.
pub struct Cursor<'a> {
    statement: &'a mut Statement,
    arguments: Arguments<'a>,
    window: Window,
    /// Rows of the result, once they were counted.
    count: Option<usize>,
    /// Rows that the first window held.
    capacity: usize,
    /// The result's row that is the window's first.
    start: usize,
    /// Rows that were passed.
    passed: usize,
    fills: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over a query of so many columns.
    pub fn new(
        statement: &'a mut Statement,
        arguments: Arguments<'a>,
        columns: usize,
        window_bytes: usize,
    ) -> Cursor<'a> {
        Cursor {
            statement,
            arguments,
            window: Window::new(window_bytes, columns),
            count: None,
            capacity: 0,
            start: 0,
            passed: 0,
            fills: 0,
        }
    }

    /// Rows of the result.
    pub fn count(&mut self) -> Result<usize, EngineError> {
        if let Some(count) = self.count {
            return Ok(count);
        }
        let count = self.fill(0, 0, true)?;
        self.count = Some(count);
        self.capacity = self.window.rows();
        Ok(count)
    }

    /// Whether all rows are in the window.
    pub fn fits(&mut self) -> Result<bool, EngineError> {
        let count = self.count()?;
        Ok(self.window.rows() >= count)
    }

    /// Executions of the query so far.
    pub fn fills(&self) -> usize {
        self.fills
    }

    /// Goes back before the first row.
    pub fn rewind(&mut self) {
        self.passed = 0;
    }

    /// Goes to the next row; false where there is none.
    pub fn advance(&mut self) -> Result<bool, EngineError> {
        let count = self.count()?;
        if self.passed >= count {
            return Ok(false);
        }
        let row = self.passed;
        if row < self.start || row >= self.start + self.window.rows() {
            let start = row.saturating_sub(self.capacity / 3);
            self.fill(start, row, false)?;
            if row >= self.start + self.window.rows() {
                return Err(misuse("the result changed while it was read"));
            }
        }
        self.passed += 1;
        Ok(true)
    }

    /// A column of the current row.
    pub fn cell(&self, column: usize) -> Cell<'_> {
        self.window
            .get((self.passed - 1).wrapping_sub(self.start), column)
    }

    /// A column of the current row, as an app keeps it.
    pub fn value(&self, column: usize, ty: Type) -> Result<Value, EngineError> {
        typed(self.cell(column), ty).map(|value| value.to_value())
    }

    /// A column of the current row as an int, 0 where it is none.
    pub fn int(&self, column: usize) -> i64 {
        match self.cell(column) {
            Cell::Integer(value) => value,
            _ => 0,
        }
    }

    /// Executes the query and copies rows from `start` on, so that `required`
    /// is among them; returns how many rows came by.
    fn fill(&mut self, start: usize, required: usize, all: bool) -> Result<usize, EngineError> {
        self.fills += 1;
        self.window.clear();
        self.start = start;
        let parameters = self.statement.parameters();
        let mut row = self.statement.execution();
        match self.arguments {
            Arguments::Values(values) => bind_arguments(&mut row, parameters, values)?,
            Arguments::Keys(keys) => keys.iter().try_for_each(|key| row.int(*key))?,
        }
        let (mut total, mut full) = (0, false);
        while (!full || all) && row.step()? {
            total += 1;
            if start >= total || full {
                continue;
            }
            let mut copied = copy(&mut self.window, &row)?;
            let added = self.window.rows();
            if !copied && added > 0 && self.start + added <= required {
                // Full before the row that is wanted: from here again.
                self.window.clear();
                self.start += added;
                copied = copy(&mut self.window, &row)?;
            }
            if !copied && self.window.rows() == 0 {
                return Err(EngineError::new(
                    ErrorKind::Full,
                    format!("row {} is too big to fit into the cursor window", total - 1),
                ));
            }
            full = !copied;
        }
        Ok(total)
    }
}

/// Copies the current row; false where there is no room.
fn copy(window: &mut Window, row: &Execution<'_, '_>) -> Result<bool, EngineError> {
    if window.allocate_row().is_err() {
        return Ok(false);
    }
    for column in 0..window.columns() {
        if window.put(column, row.cell(column)?).is_err() {
            window.free_last_row();
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use rusqlite::Connection;

    use super::*;

    fn filled(rows: i64, bytes: i64) -> Rc<Connection> {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(&format!(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB);
                 WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {rows})
                 INSERT INTO t SELECT i, zeroblob({bytes}) FROM n"
            ))
            .unwrap();
        Rc::new(connection)
    }

    fn read(cursor: &mut Cursor<'_>) -> Vec<i64> {
        let mut ids = Vec::new();
        while cursor.advance().unwrap() {
            ids.push(cursor.int(0));
        }
        ids
    }

    #[test]
    fn what_fits_is_executed_once_however_often_it_is_read() {
        let connection = filled(100, 10);
        let mut statement = Statement::new(&connection, "SELECT id, b FROM t").unwrap();
        let mut cursor = Cursor::new(&mut statement, Arguments::Values(&[]), 2, 64 << 10);
        assert_eq!(read(&mut cursor), (0..100).collect::<Vec<_>>());
        cursor.rewind();
        assert_eq!(read(&mut cursor), (0..100).collect::<Vec<_>>());
        assert_eq!((cursor.fits().unwrap(), cursor.fills()), (true, 1));
    }

    #[test]
    fn what_does_not_fit_is_executed_again_a_third_of_a_window_before() {
        let connection = filled(1_000, 480);
        let mut statement = Statement::new(&connection, "SELECT id, b FROM t").unwrap();
        // 32 rows of 512 bytes fit; the later windows start 10 rows before.
        let mut cursor = Cursor::new(&mut statement, Arguments::Values(&[]), 2, 16 << 10);
        assert!(!cursor.fits().unwrap());
        assert_eq!(read(&mut cursor), (0..1_000).collect::<Vec<_>>());
        assert_eq!(cursor.fills(), 1 + (1_000_usize - 32).div_ceil(22));
    }

    #[test]
    fn a_row_larger_than_the_window_is_an_error() {
        let connection = filled(1, 20_000);
        let mut statement = Statement::new(&connection, "SELECT id, b FROM t").unwrap();
        let mut cursor = Cursor::new(&mut statement, Arguments::Values(&[]), 2, 16 << 10);
        assert_eq!(cursor.advance().unwrap_err().kind, ErrorKind::Full);
    }

    #[test]
    fn keys_are_bound_one_by_one() {
        let connection = filled(10, 1);
        let mut statement =
            Statement::new(&connection, "SELECT id FROM t WHERE id IN (?, ?)").unwrap();
        let mut cursor = Cursor::new(&mut statement, Arguments::Keys(&[3, 7]), 1, 16 << 10);
        assert_eq!(read(&mut cursor), [3, 7]);
    }
}
