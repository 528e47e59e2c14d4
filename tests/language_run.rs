//! Errors that only a run shows: each file of `tests/golden/run_error` is run
//! by the program; what it says, and its exit code, are recorded.
//!
//! A first line `// run: …` holds further arguments.

use std::path::Path;
use std::process::Command;

#[test]
fn errors_of_a_run_are_told_in_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    insta::glob!("golden/run_error/*.exp", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let further = first.strip_prefix("// run: ").unwrap_or_default();
        let out = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_persist-lab"))
            .current_dir(root)
            .arg("run")
            .arg(path.strip_prefix(root).unwrap())
            .args(["--runs", "1", "--format", "json", "--out"])
            .arg(out.path().join("archive"))
            .args(further.split_whitespace())
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let told = format!(
            "exit code {}\n{}{}",
            output.status.code().unwrap_or(-1),
            said(&String::from_utf8_lossy(&output.stderr)),
            outcomes(&output.stdout),
        );
        insta::assert_snapshot!(told);
    });
}

/// Files of `tests/golden/answers` are questions that engines once answered
/// wrongly: all agree with the oracle, and the answers are these.
#[test]
fn answers_agree_and_are_these() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    insta::glob!("golden/answers/*.exp", |path| {
        let out = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_persist-lab"))
            .current_dir(root)
            .arg("run")
            .arg(path.strip_prefix(root).unwrap())
            .args(["--runs", "1", "--format", "json", "--out"])
            .arg(out.path().join("archive"))
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let told = format!(
            "exit code {}\n{}{}",
            output.status.code().unwrap_or(-1),
            said(&String::from_utf8_lossy(&output.stderr)),
            answers(&output.stdout),
        );
        insta::assert_snapshot!(told);
    });
}

/// Each row with the counts and computed values of its steps.
fn answers(stdout: &[u8]) -> String {
    let Ok(report) = serde_json::from_slice::<serde_json::Value>(stdout) else {
        return String::new();
    };
    let mut told = String::new();
    for table in report["tables"].as_array().into_iter().flatten() {
        for row in table["rows"].as_array().into_iter().flatten() {
            told.push_str(&format!("{}: {}\n", row["job"], row["answers"]));
            for step in row["steps"].as_array().into_iter().flatten() {
                told.push_str(&format!("  {}: {}", step["step"], step["count"]));
                if !step["value"].is_null() {
                    told.push_str(&format!(", {}", step["value"]));
                }
                told.push('\n');
            }
        }
    }
    told
}

/// Standard error without the line that names the archive's directory.
fn said(stderr: &str) -> String {
    let lines = stderr.lines().filter(|line| !line.contains("results in"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// How the cells ended and which `expect` failed, from the report.
fn outcomes(stdout: &[u8]) -> String {
    let Ok(report) = serde_json::from_slice::<serde_json::Value>(stdout) else {
        return String::new();
    };
    let mut told = String::new();
    for table in report["tables"].as_array().into_iter().flatten() {
        for row in table["rows"].as_array().into_iter().flatten() {
            told.push_str(&format!(
                "{}: answers {}, {}\n",
                row["engine"], row["answers"], row["state"]
            ));
            for step in row["steps"].as_array().into_iter().flatten() {
                for fact in ["held", "absent"] {
                    if !step[fact].is_null() {
                        told.push_str(&format!("  {}: {fact} {}\n", step["step"], step[fact]));
                    }
                }
            }
        }
    }
    told
}
