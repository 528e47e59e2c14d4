//! SQLite's result codes as [`ErrorKind`].

use std::ffi::{CStr, c_int};

use rusqlite::{Connection, ffi};

use crate::engines::{EngineError, ErrorKind};

/// The connection's last error.
pub fn last_error(connection: &Connection) -> EngineError {
    // SAFETY: the connection is open; the message is copied before the next call.
    let (code, message) = unsafe {
        let db = connection.handle();
        let message = CStr::from_ptr(ffi::sqlite3_errmsg(db));
        (
            ffi::sqlite3_extended_errcode(db),
            message.to_string_lossy().into_owned(),
        )
    };
    error(code, message)
}

/// An error of that extended result code.
pub fn error(code: c_int, message: String) -> EngineError {
    EngineError::new(
        kind(code, &message),
        format!("{message} (SQLite code {code})"),
    )
}

/// A fault of the adapter itself.
pub fn misuse(message: &str) -> EngineError {
    EngineError::new(ErrorKind::Other, message)
}

/// Something that this engine cannot do.
pub fn unsupported(message: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Unsupported, message)
}

/// Tables are STRICT and every value is bound by its declared type, so that a
/// real in an INTEGER column can only be an overflowed integer: SQLite goes on
/// in floating point. The function `whole` reports the same as a mismatch.
/// `sum()` has no code of its own, only this message
/// (<https://sqlite.org/lang_aggfunc.html#sumunc>).
fn kind(code: c_int, message: &str) -> ErrorKind {
    if code == ffi::SQLITE_CONSTRAINT_DATATYPE || message == "integer overflow" {
        return ErrorKind::Overflow;
    }
    match code & 0xff {
        ffi::SQLITE_MISMATCH => ErrorKind::Overflow,
        ffi::SQLITE_CONSTRAINT => ErrorKind::Constraint,
        ffi::SQLITE_FULL => ErrorKind::Full,
        ffi::SQLITE_IOERR | ffi::SQLITE_CANTOPEN | ffi::SQLITE_PERM | ffi::SQLITE_READONLY => {
            ErrorKind::Io
        }
        ffi::SQLITE_CORRUPT | ffi::SQLITE_NOTADB => ErrorKind::Corrupt,
        _ => ErrorKind::Other,
    }
}

impl From<rusqlite::Error> for EngineError {
    fn from(e: rusqlite::Error) -> Self {
        match &e {
            rusqlite::Error::SqliteFailure(inner, message) => error(
                inner.extended_code,
                message.clone().unwrap_or_else(|| inner.to_string()),
            ),
            other => EngineError::new(ErrorKind::Other, other.to_string()),
        }
    }
}
