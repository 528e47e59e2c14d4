//! Names inside a package, and where they may lead.

use std::path::{Component, Path, PathBuf};

/// A relative path below a directory; `None` for one that is absolute, empty
/// or leads out of it.
pub fn below(directory: &Path, relative: &str) -> Option<PathBuf> {
    let relative = Path::new(relative);
    let plain = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let names_something = relative.file_name().is_some();
    (plain && names_something).then(|| directory.join(relative))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leads_out() {
        let root = Path::new("/target/x");
        assert_eq!(below(root, "a/b.c"), Some(PathBuf::from("/target/x/a/b.c")));
        for wrong in [
            "",
            ".",
            "..",
            "../a",
            "a/../../b",
            "/etc/passwd",
            "a/..",
            "./../a",
        ] {
            assert_eq!(below(root, wrong), None, "{wrong:?}");
        }
    }
}
