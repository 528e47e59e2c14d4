//! Diagnostics of this room.

use std::path::Path;

use crate::diagnostics::{Code, Diagnostic};

/// A file that cannot be read, or is not what it should be.
pub fn unreadable(path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::general(
        Code::ArchiveUnreadable,
        format!("cannot read `{}`: {why}", path.display()),
    )
}

/// A file that cannot be written.
pub fn unwritable(path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::general(
        Code::ArchiveUnwritable,
        format!("cannot write `{}`: {why}", path.display()),
    )
    .help("choose another place with `--out DIR`, or make room and go on with `--resume`")
}

/// Refuses what a newer version of the tool has written.
pub fn check_version(path: &Path, found: u32, known: u32) -> Result<(), Diagnostic> {
    if found <= known {
        return Ok(());
    }
    Err(Diagnostic::general(
        Code::ArchiveNewer,
        format!(
            "`{}` has format version {found}; this persist-lab reads up to {known}",
            path.display()
        ),
    )
    .help("read it with the version of persist-lab that `manifest.json` names"))
}
