//! The worker as a process: frames alone on its output, limits, the way it ends.

mod worker_support;

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

use persist_lab::plan::{Assignment, Op, Select, Transaction};
use persist_lab::probe::monotonic_ns;
use persist_lab::sample::{Message, StepState};
use worker_support::{assignment, count, create, in_folder, messages, query, samples, step};

/// Runs a worker over this input; returns when it was started, and what came.
fn work(input: &[u8]) -> (u64, Output) {
    let started_ns = monotonic_ns();
    let mut child = Command::new(env!("CARGO_BIN_EXE_persist-lab"))
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Where it does not read its input, its output tells why.
    let _ = child.stdin.take().unwrap().write_all(input);
    (started_ns, child.wait_with_output().unwrap())
}

fn cell(kind: &str, change: impl FnOnce(&mut Assignment)) -> (u64, Output) {
    let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let setup = vec![step("fill", create(0, 5_000, Transaction::Of(1_000)))];
    let delete = Op::Delete {
        model: 0,
        select: in_folder(4),
        access: None,
        transaction: Transaction::Of(50),
        repeat: 1,
    };
    let read = Op::Read {
        query: query(in_folder(3)),
        access: None,
        compute: None,
        repeat: 3,
    };
    let steps = vec![
        step("more", create(5_000, 5_000, Transaction::One)),
        step("look", read),
        step("count", count(Select::All, 1)),
        step("purge", delete),
        step("size", Op::Storage),
        step("again", Op::Reopen { cold: true }),
        step("left", count(Select::All, 1)),
    ];
    let mut assignment = assignment(kind, directory.path(), setup, steps);
    change(&mut assignment);
    work(&serde_json::to_vec(&assignment).unwrap())
}

#[test]
fn engines_answer_alike_and_tell_frames_alone() {
    let answers = |kind: &str| {
        let (_, output) = cell(kind, |_| {});
        assert!(output.status.success(), "{output:?}");
        let messages = messages(&output.stdout);
        assert!(matches!(messages.last(), Some(Message::Done { .. })));
        samples(&messages)
    };
    let (sqlite, memory) = (answers("sqlite"), answers("memory"));
    assert_eq!(sqlite.len(), 7);
    for (mine, oracle) in sqlite.iter().zip(&memory) {
        assert_eq!(
            mine.answer.difference(&oracle.answer),
            None,
            "{}",
            mine.label
        );
    }
    let counts: Vec<u64> = sqlite.iter().map(|sample| sample.answer.count).collect();
    assert_eq!(counts, [5_000, 3_000, 10_000, 1_000, 0, 0, 9_000]);
    let step = |label: &str| sqlite.iter().find(|sample| sample.label == label).unwrap();
    assert_eq!((step("more").commits, step("purge").commits), (1, 20));
    assert!(step("more").written_bytes > 0 && step("more").memory.is_some());
    assert!(!step("size").files.is_empty());
    assert!(step("again").resident_before.unwrap() < 0.2);
    assert!(matches!(memory[4].state, StepState::NotApplicable(_)));
}

#[test]
fn the_null_engine_delivers_what_was_counted() {
    let (_, output) = cell("null", |assignment| {
        assignment.verify = false;
        assignment.deliver = Some(vec![5_000, 5_000, 3_000, 10_000, 1_000, 0, 0, 9_000]);
    });
    let samples = samples(&messages(&output.stdout));
    let counts: Vec<u64> = samples.iter().map(|sample| sample.answer.count).collect();
    assert_eq!(counts, [5_000, 3_000, 10_000, 1_000, 0, 0, 9_000]);
}

#[test]
fn the_first_frame_tells_when_the_engine_was_first_called() {
    let (started_ns, output) = cell("sqlite", |assignment| assignment.job.steps.clear());
    match messages(&output.stdout).first() {
        Some(Message::Ready { at_ns, .. }) => assert!(*at_ns > started_ns),
        other => panic!("{other:?}"),
    }
}
#[test]
fn memory_is_limited_to_what_is_assigned() {
    let (_, output) = cell("memory", |assignment| assignment.memory_bytes = 1 << 20);
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("memory allocation"), "{words}");
    let (_, output) = cell("memory", |assignment| assignment.memory_bytes = 64 << 20);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn what_is_no_assignment_is_refused() {
    for input in [&b""[..], b"{}", b"not JSON"] {
        let (_, output) = work(input);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    let (_, output) = cell("no_such_engine", |_| {});
    assert_eq!(output.status.code(), Some(1));
    assert!(matches!(
        messages(&output.stdout)[..],
        [Message::Failed { .. }]
    ));
}
