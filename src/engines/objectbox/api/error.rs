//! The library's errors as the contract's.

use std::ffi::CStr;

use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::{Code, Text, code};
use crate::engines::{EngineError, ErrorKind};

/// An error unless the code is success.
pub fn check(functions: &Functions, result: Code) -> Result<(), EngineError> {
    if result == code::SUCCESS {
        return Ok(());
    }
    Err(last(functions, result))
}

/// The error of the call that has just failed with `result`; where that says
/// nothing (0), with the code that the library keeps.
#[cold]
pub fn last(functions: &Functions, result: Code) -> EngineError {
    // SAFETY: no arguments; the text stays valid until the next call on this thread.
    let (kept, message) = unsafe {
        let message = (functions.obx_last_error_message)();
        ((functions.obx_last_error_code)(), spoken(message))
    };
    let result = if result == code::SUCCESS {
        kept
    } else {
        result
    };
    EngineError::new(kind(result), format!("ObjectBox: {message} ({result})"))
}

/// A text of the library's, copied.
///
/// # Safety
/// The pointer is null or points to a zero-terminated text.
pub unsafe fn spoken(text: Text) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller says.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

fn kind(result: Code) -> ErrorKind {
    match result {
        code::NUMERIC_OVERFLOW => ErrorKind::Overflow,
        code::UNIQUE_VIOLATED
        | code::ID_EXISTS
        | code::ID_NOT_FOUND
        | code::CONSTRAINT_VIOLATED => ErrorKind::Constraint,
        code::DB_FULL | code::DATA_FULL => ErrorKind::Full,
        code::IO => ErrorKind::Io,
        code::FILE_CORRUPT | code::PAGES_CORRUPT => ErrorKind::Corrupt,
        code::FEATURE_NOT_AVAILABLE => ErrorKind::Unsupported,
        _ => ErrorKind::Other,
    }
}

/// What the library's layout promises and a file did not keep.
pub fn corrupt(what: &str) -> EngineError {
    EngineError::new(ErrorKind::Corrupt, format!("ObjectBox: {what}"))
}

/// A call that this adapter should not have made.
pub fn misuse(what: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Other, what)
}

/// Something that ObjectBox does not have.
pub fn unsupported(what: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Unsupported, what)
}

/// A rule of the schema that was broken.
pub fn constraint(what: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Constraint, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_the_codes() {
        assert_eq!(kind(code::UNIQUE_VIOLATED), ErrorKind::Constraint);
        assert_eq!(kind(code::DB_FULL), ErrorKind::Full);
        assert_eq!(kind(code::NUMERIC_OVERFLOW), ErrorKind::Overflow);
        assert_eq!(kind(10001), ErrorKind::Other);
    }
}
