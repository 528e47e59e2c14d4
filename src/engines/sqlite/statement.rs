//! Prepared statements, straight on SQLite's C interface.
//!
//! rusqlite's own statements copy every bound text and borrow their connection;
//! a session keeps statements and connection side by side, and what is timed
//! here should be SQLite and nothing else. All of the adapter's `unsafe` but
//! the registered functions stands in this file.
//!
//! Invariants:
//! - A statement keeps its connection alive, so it is always finalized first.
//! - Bound texts and blobs are not copied. [`Execution`] holds their lifetime,
//!   and steps only after every parameter was bound in this execution, so no
//!   pointer of an earlier one is ever followed.
//! - Texts and blobs of a row borrow the execution; stepping needs it mutably.
//! - A column is read by its stored storage class only, so that no read
//!   converts, and moves, what an earlier read pointed to.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::rc::Rc;

use rusqlite::{Connection, ffi};

use super::error::{last_error, misuse};
use crate::engines::EngineError;

/// A prepared statement.
pub struct Statement {
    raw: NonNull<ffi::sqlite3_stmt>,
    parameters: c_int,
    connection: Rc<Connection>,
}

/// A value in one of SQLite's storage classes, borrowed from its row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'e> {
    /// `NULL`
    Null,
    /// `INTEGER`
    Integer(i64),
    /// `REAL`
    Real(f64),
    /// `TEXT`
    Text(&'e str),
    /// `BLOB`
    Blob(&'e [u8]),
}

impl Statement {
    /// Prepares the one statement in `sql`, to be kept for long.
    pub fn new(connection: &Rc<Connection>, sql: &str) -> Result<Self, EngineError> {
        let length = c_int::try_from(sql.len()).map_err(|_| misuse("statement too long"))?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: the handle is open as long as `connection` lives; `sql` is `length` bytes.
        let code = unsafe {
            ffi::sqlite3_prepare_v3(
                connection.handle(),
                sql.as_ptr().cast(),
                length,
                ffi::SQLITE_PREPARE_PERSISTENT,
                &mut raw,
                std::ptr::null_mut(),
            )
        };
        if code != ffi::SQLITE_OK {
            let mut error = last_error(connection);
            error.message = format!("{} in: {sql}", error.message);
            return Err(error);
        }
        let raw = NonNull::new(raw).ok_or_else(|| misuse("empty statement"))?;
        // SAFETY: `raw` is a live statement.
        let parameters = unsafe { ffi::sqlite3_bind_parameter_count(raw.as_ptr()) };
        Ok(Statement {
            raw,
            parameters,
            connection: Rc::clone(connection),
        })
    }

    /// Parameters that every execution must bind.
    pub fn parameters(&self) -> usize {
        self.parameters as usize
    }

    /// Begins an execution; values bound to it must outlive it.
    pub fn execution<'v>(&mut self) -> Execution<'_, 'v> {
        Execution {
            statement: self,
            bound: 0,
            values: PhantomData,
        }
    }

    /// Executes a statement without parameters or rows.
    pub fn run(&mut self) -> Result<(), EngineError> {
        self.execution().run()
    }

    /// Rows that the last insert, update or delete of the connection changed
    /// itself, without those of foreign key actions.
    pub fn changes(&self) -> u64 {
        // SAFETY: the connection is open.
        let changes = unsafe { ffi::sqlite3_changes64(self.connection.handle()) };
        changes.max(0) as u64
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: finalized once, while the connection is open.
        unsafe { ffi::sqlite3_finalize(self.raw.as_ptr()) };
    }
}

/// One execution of a statement; dropping it resets the statement.
pub struct Execution<'s, 'v> {
    statement: &'s mut Statement,
    bound: c_int,
    values: PhantomData<&'v [u8]>,
}

