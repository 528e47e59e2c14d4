//! The check of whole files, through the library's own entry.

use std::path::{Path, PathBuf};

use persist_lab::check::{Checked, Disk, Memory, check};
use persist_lab::diagnostics::{Code, Style, render_all};

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

/// The files that modules and pools of the golden files name.
fn with_neighbours(name: &str, text: &str) -> Memory {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/check_error/beside");
    let mut files = Memory::new().with(name, text);
    for entry in std::fs::read_dir(folder).expect("neighbours") {
        let path = entry.expect("entry").path();
        let name = path.file_name().expect("name").to_owned();
        files = files.with(name, std::fs::read_to_string(&path).expect("text"));
    }
    files
}

fn check_text(name: &str, text: &str) -> Checked {
    check(Path::new(name), &with_neighbours(name, text))
}

/// Every file of `golden/check_error` gives exactly the recorded messages.
#[test]
fn check_error() {
    insta::glob!("golden/check_error/*.exp", |path| {
        let text = std::fs::read_to_string(path).expect("a golden file");
        let name = path.file_name().expect("name").to_string_lossy();
        let checked = check_text(&name, &text);
        assert_eq!(checked.experiment.is_none(), checked.has_errors());
        assert!(!checked.diagnostics.is_empty());
        insta::assert_snapshot!(rendered(&checked));
    });
}

/// Every code of the check has a golden file.
#[test]
fn every_check_code_is_covered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/check_error");
    let mut seen = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("golden files") {
        let path = entry.expect("entry").path();
        if path.extension().is_some_and(|e| e == "exp") {
            let text = std::fs::read_to_string(&path).expect("text");
            let checked = check_text("file.exp", &text);
            seen.extend(checked.diagnostics.iter().map(|d| d.code));
        }
    }
    let missing: Vec<String> = Code::ALL
        .iter()
        .filter(|code| (20..90).contains(&code.number()) && !seen.contains(code))
        .map(|code| format!("{code} {}", code.explain()))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn twenty_mistakes_give_twenty_messages() {
    let text = include_str!("golden/twenty_mistakes.exp");
    let checked = check_text("twenty_mistakes.exp", text);
    insta::assert_snapshot!(rendered(&checked));
    let errors = checked.diagnostics.iter().filter(|d| d.is_error());
    assert_eq!(errors.count(), 20);
    assert_eq!(checked.diagnostics.len(), 20);
    let syntax = checked.diagnostics.iter().filter(|d| d.code.number() < 20);
    assert_eq!(syntax.count(), 10);
}
