//! Where the stores of the cells lie, and how the disk is made quiet.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::archive::format::WORK;
use crate::diagnostics::{Code, Diagnostic};
use crate::probe::{fdatasync_median_ns, settle};

/// Shortest and longest wait for the disk to settle.
const SETTLE: (Duration, Duration) = (Duration::from_millis(40), Duration::from_secs(5));

/// A directory for the stores, removed with all that is in it when this goes.
#[derive(Debug)]
pub struct Workplace {
    root: PathBuf,
    made: u64,
}

impl Workplace {
    /// Makes the directory: below `work`, or in the archive's. What an earlier,
    /// killed session left in the archive's is removed; its lock must be held.
    pub fn new(archive: &Path, work: Option<&Path>) -> Result<Workplace, Diagnostic> {
        let root = match work {
            Some(work) => work.join(format!("persist-lab-{}", std::process::id())),
            None => archive.join(WORK),
        };
        remove(&root)?;
        std::fs::create_dir_all(&root).map_err(|error| fault(&root, &error))?;
        // Workers are told where, and may change their own directory.
        let root = std::fs::canonicalize(&root).map_err(|error| fault(&root, &error))?;
        Ok(Workplace { root, made: 0 })
    }

    /// The directory that holds them all.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A fresh, empty directory.
    pub fn fresh(&mut self) -> Result<PathBuf, Diagnostic> {
        self.made += 1;
        let path = self.root.join(format!("cell-{}", self.made));
        std::fs::create_dir(&path).map_err(|error| fault(&path, &error))?;
        Ok(path)
    }

    /// Removes one of them.
    pub fn remove(&self, directory: &Path) -> Result<(), Diagnostic> {
        remove(directory)
    }

    /// Writes out what is dirty and waits until the disk has done with it: up to
    /// a tenth of the time that the cell before took, within [`SETTLE`].
    /// Returns the bytes that were dirty still.
    pub fn settle(&self, cell_before: Duration) -> u64 {
        let longest = (cell_before / 10).clamp(SETTLE.0, SETTLE.1);
        // A kernel that does not tell leaves nothing to record.
        settle(&self.root, longest).unwrap_or(0)
    }

    /// Median time of 20 small syncs, ns; `None` where the disk refuses.
    pub fn probe(&self) -> Option<u64> {
        fdatasync_median_ns(&self.root).ok()
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // Nothing can be done about an error here; the next session tries again.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

fn remove(path: &Path) -> Result<(), Diagnostic> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(fault(path, &error)),
        _ => Ok(()),
    }
}

fn fault(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::general(
        Code::WorkDirectory,
        format!("cannot use `{}` for stores: {error}", path.display()),
    )
    .help("set PERSIST_LAB_WORK to a directory on the disk to be measured")
}
