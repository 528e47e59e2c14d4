//! The texts that an experiment consists of, as an archive keeps them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::format::{EXPERIMENT, SOURCES};

/// One text: the experiment, a module or a pool file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Name as shown to the user (`experiments/tuning.exp`, `std/people.exp`).
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// Where an archive keeps a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// Path below the archive's directory.
    pub path: String,
    /// Its name in the archive, as [`portable`] makes it.
    pub name: String,
}

impl SourceEntry {
    /// Places for all sources, the first being the experiment itself: paths
    /// stay below `sources/` and differ.
    pub fn assign(sources: &[SourceFile]) -> Vec<SourceEntry> {
        let mut entries: Vec<SourceEntry> = Vec::with_capacity(sources.len());
        for (at, source) in sources.iter().enumerate() {
            let name = portable(&source.name, sources);
            let path = if at == 0 {
                EXPERIMENT.to_owned()
            } else {
                unique(&format!("{SOURCES}/{name}"), &entries)
            };
            entries.push(SourceEntry { path, name });
        }
        entries
    }
}

/// A source's name as it may stand in an archive: seen from the experiment's
/// own folder, so that it is the same wherever the tool was called from and
/// tells nothing of the machine. The first of `sources` is the experiment.
pub fn portable(name: &str, sources: &[SourceFile]) -> String {
    let folder = sources
        .first()
        .and_then(|experiment| Path::new(&experiment.name).parent());
    let below = folder
        .filter(|folder| !folder.as_os_str().is_empty())
        .and_then(|folder| Path::new(name).strip_prefix(folder).ok())
        .and_then(Path::to_str);
    inner_parts(below.unwrap_or(name)).join("/")
}

/// The parts of a name that may stand in an archive: no way up, no root, and
/// of an absolute path the last part alone.
fn inner_parts(name: &str) -> Vec<&str> {
    let parts: Vec<&str> = name
        .split(['/', '\\'])
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .collect();
    let kept = if name.starts_with('/') {
        parts.len().saturating_sub(1)
    } else {
        0
    };
    match parts.get(kept..) {
        Some([]) | None => vec!["unnamed"],
        Some(parts) => parts.to_vec(),
    }
}

fn unique(path: &str, taken: &[SourceEntry]) -> String {
    let is_taken = |path: &str| taken.iter().any(|entry| entry.path == path);
    if !is_taken(path) {
        return path.to_owned();
    }
    (2..)
        .map(|number| format!("{path}.{number}"))
        .find(|path| !is_taken(path))
        .unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str) -> SourceFile {
        SourceFile {
            name: name.into(),
            text: String::new(),
        }
    }

    #[test]
    fn no_path_leaves_the_archive_or_tells_of_the_machine() {
        let entries = SourceEntry::assign(&[
            source("/home/someone/experiments/a.exp"),
            source("/home/someone/experiments/lists/names.txt"),
            source("std/people.exp"),
            source("../../etc/passwd"),
            source("/etc/passwd"),
            source("passwd"),
            source(".."),
        ]);
        let paths: Vec<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "experiment.exp",
                "sources/lists/names.txt",
                "sources/std/people.exp",
                "sources/etc/passwd",
                "sources/passwd",
                "sources/passwd.2",
                "sources/unnamed"
            ]
        );
        assert_eq!(entries[0].name, "a.exp");
    }
}
