//! A hash tree over an archive's files: a change is seen, and named.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::fault::{check_version, unreadable};
use super::format::{ARCHIVE_VERSION, HASHES, LOCK, WORK};
use super::{atomic, reader};
use crate::diagnostics::Diagnostic;

/// The file `hashes.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashes {
    /// [`ARCHIVE_VERSION`].
    pub version: u32,
    /// SHA-256 over the lines `<hash>  <path>\n` of all files, in the order of the paths:
    /// one number that stands for the whole archive.
    pub root: String,
    /// SHA-256 of each file by its path, 64 hex digits.
    pub files: BTreeMap<String, String>,
}

/// What a check of the hashes found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The hash of the whole; `None` where the archive was never sealed.
    pub root: Option<String>,
    /// Files whose content is another, `hashes.json` itself where its root does not fit.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub missing: Vec<String>,
    /// Files that came later; they change nothing that a report reads.
    pub added: Vec<String>,
}

impl Verification {
    /// Whether nothing that was sealed has changed.
    pub fn intact(&self) -> bool {
        self.changed.is_empty() && self.missing.is_empty()
    }
}

/// SHA-256 in hex.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hashes all files and writes `hashes.json`.
pub fn seal(directory: &Path) -> Result<(), Diagnostic> {
    let files = hash_all(directory)?;
    let hashes = Hashes {
        version: ARCHIVE_VERSION,
        root: root(&files),
        files,
    };
    atomic::write_json(&directory.join(HASHES), &hashes)
}

/// Holds the files against `hashes.json`.
///
/// # Errors
/// Where a file cannot be read; a file that changed is a finding, not an error.
pub fn verify(directory: &Path) -> Result<Verification, Diagnostic> {
    let path = directory.join(HASHES);
    if !path.exists() {
        return Ok(Verification::default());
    }
    let sealed: Hashes = reader::read_json(&path, ARCHIVE_VERSION)?;
    check_version(&path, sealed.version, ARCHIVE_VERSION)?;
    let mut now = hash_all(directory)?;
    let mut found = Verification::default();
    for (name, hash) in &sealed.files {
        match now.remove(name) {
            None => found.missing.push(name.clone()),
            Some(other) if other != *hash => found.changed.push(name.clone()),
            Some(_) => {}
        }
    }
    found.added = now.into_keys().collect();
    if root(&sealed.files) != sealed.root {
        found.changed.push(HASHES.into());
    }
    found.root = Some(sealed.root);
    Ok(found)
}

fn root(files: &BTreeMap<String, String>) -> String {
    let mut hasher = Sha256::new();
    for (name, hash) in files {
        hasher.update(format!("{hash}  {name}\n"));
    }
    hex(&hasher.finalize())
}

fn hash_all(directory: &Path) -> Result<BTreeMap<String, String>, Diagnostic> {
    let mut files = BTreeMap::new();
    let mut open: Vec<(PathBuf, String)> = vec![(directory.to_owned(), String::new())];
    while let Some((path, prefix)) = open.pop() {
        let entries = std::fs::read_dir(&path).map_err(|error| unreadable(&path, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&path, error))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if matches!(name.as_str(), HASHES | LOCK | WORK) {
                continue;
            }
            let kind = entry
                .file_type()
                .map_err(|error| unreadable(&entry.path(), error))?;
            if kind.is_dir() {
                open.push((entry.path(), format!("{name}/")));
            } else if kind.is_file() {
                files.insert(name, hash_file(&entry.path())?);
            }
        }
    }
    Ok(files)
}

fn hash_file(path: &Path) -> Result<String, Diagnostic> {
    use std::io::Read;
    let mut file = std::fs::File::open(path).map_err(|error| unreadable(path, error))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = file
            .read(&mut buffer)
            .map_err(|error| unreadable(path, error))?;
        if read == 0 {
            return Ok(hex(&hasher.finalize()));
        }
        hasher.update(&buffer[..read]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_a_missing_and_an_added_file_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::create_dir(path("sources")).unwrap();
        std::fs::create_dir(path("work")).unwrap();
        for name in ["a", "b", "sources/c", "work/store"] {
            std::fs::write(path(name), name).unwrap();
        }
        assert_eq!(verify(directory.path()).unwrap().root, None);
        seal(directory.path()).unwrap();
        let found = verify(directory.path()).unwrap();
        assert!(found.intact() && found.added.is_empty());

        std::fs::write(path("sources/c"), "C").unwrap();
        std::fs::remove_file(path("a")).unwrap();
        std::fs::write(path("d"), "d").unwrap();
        let found = verify(directory.path()).unwrap();
        assert_eq!(found.changed, ["sources/c"]);
        assert_eq!(found.missing, ["a"]);
        assert_eq!(found.added, ["d"]);
        assert!(!found.intact());
    }

    #[test]
    fn a_change_covered_up_in_the_list_is_seen_at_the_root() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("a"), "a").unwrap();
        seal(directory.path()).unwrap();
        std::fs::write(directory.path().join("a"), "b").unwrap();
        let list = directory.path().join(HASHES);
        let text = std::fs::read_to_string(&list).unwrap();
        std::fs::write(&list, text.replace(&digest(b"a"), &digest(b"b"))).unwrap();
        assert_eq!(verify(directory.path()).unwrap().changed, [HASHES]);
    }

    #[test]
    fn digests_are_sha_256() {
        // FIPS 180-2, the one-block example.
        assert_eq!(
            digest(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
