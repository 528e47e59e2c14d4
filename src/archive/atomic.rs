//! Files that are there whole or not at all.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::fault::unwritable;
use crate::diagnostics::Diagnostic;

/// Writes a file beside its place, makes it durable, and renames it into place.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = Path::new(&temporary);
    let written = File::create(temporary)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(temporary, path));
    if let Err(error) = written {
        // What is left of the attempt is of no use to anyone.
        let _ = std::fs::remove_file(temporary);
        return Err(unwritable(path, error));
    }
    match path.parent() {
        Some(parent) => sync_directory(parent),
        None => Ok(()),
    }
}

/// As indented JSON with a line break at the end.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Diagnostic> {
    write(path, &to_json(path, value)?)
}

/// The bytes that [`write_json`] writes.
pub fn to_json<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|error| unwritable(path, error))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Makes names in a directory durable.
pub fn sync_directory(path: &Path) -> Result<(), Diagnostic> {
    let path = if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    };
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(|error| unwritable(path, error))
}
