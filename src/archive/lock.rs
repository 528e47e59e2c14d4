//! One writer at a time.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::fault::unwritable;
use super::format::LOCK;
use crate::diagnostics::{Code, Diagnostic};

/// A process that is just being started shares its parent's lock until it runs
/// its own program: a lock that was let go may look held for this long.
const LINGER: Duration = Duration::from_millis(500);

/// Held as long as this lives; the kernel lets go of it when the process ends,
/// however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Takes the lock of an archive's directory, without waiting for another run to end.
pub fn take(directory: &Path) -> Result<Lock, Diagnostic> {
    let path = directory.join(LOCK);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|error| unwritable(&path, error))?;
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) if begin.elapsed() < LINGER => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(busy(directory)),
            Err(TryLockError::Error(error)) => return Err(unwritable(&path, error)),
        }
    }
}

fn busy(directory: &Path) -> Diagnostic {
    Diagnostic::general(
        Code::ArchiveBusy,
        format!("another run is writing to `{}`", directory.display()),
    )
    .help("wait until it has ended, or choose another directory with `--out`")
}
