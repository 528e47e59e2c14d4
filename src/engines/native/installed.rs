//! What is installed.

use std::path::{Path, PathBuf};

use super::home;
use super::pin::{self, Pin};
use crate::engines::Presence;
use crate::sample::{PROVENANCE_VERSION, Provenance};

/// An installed library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The shared library.
    pub library: PathBuf,
    /// Where it came from.
    pub provenance: Provenance,
}

/// Directory of a pin's library below a home; there exactly when it is installed whole.
pub fn directory(home: &Path, pin: &Pin) -> PathBuf {
    home.join("engines").join(format!(
        "{}-{}-{}-r{}",
        pin.kind,
        pin.engine_version,
        std::env::consts::ARCH,
        pin.recipe
    ))
}

/// File name of a pin's library.
pub fn library_name(pin: &Pin) -> String {
    format!("lib{}.so", pin.kind)
}

/// The installed library of a pin under the user's home; `None` where it is not
/// there or is not what its provenance says (version, size).
pub fn find(pin: &Pin) -> Option<Installed> {
    find_in(&home()?, pin)
}

/// The same below that home.
pub fn find_in(home: &Path, pin: &Pin) -> Option<Installed> {
    let directory = directory(home, pin);
    let text = std::fs::read(directory.join("provenance.json")).ok()?;
    let provenance: Provenance = serde_json::from_slice(&text).ok()?;
    let library = directory.join(library_name(pin));
    let bytes = std::fs::metadata(&library).ok()?.len();
    let fits = provenance.version == PROVENANCE_VERSION
        && provenance.kind == pin.kind
        && provenance.package_hash == pin.package_hash
        && provenance.library_bytes == bytes;
    fits.then_some(Installed {
        library,
        provenance,
    })
}

/// Whether the engine of a pin can run here, and how to get it where it cannot.
pub fn presence(pin: &Pin) -> Presence {
    if find(pin).is_some() {
        return Presence::Here;
    }
    if !pin.architectures.contains(&std::env::consts::ARCH) {
        return Presence::NotHere(format!(
            "its package has nothing for {}",
            std::env::consts::ARCH
        ));
    }
    Presence::NotInstalled(format!(
        "not installed: `persist-lab engines install {}` brings it, so does `run --install`",
        pin.kind
    ))
}

/// What is installed of an engine by its kind.
pub fn of_kind(kind: &str) -> Option<Installed> {
    find(pin::of(kind)?)
}
