//! Where an installed library came from.

use serde::{Deserialize, Serialize};

/// Version of the format of [`Provenance`].
pub const PROVENANCE_VERSION: u32 = 1;

/// Where an installed library came from and how it was made; `provenance.json`
/// beside it, and in the archive of every run that used it. No paths in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// [`PROVENANCE_VERSION`].
    pub version: u32,
    /// The engine's name in experiments.
    pub kind: String,
    /// Version of the engine.
    pub engine_version: String,
    /// Name of the package.
    pub package: String,
    /// Version of the package.
    pub package_version: String,
    /// Its hash, as the pin has it and as it was found.
    pub package_hash: String,
    /// Number of the recipe that built it.
    pub recipe: u32,
    /// SHA-256 of the library, hexadecimal.
    pub library_sha256: String,
    /// Size of the library, bytes.
    pub library_bytes: u64,
    /// First line of the compiler's `--version`; `None` where nothing was compiled.
    pub compiler: Option<String>,
    /// Flags that the compiler was given, include paths left out; empty where
    /// nothing was compiled.
    pub flags: Vec<String>,
    /// Architecture (`x86_64`).
    pub architecture: String,
    /// Licence of the engine, in words.
    pub licence: String,
}
