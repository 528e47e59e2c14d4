//! Realm's error codes as [`ErrorKind`].

use std::ffi::{CStr, c_uint};

use super::ffi::Functions;
use super::ffi::types::ErrorInfo;
use crate::engines::{EngineError, ErrorKind};

/// The error that the last call of this thread left. Only to be asked after a
/// call has failed: a success does not clear it.
pub fn last_error(functions: &Functions) -> EngineError {
    let mut info = ErrorInfo {
        code: 0,
        message: std::ptr::null(),
        user_error: std::ptr::null_mut(),
        kind: 0,
    };
    // SAFETY: `info` is written before it is read; the message lives until the
    // error is cleared and is copied before.
    unsafe {
        if !functions.get_last_error(&mut info) {
            return misuse("Realm failed without an error");
        }
        let message = if info.message.is_null() {
            String::new()
        } else {
            CStr::from_ptr(info.message).to_string_lossy().into_owned()
        };
        functions.clear_last_error();
        EngineError::new(
            kind(info.code),
            format!("{message} (Realm code {})", info.code),
        )
    }
}

/// What a code of `realm_errno_e` means here.
fn kind(code: c_uint) -> ErrorKind {
    match code {
        // A property that may not be null, a missing value or key, a key twice.
        9 | 11 | 16 | 33 => ErrorKind::Constraint,
        // Out of memory, address space, file size, disk.
        3 | 24..=26 => ErrorKind::Full,
        // A path, access or permission.
        32 | 37 | 38 => ErrorKind::Io,
        22 => ErrorKind::Corrupt,
        _ => ErrorKind::Other,
    }
}

/// A fault of the adapter itself.
pub fn misuse(message: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Other, message)
}

/// Something that this engine cannot do.
pub fn unsupported(message: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Unsupported, message)
}

/// A rule that Realm does not keep by itself was broken.
pub fn refused(message: impl Into<String>) -> EngineError {
    EngineError::new(ErrorKind::Constraint, message)
}
