//! Removing what is installed.

use std::fs;
use std::io;
use std::path::Path;

use super::fault;
use super::installer::Stop;
use super::progress::Progress;
use super::staging::Staging;
use crate::diagnostics::Diagnostic;

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Installed libraries, of whatever version.
    pub libraries: usize,
    /// Bytes of their files.
    pub bytes: u64,
}

/// Removes every version of a kind below a home.
///
/// # Errors
/// [`Stop::Failed`] where a directory cannot be read or removed.
pub fn remove(
    home: &Path,
    kind: &str,
    progress: &mut dyn Progress,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Removed, Stop> {
    let engines = home.join("engines");
    if !engines.exists() {
        return Ok(Removed::default());
    }
    let staging = Staging::make(home, progress, interrupted)?;
    let aside = staging.directory("aside")?;
    let mut removed = Removed::default();
    let broken = |error: io::Error| -> Diagnostic { fault::home(&engines, &error) };
    let prefix = format!("{kind}-");
    for entry in fs::read_dir(&engines).map_err(broken)? {
        let entry = entry.map_err(broken)?;
        let name = entry.file_name();
        if !name.to_string_lossy().starts_with(&prefix) {
            continue;
        }
        // Away in one step: nobody finds half of it.
        let away = aside.join(&name);
        fs::rename(entry.path(), &away).map_err(broken)?;
        removed.libraries += 1;
        removed.bytes += size(&away).map_err(broken)?;
    }
    Ok(removed)
}

fn size(directory: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}
