//! Every file below a directory, with what it takes.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::sample::FileSize;

/// All regular files below `directory`, by name relative to it, sorted.
///
/// A file that vanishes during the walk (a temporary one of an engine) is left
/// out; links are not followed.
pub fn walk(directory: &Path) -> io::Result<Vec<FileSize>> {
    let mut files = Vec::new();
    let mut open = vec![(directory.to_path_buf(), String::new())];
    while let Some((path, prefix)) = open.pop() {
        let entries = match std::fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !prefix.is_empty() => continue,
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let facts = match entry.metadata() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                facts => facts?,
            };
            if facts.is_dir() {
                open.push((entry.path(), name + "/"));
            } else if facts.is_file() {
                files.push(FileSize {
                    name,
                    apparent_bytes: facts.len(),
                    // st_blocks counts 512 bytes each, whatever the file system's blocks are: stat(2).
                    allocated_bytes: facts.blocks() * 512,
                });
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Bytes allocated by all files below `directory`.
pub fn allocated_bytes(directory: &Path) -> io::Result<u64> {
    Ok(walk(directory)?
        .iter()
        .map(|file| file.allocated_bytes)
        .sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_at_every_depth_and_tells_holes_from_data() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir_all(at("inner/deep")).unwrap();
        std::fs::write(at("store"), vec![7; 10_000]).unwrap();
        std::fs::write(at("inner/deep/log"), [1]).unwrap();
        std::fs::File::create(at("hole"))
            .unwrap()
            .set_len(1 << 30)
            .unwrap();
        std::os::unix::fs::symlink(at("store"), at("link")).unwrap();
        let files = walk(directory.path()).unwrap();
        let named: Vec<_> = files
            .iter()
            .map(|file| (file.name.as_str(), file.apparent_bytes))
            .collect();
        assert_eq!(
            named,
            [("hole", 1 << 30), ("inner/deep/log", 1), ("store", 10_000)]
        );
        assert!(files[0].allocated_bytes < 1 << 20);
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        assert!(walk(Path::new("/nowhere/at/all")).is_err());
    }
}
