//! Texts without paths of this machine: archives are handed on.

use std::path::{Path, PathBuf};

/// Replaces paths of this machine in what workers and engines say.
#[derive(Debug, Default)]
pub struct Scrub {
    /// Longest first: a path inside another is replaced before it.
    replaced: Vec<(String, &'static str)>,
}

impl Scrub {
    /// Knows the stores' directory, the archive's, the working one and the user's home.
    pub fn new(work: &Path, archive: &Path) -> Scrub {
        let mut scrub = Scrub::default();
        scrub.add(Some(work.to_owned()), "WORK");
        scrub.add(std::fs::canonicalize(archive).ok(), "ARCHIVE");
        scrub.add(std::env::current_dir().ok(), ".");
        scrub.add(std::env::var_os("HOME").map(PathBuf::from), "~");
        scrub
            .replaced
            .sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        scrub
    }

    fn add(&mut self, path: Option<PathBuf>, by: &'static str) {
        // A root directory stands for nothing of this machine.
        if let Some(path) = path.as_deref().and_then(Path::to_str)
            && path.trim_end_matches('/').len() > 1
        {
            self.replaced
                .push((path.trim_end_matches('/').to_owned(), by));
        }
    }

    /// The text without them.
    pub fn text(&self, text: &str) -> String {
        self.replaced
            .iter()
            .fold(text.to_owned(), |text, (path, by)| text.replace(path, by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_paths_go_first() {
        let archive = tempfile::tempdir().unwrap();
        let archive = archive.path().canonicalize().unwrap();
        let scrub = Scrub::new(&archive.join("stores"), &archive);
        let shown = archive.display();
        assert_eq!(
            scrub.text(&format!("cannot open {shown}/stores/cell-1/db, {shown}/x")),
            "cannot open WORK/cell-1/db, ARCHIVE/x"
        );
    }
}
