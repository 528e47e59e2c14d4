//! Where the texts of experiments, modules and pool files come from.

use std::io;
use std::path::{Component, Path, PathBuf};

use include_dir::{Dir, include_dir};

/// The standard library, inside the binary: an installed one finds it too.
static STDLIB: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/stdlib");

/// Reads files by path.
pub trait Loader {
    /// The text of a file.
    ///
    /// # Errors
    /// Where it cannot be read or is not UTF-8.
    fn read(&self, path: &Path) -> io::Result<String>;

    /// The path with every symbolic link resolved.
    ///
    /// # Errors
    /// Where nothing is there.
    fn real_path(&self, path: &Path) -> io::Result<PathBuf>;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

/// Larger files are no experiments; pools of a hundred thousand names fit.
const MOST_BYTES: u64 = 8 << 20;

impl Loader for Disk {
    fn read(&self, path: &Path) -> io::Result<String> {
        let facts = std::fs::metadata(path)?;
        if !facts.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        if facts.len() > MOST_BYTES {
            return Err(io::Error::other("it is larger than 8 MiB"));
        }
        std::fs::read_to_string(path)
    }

    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        std::fs::canonicalize(path)
    }
}

/// Files in memory, for tests and other programs.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: std::collections::BTreeMap<PathBuf, String>,
}

impl Memory {
    /// Without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.files.insert(plain(&path.into()), text.into());
        self
    }
}

impl Loader for Memory {
    fn read(&self, path: &Path) -> io::Result<String> {
        let text = self.files.get(&plain(path));
        text.cloned()
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }

    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        self.read(path).map(|_| plain(path))
    }
}

/// Without `.` components.
fn plain(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| *part != Component::CurDir)
        .collect()
}

/// Text of a module of the standard library.
pub fn stdlib(module: &str) -> Option<&'static str> {
    STDLIB.get_file(format!("{module}.exp"))?.contents_utf8()
}

/// Names of the modules of the standard library, sorted.
pub fn stdlib_modules() -> Vec<&'static str> {
    let mut names: Vec<&str> = STDLIB
        .files()
        .filter(|file| file.path().extension().is_some_and(|e| e == "exp"))
        .filter_map(|file| file.path().file_stem()?.to_str())
        .collect();
    names.sort_unstable();
    names
}

/// Why a path written in an experiment cannot be followed.
#[derive(Debug)]
pub enum Refusal {
    /// It leaves the experiment's folder; says how.
    Escape(&'static str),
    /// It cannot be read.
    Unreadable(io::Error),
}

/// Follows a path written in a file of the folder `beside`, never out of `root`.
///
/// # Errors
/// See [`Refusal`].
pub fn follow(
    loader: &dyn Loader,
    root: &Path,
    beside: &Path,
    written: &str,
) -> Result<PathBuf, Refusal> {
    if written.contains('\\') || written.contains('\0') {
        return Err(Refusal::Escape("it is no plain path with `/`"));
    }
    for part in Path::new(written).components() {
        match part {
            Component::ParentDir => return Err(Refusal::Escape("it contains `..`")),
            Component::RootDir | Component::Prefix(_) => {
                return Err(Refusal::Escape("it is absolute"));
            }
            Component::CurDir | Component::Normal(_) => {}
        }
    }
    let path = plain(&beside.join(written));
    let real = loader.real_path(&path).map_err(Refusal::Unreadable)?;
    let home = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    // In memory there are no folders, and nothing to resolve either.
    let home = loader.real_path(home).unwrap_or_else(|_| plain(home));
    if real.starts_with(&home) {
        Ok(path)
    } else {
        Err(Refusal::Escape("a symbolic link leads out of it"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_in_the_folder() {
        let files = Memory::new().with("lab/a.exp", "").with("b.exp", "");
        let lab = Path::new("lab");
        let go = |written: &str| follow(&files, lab, lab, written);
        assert_eq!(go("./a.exp").expect("beside"), Path::new("lab/a.exp"));
        assert!(matches!(go("../b.exp"), Err(Refusal::Escape(_))));
        assert!(matches!(go("/b.exp"), Err(Refusal::Escape(_))));
        assert!(matches!(go("b.exp"), Err(Refusal::Unreadable(_))));
    }

    #[test]
    fn symbolic_links_cannot_lead_out() {
        let outside = tempfile::tempdir().expect("folder");
        let lab = tempfile::tempdir().expect("folder");
        std::fs::write(outside.path().join("secret.txt"), "x").expect("write");
        std::fs::write(lab.path().join("names.txt"), "x").expect("write");
        let link = lab.path().join("link.txt");
        std::os::unix::fs::symlink(outside.path().join("secret.txt"), link).expect("link");
        let go = |written: &str| follow(&Disk, lab.path(), lab.path(), written);
        assert!(go("names.txt").is_ok());
        assert!(matches!(go("link.txt"), Err(Refusal::Escape(_))));
    }

    #[test]
    fn the_standard_library_is_inside() {
        assert!(stdlib_modules().contains(&"people"));
        assert!(stdlib("people").expect("there").contains("pool first_name"));
        assert!(stdlib("nothing").is_none());
    }
}
