//! Taking out of a package what its recipe needs.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::fault;
use super::inside;
use super::package;
use super::recipe::{Library, Recipe};
use crate::diagnostics::Diagnostic;
use crate::engines::native::Pin;
use crate::engines::native::installed::library_name;

/// Takes sources below `source`, licences and a finished library into `made`.
///
/// # Errors
/// [`Code::BadPackage`](crate::diagnostics::Code::BadPackage) where the package cannot be read, a
/// name in it leads out, or something is not there.
pub fn unpack(
    file: &mut File,
    pin: &Pin,
    recipe: &Recipe,
    source: &Path,
    made: &Path,
) -> Result<(), Diagnostic> {
    let what = format!("{} {}", pin.package, pin.package_version);
    let mut missing = needed(recipe);
    let unpacked = package::each(file, pin.client, &mut |path, bytes| {
        let target = if recipe.licences.contains(&path) {
            let name = path.rsplit('/').next().unwrap_or(path);
            Some(inside(made, name, path)?)
        } else {
            match &recipe.library {
                Library::Inside(library) if *library == path => Some(made.join(library_name(pin))),
                Library::Inside(_) => None,
                Library::Built(build) => match build.takes(path) {
                    Some(below) => Some(inside(source, below, path)?),
                    None => None,
                },
            }
        };
        if let Some(target) = target {
            missing.retain(|name| name != path);
            write(&target, bytes)?;
        }
        Ok(())
    });
    if let Err(error) = unpacked {
        return Err(match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => fault::home(source, &error),
            _ => fault::package(&what, error),
        });
    }
    match missing.as_slice() {
        [] => Ok(()),
        [first, ..] => Err(fault::package(
            &what,
            format!("{} files are missing, such as `{first}`", missing.len()),
        )),
    }
}

/// Paths in the package without which there is no library.
fn needed(recipe: &Recipe) -> Vec<String> {
    let mut needed: Vec<String> = match &recipe.library {
        Library::Inside(path) => vec![(*path).to_owned()],
        Library::Built(build) => build
            .sources()
            .map(|name| format!("{}/{name}", build.root))
            .collect(),
    };
    needed.extend(recipe.licences.iter().map(|&path| path.to_owned()));
    needed
}

fn inside(directory: &Path, below: &str, path: &str) -> io::Result<PathBuf> {
    inside::below(directory, below)
        .ok_or_else(|| io::Error::other(format!("`{path}` leads out of the package")))
}

fn write(target: &Path, bytes: &mut dyn Read) -> io::Result<()> {
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = File::create_new(target)?;
    io::copy(bytes, &mut file)?;
    Ok(())
}