impl<'v> Execution<'_, 'v> {
    fn raw(&self) -> *mut ffi::sqlite3_stmt {
        self.statement.raw.as_ptr()
    }

    fn check(&self, code: c_int) -> Result<(), EngineError> {
        if code == ffi::SQLITE_OK {
            Ok(())
        } else {
            Err(last_error(&self.statement.connection))
        }
    }

    fn next(&mut self) -> c_int {
        self.bound += 1;
        self.bound
    }

    /// Binds null to the next parameter.
    #[inline]
    pub fn null(&mut self) -> Result<(), EngineError> {
        let at = self.next();
        // SAFETY: a live statement; SQLite checks the position.
        let code = unsafe { ffi::sqlite3_bind_null(self.raw(), at) };
        self.check(code)
    }

    /// Binds an integer to the next parameter.
    #[inline]
    pub fn int(&mut self, value: i64) -> Result<(), EngineError> {
        let at = self.next();
        // SAFETY: as in `null`.
        let code = unsafe { ffi::sqlite3_bind_int64(self.raw(), at, value) };
        self.check(code)
    }

    /// Binds a float to the next parameter.
    #[inline]
    pub fn float(&mut self, value: f64) -> Result<(), EngineError> {
        let at = self.next();
        // SAFETY: as in `null`.
        let code = unsafe { ffi::sqlite3_bind_double(self.raw(), at, value) };
        self.check(code)
    }

    /// Binds a text, without a copy, to the next parameter.
    #[inline]
    pub fn text(&mut self, value: &'v str) -> Result<(), EngineError> {
        let at = self.next();
        // SAFETY: the text lives for `'v`, longer than this execution; see the file's invariants.
        let code = unsafe {
            ffi::sqlite3_bind_text64(
                self.raw(),
                at,
                value.as_ptr().cast(),
                value.len() as u64,
                ffi::SQLITE_STATIC(),
                ffi::SQLITE_UTF8 as u8,
            )
        };
        self.check(code)
    }

    /// Binds bytes, without a copy, to the next parameter.
    #[inline]
    pub fn blob(&mut self, value: &'v [u8]) -> Result<(), EngineError> {
        let at = self.next();
        // SAFETY: as in `text`. An empty slice's pointer is dangling but not
        // null, which SQLite would take for NULL.
        let code = unsafe {
            ffi::sqlite3_bind_blob64(
                self.raw(),
                at,
                value.as_ptr().cast(),
                value.len() as u64,
                ffi::SQLITE_STATIC(),
            )
        };
        self.check(code)
    }

    /// Goes to the next row; false when there is none.
    #[inline]
    pub fn step(&mut self) -> Result<bool, EngineError> {
        if self.bound != self.statement.parameters {
            return Err(misuse("a parameter is not bound"));
        }
        // SAFETY: a live statement whose every parameter was bound just now.
        match unsafe { ffi::sqlite3_step(self.raw()) } {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            _ => Err(last_error(&self.statement.connection)),
        }
    }

    /// Runs to the end, passing over rows.
    #[inline]
    pub fn run(mut self) -> Result<(), EngineError> {
        while self.step()? {}
        Ok(())
    }

    /// A column of the current row, in its own storage class.
    #[inline]
    pub fn cell(&self, column: usize) -> Result<Cell<'_>, EngineError> {
        // SAFETY: a live statement; a column out of range reads as null. The
        // value is unprotected, which matters only between threads: a session
        // stays on one. Reading it by its own class converts nothing, and its
        // bytes stay until the next step.
        unsafe {
            let value = ffi::sqlite3_column_value(self.raw(), column as c_int);
            Ok(match ffi::sqlite3_value_type(value) {
                ffi::SQLITE_INTEGER => Cell::Integer(ffi::sqlite3_value_int64(value)),
                ffi::SQLITE_FLOAT => Cell::Real(ffi::sqlite3_value_double(value)),
                ffi::SQLITE_TEXT => {
                    let at = ffi::sqlite3_value_text(value);
                    let bytes = slice(at, ffi::sqlite3_value_bytes(value));
                    let text = std::str::from_utf8(bytes);
                    Cell::Text(text.map_err(|_| misuse("a text is not UTF-8"))?)
                }
                ffi::SQLITE_BLOB => {
                    let at = ffi::sqlite3_value_blob(value);
                    Cell::Blob(slice(at.cast(), ffi::sqlite3_value_bytes(value)))
                }
                _ => Cell::Null,
            })
        }
    }

    /// Whether a column of the current row is null.
    pub fn is_null(&self, column: usize) -> bool {
        // SAFETY: a live statement; a column out of range reads as null.
        let class = unsafe { ffi::sqlite3_column_type(self.raw(), column as c_int) };
        class == ffi::SQLITE_NULL
    }

    /// A column as an integer, 0 where it is not a number.
    #[inline]
    pub fn get_int(&self, column: usize) -> i64 {
        // SAFETY: a live statement; a column out of range reads as 0.
        unsafe { ffi::sqlite3_column_int64(self.raw(), column as c_int) }
    }
}

/// SAFETY: `at` points to `length` bytes that live for `'a`, or is null.
#[inline]
unsafe fn slice<'a>(at: *const u8, length: c_int) -> &'a [u8] {
    if at.is_null() || length <= 0 {
        return &[];
    }
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts(at, length as usize) }
}

impl Drop for Execution<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: a live statement. The code repeats the error of the last step.
        unsafe { ffi::sqlite3_reset(self.raw()) };
    }
}
