//! `run` and `report` from end to end: a file in, tables out.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt;

fn lab(directory: &Path) -> Command {
    let mut command = Command::cargo_bin("persist-lab").unwrap();
    command
        .current_dir(directory)
        .env_remove("PERSIST_LAB_WORK")
        // Nothing is installed there.
        .env("PERSIST_LAB_HOME", directory.join("home"))
        .env("NO_COLOR", "1");
    command
}

struct Said {
    code: i32,
    out: String,
    err: String,
}

fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

const SMALL: &str = r#"
use std.people

experiment "Small" { seed 3  runs 2  tiers mixed }

model User {
    id:   int  key = row
    name: text = people.first_name
    age:  int  = uniform(0, 98)
}

hook is_adult(user) { user.age >= 18 }

engine sqlite
engine memory
engine realm

sweep n = 100, 200

trial "Users" as users {
    write:  create n User in one transaction
    size:   storage
    adults: count User where age >= 18
    hooked: count User where is_adult()
    wipe:   delete User
    expect  adults == hooked
}
"#;

fn small(folder: &Path) {
    std::fs::write(folder.join("small.exp"), SMALL).unwrap();
}

#[test]
fn a_run_prints_its_tables_and_report_prints_them_again() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let run = said(lab(folder.path()).args(["run", "small.exp", "--out", "kept"]));
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(
        run.err.contains("kept"),
        "where the archive is: {}",
        run.err
    );
    for words in [
        "users — Users — n = 100",
        "users — Users — n = 200",
        "sqlite (native, T",
        "memory (own, T0)",
        "realm (native)",
        "not installed",
        "hooks",
        "answers",
        "2 runs per row",
    ] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    for line in run.out.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let again = said(lab(folder.path()).args(["report", "kept"]));
    assert_eq!((again.code, again.err.as_str()), (0, ""));
    assert_eq!(again.out, run.out);

    let json = said(lab(folder.path()).args(["report", "kept", "--format", "json"]));
    let value: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["good"], true);
    let sqlite = &value["tables"][0]["rows"][0];
    assert_eq!(sqlite["engine"], "sqlite");
    assert_eq!(sqlite["answers"], "ok");
    assert!(sqlite["steps"][0]["wall_ns"]["median"].as_f64().unwrap() > 0.0);
    assert!(
        sqlite["steps"][1]["allocated_bytes"]["median"]
            .as_f64()
            .unwrap()
            >= 4096.0
    );
    assert!(sqlite["steps"][3]["hook_ns"]["median"].as_f64().unwrap() > 0.0);
    assert!(sqlite["harness_share"].as_f64().unwrap() > 0.0);

    let csv = said(lab(folder.path()).args(["report", "kept", "--format", "csv"]));
    // Two sizes, three engines, six steps, and the names.
    assert_eq!(csv.out.lines().count(), 1 + 2 * 3 * 6);
    let markdown = said(lab(folder.path()).args(["report", "kept", "--format", "markdown"]));
    assert!(markdown.out.starts_with("# Small\n"), "{}", markdown.out);
    assert_eq!((csv.code, markdown.code), (0, 0));
}

#[test]
fn an_expectation_that_fails_is_1_and_the_rest_still_runs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("small.exp"),
        SMALL.replace("adults == hooked", "adults == 1\n    late: count User"),
    )
    .unwrap();
    let run = said(lab(folder.path()).args([
        "run",
        "small.exp",
        "--set",
        "n=100",
        "--engine",
        "sqlite",
        "--runs",
        "1",
    ]));
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("expectation failed"), "{}", run.out);
    assert!(run.out.contains("EXPECT FAILED"), "{}", run.out);
    assert!(run.out.contains("not timed"), "{}", run.out);
}

#[test]
fn a_used_directory_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    std::fs::create_dir(folder.path().join("full")).unwrap();
    std::fs::write(folder.path().join("full/mine.txt"), "mine").unwrap();
    let run = said(lab(folder.path()).args(["run", "small.exp", "--out", "full"]));
    assert_eq!((run.code, run.out.as_str()), (3, ""), "{}", run.err);
    assert_eq!(
        std::fs::read_to_string(folder.path().join("full/mine.txt")).unwrap(),
        "mine"
    );
}

