//! One writer at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::fault::unwritable;
use super::format::LOCK;
use crate::diagnostics::{Code, Diagnostic};

/// Held as long as this lives; the kernel lets go of it when the process ends,
/// however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Takes the lock of an archive's directory, without waiting.
pub fn take(directory: &Path) -> Result<Lock, Diagnostic> {
    let path = directory.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| unwritable(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(Diagnostic::general(
            Code::ArchiveBusy,
            format!("another run is writing to `{}`", directory.display()),
        )
        .help("wait until it has ended, or choose another directory with `--out`")),
        Err(TryLockError::Error(error)) => Err(unwritable(&path, error)),
    }
}
