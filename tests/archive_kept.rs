//! Archives that were recorded once are read by this version: a frozen one of
//! each format version, and those in `results/`.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use persist_lab::archive::verify;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn report(archive: &Path, format: &str) -> String {
    let mut command = Command::cargo_bin("persist-lab").unwrap();
    let output = command
        .args(["report", "--format", format])
        .arg(archive)
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{archive:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

/// The figures of the frozen archive are read as they were when it was made.
#[test]
fn version_1_is_read_as_it_was_written() {
    let archive = root().join("tests/fixtures/archive_v1");
    insta::assert_snapshot!("archive_v1", report(&archive, "csv"));
    let json: serde_json::Value = serde_json::from_str(&report(&archive, "json")).unwrap();
    assert!(json.is_object());
    assert!(report(&archive, "table").contains("Warnings"));
    assert!(report(&archive, "markdown").contains("| "));
}

/// Nobody has touched a recorded result, and each can be shown.
#[test]
fn recorded_results_are_whole_and_readable() {
    let mut archives = vec![root().join("tests/fixtures/archive_v1")];
    for entry in std::fs::read_dir(root().join("results")).unwrap() {
        let path = entry.unwrap().path();
        if path.join("manifest.json").exists() {
            archives.push(path);
        }
    }
    assert!(archives.len() > 5, "{archives:?}");
    for archive in archives {
        let found = verify(&archive).unwrap();
        assert!(found.root.is_some(), "{archive:?} is not sealed");
        let touched = [found.missing, found.changed, found.added].concat();
        assert!(touched.is_empty(), "{archive:?}: {touched:?}");
        assert!(!report(&archive, "csv").is_empty());
    }
}