#[test]
fn a_finished_run_resumes_to_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let arguments = ["run", "small.exp", "--set", "n=100", "--engine", "memory"];
    let run = said(lab(folder.path()).args(arguments).args(["--out", "kept"]));
    assert_eq!(run.code, 0, "{}", run.err);
    let resumed = said(
        lab(folder.path())
            .args(arguments)
            .args(["--resume", "kept"]),
    );
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert_eq!(resumed.out, run.out);
    // Another plan cannot go on with it.
    let other = said(lab(folder.path()).args(["run", "small.exp", "--resume", "kept"]));
    assert_eq!((other.code, other.out.as_str()), (3, ""), "{}", other.err);
}

#[test]
fn the_starter_runs() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(said(lab(folder.path()).args(["new", "first"])).code, 0);
    let run = said(lab(folder.path()).args([
        "run",
        "first.exp",
        "--quick",
        "--set",
        "n=1k",
        "--runs",
        "1",
    ]));
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(
        run.out.contains("sqlite_wal (native, T2/T1)"),
        "{}",
        run.out
    );
}

/// The kept archive of the first format, with a change made to one file.
fn kept_with(folder: &Path, file: &str, change: impl FnOnce(String) -> String) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/archive_v1");
    let copied = Command::new("cp").arg("-r").arg(&from).arg(folder).status();
    assert!(copied.unwrap().success());
    let path = folder.join("archive_v1").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, change(text)).unwrap();
}

#[test]
fn a_report_of_edited_results_says_so() {
    let folder = tempfile::tempdir().unwrap();
    kept_with(folder.path(), "cells.jsonl", |text| {
        let (first, rest) = text.split_once('\n').unwrap();
        format!(
            "{}\n{rest}",
            first.replacen("\"wall_ns\":", "\"wall_ns\":9", 1)
        )
    });
    for format in ["table", "markdown", "json"] {
        let mut command = lab(folder.path());
        let said = said(command.args(["report", "archive_v1", "--format", format]));
        assert!(
            said.out.contains("CHANGED after the run: cells.jsonl"),
            "{format}: {}",
            said.out
        );
    }
}

#[test]
fn a_cell_that_stands_twice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    kept_with(folder.path(), "cells.jsonl", |text| {
        let first = text.lines().next().unwrap().to_owned();
        format!("{text}{first}\n")
    });
    let said = said(lab(folder.path()).args(["report", "archive_v1"]));
    assert_eq!(said.code, 3, "{}", said.out);
    assert!(said.err.contains("twice"), "{}", said.err);
}

#[test]
fn another_plan_is_told_in_words() {
    let folder = tempfile::tempdir().unwrap();
    small(folder.path());
    let run = ["run", "small.exp", "--engine", "memory"];
    let first = said(lab(folder.path()).args(run).args(["--out", "a"]));
    assert_eq!(first.code, 0, "{}", first.err);
    for (change, words) in [
        (
            ["--runs", "3"],
            "runs of memory/users/n=100: 2 there, 3 here",
        ),
        (["--set", "n=100"], "only there: `memory/users/n=200`"),
        (["--trial", "users"], ""),
    ] {
        let mut command = lab(folder.path());
        let resumed = said(command.args(run).args(change).args(["--resume", "a"]));
        assert_eq!(resumed.code, if words.is_empty() { 0 } else { 3 });
        assert!(resumed.err.contains(words), "{}", resumed.err);
    }
}

#[test]
fn columns_sets_the_width() {
    let folder = tempfile::tempdir().unwrap();
    kept_with(folder.path(), "manifest.json", |text| text);
    let widest = |columns: &str| {
        let mut command = lab(folder.path());
        let said = said(
            command
                .args(["report", "archive_v1"])
                .env("COLUMNS", columns),
        );
        said.out.lines().map(|line| line.chars().count()).max()
    };
    assert!(widest("80") <= Some(80));
    assert!(widest("200") > Some(100));
}
