//! The last act: provenance, then into place.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::hash;
use crate::engines::native::Pin;
use crate::engines::native::installed::{directory, library_name};
use crate::sample::{PROVENANCE_VERSION, Provenance};

/// How a library was compiled.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// First line of the compiler's `--version`.
    pub compiler: Option<String>,
    /// Flags, include paths left out.
    pub flags: Vec<String>,
}

/// Writes the provenance of a library that lies whole in `made`, syncs all, and
/// renames the directory to where `engines::native` looks for it. Something
/// that is there and is not whole goes to `aside` first.
pub fn place(home: &Path, pin: &Pin, made: &Path, how: Made, aside: &Path) -> io::Result<()> {
    let library = made.join(library_name(pin));
    let provenance = Provenance {
        version: PROVENANCE_VERSION,
        kind: pin.kind.to_owned(),
        engine_version: pin.engine_version.to_owned(),
        package: pin.package.to_owned(),
        package_version: pin.package_version.to_owned(),
        package_hash: pin.package_hash.to_owned(),
        recipe: pin.recipe,
        library_sha256: hash::sha256_hex(File::open(&library)?)?,
        library_bytes: fs::metadata(&library)?.len(),
        compiler: how.compiler,
        flags: how.flags,
        architecture: std::env::consts::ARCH.to_owned(),
        licence: pin.licence.to_owned(),
    };
    let mut text = serde_json::to_vec_pretty(&provenance)?;
    text.push(b'\n');
    fs::write(made.join("provenance.json"), text)?;
    for entry in fs::read_dir(made)? {
        File::open(entry?.path())?.sync_all()?;
    }
    File::open(made)?.sync_all()?;

    let target = directory(home, pin);
    let engines = target.parent().unwrap_or(home);
    fs::create_dir_all(engines)?;
    if target.symlink_metadata().is_ok() {
        fs::rename(&target, aside)?;
    }
    fs::rename(made, &target)?;
    File::open(engines)?.sync_all()?;
    File::open(home)?.sync_all()
}
