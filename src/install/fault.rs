//! Diagnostics of this room.

use std::io::{Error, ErrorKind};
use std::path::Path;

use crate::diagnostics::{Code, Diagnostic};

/// A file or directory of ours that cannot be read or written.
pub fn home(path: &Path, error: &Error) -> Diagnostic {
    if matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    ) {
        return Diagnostic::general(
            Code::NoSpace,
            format!("no room to write `{}`", path.display()),
        )
        .help("make room, or name another place with PERSIST_LAB_HOME");
    }
    Diagnostic::general(
        Code::HomeUnusable,
        format!("cannot use `{}`: {error}", path.display()),
    )
    .help("PERSIST_LAB_HOME names another place")
}

/// A package that cannot be unpacked, or is not as its recipe has it.
pub fn package(what: &str, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::general(Code::BadPackage, format!("cannot unpack {what}: {why}"))
}

/// The end of a log, for a message.
pub fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    let from = all.len().saturating_sub(lines);
    all[from..]
        .iter()
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_has_its_own_code() {
        let full = home(Path::new("/x"), &Error::from_raw_os_error(libc::ENOSPC));
        assert_eq!(full.code, Code::NoSpace);
        let denied = home(Path::new("/x"), &Error::from_raw_os_error(libc::EACCES));
        assert_eq!(denied.code, Code::HomeUnusable);
    }

    #[test]
    fn a_tail_is_the_end_of_what_is_said() {
        assert_eq!(tail("a\n\nb  \nc\n", 2), "  b\n  c");
        assert_eq!(tail("", 2), "");
    }
}
