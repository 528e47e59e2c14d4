//! The file as the writer sees it: a handful of calls, so that tests can make
//! each of them fail.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use super::error::{Result, io};
use crate::engines::{EngineError, ErrorKind};

/// What a commit does to the disk.
pub trait Storage: Send {
    /// Writes all bytes at an offset.
    fn write(&mut self, at: u64, bytes: &[u8]) -> std::io::Result<()>;
    /// Makes the file that long.
    fn set_len(&mut self, len: u64) -> std::io::Result<()>;
    /// Returns when all that was written is on the disk.
    fn sync(&mut self) -> std::io::Result<()>;
}

impl Storage for File {
    fn write(&mut self, at: u64, bytes: &[u8]) -> std::io::Result<()> {
        self.write_all_at(bytes, at)
    }

    fn set_len(&mut self, len: u64) -> std::io::Result<()> {
        File::set_len(self, len)
    }

    fn sync(&mut self) -> std::io::Result<()> {
        self.sync_data()
    }
}

/// Opens the file at `path`, creating it if it is not there, with the lock
/// that keeps a second writer out.
pub fn open_locked(path: &Path) -> Result<File> {
    loop {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| io("opening the store", &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(EngineError::new(
                    ErrorKind::Other,
                    "the store is open already: another writer holds its lock",
                ));
            }
            Err(TryLockError::Error(error)) => return Err(io("locking the store", &error)),
        }
        // A compaction may have put another file into its place meanwhile.
        let opened = file.metadata().map_err(|e| io("the opened store", &e))?;
        match std::fs::metadata(path) {
            Ok(there) if (there.dev(), there.ino()) == (opened.dev(), opened.ino()) => {
                return Ok(file);
            }
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(io("the store's name", &error)),
        }
    }
}

/// Makes the names in a directory durable.
pub fn sync_directory(directory: &Path) -> Result<()> {
    File::open(directory)
        .and_then(|directory| directory.sync_all())
        .map_err(|error| io("syncing the directory", &error))
}
