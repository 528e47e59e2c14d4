//! A place to make things in, and the lock over it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::fault;
use super::installer::Stop;
use super::progress::Progress;

/// How long to look away from a lock.
const NAP: Duration = Duration::from_millis(20);
/// A program that is just being started shares the lock until it runs: a lock
/// that was let go may look held for this many naps.
const LINGER_NAPS: u32 = 25;

/// A directory that goes away with this. While it lives, no other install works
/// below the same home.
#[derive(Debug)]
pub struct Staging {
    directory: PathBuf,
    _lock: File,
}

impl Staging {
    /// Waits for another install to end, clears away what killed ones have
    /// left, and makes a new directory.
    pub fn make(
        home: &Path,
        progress: &mut dyn Progress,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Staging, Stop> {
        fs::create_dir_all(home).map_err(|error| fault::home(home, &error))?;
        let lock = lock(&home.join("install.lock"), progress, interrupted)?;
        let all = home.join("staging");
        let directory = all.join(std::process::id().to_string());
        let made = clear(&all).and_then(|()| fs::create_dir_all(&directory));
        made.map_err(|error| fault::home(&all, &error))?;
        Ok(Staging {
            directory,
            _lock: lock,
        })
    }

    /// A new empty directory in it.
    pub fn directory(&self, name: &str) -> Result<PathBuf, Stop> {
        let path = self.directory.join(name);
        fs::create_dir(&path).map_err(|error| fault::home(&path, &error))?;
        Ok(path)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What stays is cleared away by the next install.
        let _ = fs::remove_dir_all(&self.directory);
        if let Some(all) = self.directory.parent() {
            let _ = fs::remove_dir(all);
        }
    }
}

/// Removes a directory with all that is in it; nothing where it is not there.
fn clear(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn lock(
    path: &Path,
    progress: &mut dyn Progress,
    interrupted: &dyn Fn() -> bool,
) -> Result<File, Stop> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| fault::home(path, &error))?;
    let mut naps = 0;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(fault::home(path, &error).into()),
            Err(TryLockError::WouldBlock) => {}
        }
        if interrupted() {
            return Err(Stop::Interrupted);
        }
        naps += 1;
        if naps == LINGER_NAPS {
            progress.say("waiting for another install to end");
        }
        std::thread::sleep(NAP);
    }
}
