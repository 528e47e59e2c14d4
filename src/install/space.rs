//! Room on the disk.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::base::units::format_size;
use crate::diagnostics::{Code, Diagnostic};

/// Refuses where there is less room than that.
///
/// # Errors
/// [`Code::NoSpace`]
pub fn check(directory: &Path, needed: u64) -> Result<(), Diagnostic> {
    match free_bytes(directory) {
        Some(free) if free < needed => Err(Diagnostic::general(
            Code::NoSpace,
            format!(
                "{} has {} left, and installing takes {} for a while",
                directory.display(),
                format_size(free as f64),
                format_size(needed as f64)
            ),
        )
        .help("make room, or name another place with PERSIST_LAB_HOME")),
        _ => Ok(()),
    }
}

/// Bytes that a user may still write there; `None` where that cannot be told.
fn free_bytes(directory: &Path) -> Option<u64> {
    let path = CString::new(directory.as_os_str().as_bytes()).ok()?;
    // SAFETY: `path` ends in NUL, `found` is valid for writing and all-zero is
    // a valid value of it.
    let found = unsafe {
        let mut found: libc::statvfs = std::mem::zeroed();
        if libc::statvfs(path.as_ptr(), &mut found) != 0 {
            return None;
        }
        found
    };
    found.f_bavail.checked_mul(found.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_refused_and_little_is_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(check(folder.path(), 1), Ok(()));
        let refused = check(folder.path(), u64::MAX).unwrap_err();
        assert_eq!(refused.code, Code::NoSpace);
    }
}
