//! Errors of the store, by kind.

use std::io;

use crate::engines::{EngineError, ErrorKind};

/// What is used for every fallible step of the store.
pub type Result<T> = std::result::Result<T, EngineError>;

/// The file is not what it should be.
pub fn corrupt(what: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Corrupt, what)
}

/// The caller asks for what makes no sense here.
pub fn misuse(what: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Other, what)
}

/// A rule of the schema would be broken.
pub fn refused(model: &str, what: impl std::fmt::Display) -> EngineError {
    EngineError::new(ErrorKind::Constraint, format!("{model}: {what}"))
}

/// The operating system refused; a full disk has its own kind.
pub fn io(doing: &str, error: &io::Error) -> EngineError {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull, WriteZero};
    let kind = match error.kind() {
        StorageFull | FileTooLarge | QuotaExceeded | WriteZero => ErrorKind::Full,
        _ => ErrorKind::Io,
    };
    EngineError::new(kind, format!("{doing}: {error}"))
}
