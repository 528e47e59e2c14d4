//! What the tools said, kept for reading.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The log of one install.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Begins the log of a kind anew.
    pub fn begin(home: &Path, kind: &str) -> io::Result<Log> {
        let directory = home.join("logs");
        fs::create_dir_all(&directory)?;
        let path = directory.join(format!("{kind}.log"));
        let file = File::create(&path)?;
        Ok(Log { path, file })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds to it. A log that cannot be written is no reason to stop.
    pub fn add(&self, text: &str) {
        let _ = (&self.file).write_all(text.as_bytes());
    }
}
