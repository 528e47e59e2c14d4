//! The check of whole files, through the library's own entry.

use std::path::{Path, PathBuf};

use persist_lab::check::{Checked, Disk, Memory, check};
use persist_lab::diagnostics::{Style, render_all};

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("experiments")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "exp"))
        .collect();
    files.sort();
    files
}

fn rendered(checked: &Checked) -> String {
    render_all(&checked.diagnostics, &checked.sources, Style::Plain)
}

#[test]
fn shipped_experiments_are_clean() {
    let files = shipped();
    assert!(files.len() >= 6, "{files:?}");
    for path in files {
        let checked = check(&path, &Disk);
        assert!(checked.diagnostics.is_empty(), "{}", rendered(&checked));
        assert!(checked.experiment.is_some(), "{}", path.display());
    }
}

#[test]
fn modules_of_the_standard_library_are_clean_on_their_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("stdlib");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("stdlib") {
        let checked = check(&entry.expect("entry").path(), &Disk);
        assert!(checked.diagnostics.is_empty(), "{}", rendered(&checked));
        assert!(checked.experiment.is_none());
        seen += 1;
    }
    assert!(seen >= 3);
}

#[test]
fn a_file_that_is_not_there_is_a_finding() {
    let checked = check(Path::new("nowhere.exp"), &Memory::new());
    assert_eq!(checked.diagnostics.len(), 1);
    assert!(checked.experiment.is_none());
    assert!(rendered(&checked).contains("nowhere.exp"));
}
