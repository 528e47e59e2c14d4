//! The program itself, killed in the middle of a run and told to go on.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use persist_lab::archive::{self, State, verify};
use persist_lab::plan::order::cells;

const EXPERIMENT: &str = r#"
experiment "Notes" { seed 3  runs 4 }

model Note {
    id:   int  key = row
    body: text = text(40)
}

engine sqlite
engine memory

sweep n = 2k, 4k

trial "Notes" as notes {
    write: create n Note in transactions of 100
    all:   read Note
}
"#;

fn program(directory: &Path, file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_persist-lab"));
    command
        .current_dir(directory)
        .arg("run")
        .arg(file)
        .stdout(Stdio::null());
    command
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_killed_run_goes_on_and_runs_no_finished_cell_again() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("notes.exp"), EXPERIMENT).unwrap();
    let out = directory.path().join("out");
    let mut run = program(directory.path(), Path::new("notes.exp"))
        .args(["--out", "out"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while lines(&out.join("cells.jsonl")).len() < 3 {
        assert!(begin.elapsed() < Duration::from_secs(120), "no cells came");
        assert!(run.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL: no chance to tidy up.
    run.kill().unwrap();
    run.wait().unwrap();

    let before = lines(&out.join("cells.jsonl"));
    let killed = archive::open(&out).unwrap();
    assert_eq!(killed.manifest.state, State::Running);
    let done = killed.cells.len();
    let order = cells(&killed.plan);
    assert!(done >= 3 && done < order.len(), "{done} cells");

    // From another folder, by another name: the same experiment still.
    let resumed = program(Path::new("/"), &directory.path().join("notes.exp"))
        .arg("--resume")
        .arg(&out)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&resumed.stderr);
    assert_eq!(resumed.status.code(), Some(0), "{told}");
    let whole = archive::open(&out).unwrap();
    assert_eq!(whole.manifest.state, State::Complete);
    assert_eq!(whole.plan, killed.plan);
    let ran: Vec<_> = whole.cells.iter().map(|record| record.cell).collect();
    assert_eq!(ran, order);
    // What was finished is there as it was, byte by byte.
    assert_eq!(lines(&out.join("cells.jsonl"))[..done], before[..done]);
    assert!(verify(&out).unwrap().intact());
    let here = directory.path().to_str().unwrap();
    for file in [
        "plan.json",
        "manifest.json",
        "cells.jsonl",
        "environment.json",
    ] {
        let text = std::fs::read_to_string(out.join(file)).unwrap();
        assert!(!text.contains(here), "{file} tells where it was made");
    }
}

#[test]
fn another_experiment_is_not_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("notes.exp");
    std::fs::write(&file, EXPERIMENT.replace("2k, 4k", "10")).unwrap();
    let run = program(directory.path(), Path::new("notes.exp"))
        .args(["--out", "out"])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0));
    std::fs::write(&file, EXPERIMENT.replace("2k, 4k", "20")).unwrap();
    let resumed = program(directory.path(), Path::new("notes.exp"))
        .args(["--resume", "out"])
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(resumed.status.code(), Some(3));
    let told = String::from_utf8_lossy(&resumed.stderr);
    assert!(told.contains("another plan"), "{told}");
    assert!(told.contains("n=10") && told.contains("n=20"), "{told}");
}
