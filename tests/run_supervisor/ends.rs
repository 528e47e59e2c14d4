//! Every way for a worker to end.

use std::time::{Duration, Instant};

use super::Case;
use super::plans::{Bench, death, of};
use persist_lab::archive::State;
use persist_lab::sample::Outcome;

pub const CASES: &[Case] = &[
    ("a_signal_is_a_result", || {
        let (step, cause, _) = dies("signal");
        assert_eq!(
            (step.as_deref(), cause.as_str()),
            (Some("second"), "signal 11")
        );
    }),
    ("a_kill_from_outside_is_a_result", || {
        let (_, cause, message) = dies("killed");
        assert_eq!(cause, "signal 9");
        assert!(message.contains("someone else"), "{message}");
    }),
    ("refused_memory_is_the_memory_limit", || {
        assert_eq!(dies("refused_memory").1, "memory limit");
    }),
    ("a_panic_is_a_result_and_names_no_path", || {
        let (_, cause, message) = dies("panic");
        assert_eq!(cause, "panic");
        assert!(message.contains("told at WORK/cell-"), "{message}");
    }),
    ("an_exit_code_is_a_result", || {
        assert_eq!(dies("exit").1, "exit code 42");
    }),
    ("garbage_is_a_result", || {
        assert_eq!(dies("garbage").1, "garbage on the pipe");
    }),
    ("a_cut_message_is_a_result", || {
        let (_, cause, message) = dies("cut");
        assert_eq!(cause, "silence");
        assert!(message.contains("middle of a message"), "{message}");
    }),
    ("silence_is_a_result", || {
        assert_eq!(dies("silence").1, "silence");
    }),
    ("a_closed_pipe_is_a_result", || {
        assert_eq!(dies("closed").1, "silence");
    }),
    ("a_flood_is_a_result", || {
        assert_eq!(dies("flood").1, "garbage on the pipe");
    }),
    ("unasked_steps_are_a_result", || {
        assert_eq!(dies("unasked").1, "garbage on the pipe");
    }),
    ("an_error_that_the_worker_understood_has_its_place", || {
        let bench = Bench::new("failed", &["bad"], &[10], 1);
        let (_, archive) = bench.run();
        let Outcome::Died { cause, place, .. } = &archive.cells[0].outcome else {
            panic!("{:?}", archive.cells[0]);
        };
        assert_eq!(cause, "hook error");
        assert_eq!(*place, Some(("x.exp".into(), 3, 7)));
    }),
    ("the_end_before_the_last_step_is_no_end", || {
        assert_eq!(dies("half").1, "garbage on the pipe");
    }),
    ("a_worker_that_never_came_up", || {
        let bench = Bench::new("never_ready", &["bad"], &[10], 1);
        let (_, archive) = bench.run();
        assert_eq!(death(&archive.cells[0]).0, None);
        assert_eq!(death(&archive.cells[0]).1, "silence");
        assert!(archive.cells[0].steps.is_empty());
    }),
    ("past_the_time_limit", || {
        let mut bench = Bench::new("sleep", &["bad"], &[10], 1);
        bench.plan.study.limits.time_ns = 400_000_000;
        let begin = Instant::now();
        let (_, archive) = bench.run();
        assert_eq!(death(&archive.cells[0]).1, "time limit");
        assert!(begin.elapsed() < Duration::from_secs(10));
    }),
    ("past_the_memory_limit", || {
        let mut bench = Bench::new("hog", &["bad"], &[10], 1);
        bench.plan.study.limits.memory_bytes = 128 << 20;
        let (_, archive) = bench.run();
        assert_eq!(death(&archive.cells[0]).1, "memory limit");
    }),
    ("past_the_disk_limit", || {
        let mut bench = Bench::new("fill_disk", &["bad"], &[10], 1);
        bench.plan.study.limits.disk_bytes = 16 << 20;
        let (_, archive) = bench.run();
        assert_eq!(death(&archive.cells[0]).1, "disk limit");
        // The store is gone with the cell.
        assert!(!bench.out().join("work").exists());
    }),
    ("a_child_does_not_outlive_its_worker", || {
        let bench = Bench::new("child", &["bad"], &[10], 1);
        let (summary, _) = bench.run();
        assert_eq!(summary.complete, 1);
        let log = bench.log();
        let child = log
            .iter()
            .find_map(|line| line.strip_prefix("child "))
            .unwrap();
        let alive = || {
            std::fs::read_to_string(format!("/proc/{child}/stat"))
                .is_ok_and(|stat| !stat.contains(") Z "))
        };
        let begin = Instant::now();
        while alive() && begin.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!alive(), "process {child} lives on");
    }),
    ("larger_sizes_and_further_runs_are_not_tried", || {
        let bench = Bench::new("signal", &["bad", "good"], &[1_000, 20_000], 2);
        let (summary, archive) = bench.run();
        assert_eq!(summary.state, State::Complete);
        assert_eq!(
            (summary.complete, summary.died, summary.not_tried),
            (4, 1, 3)
        );
        let bad = of(&archive, "bad");
        let why: Vec<String> = bad[1..]
            .iter()
            .map(|record| match &record.outcome {
                Outcome::NotTried(why) => why.clone(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            why,
            [
                "died in an earlier run: signal 11",
                "died at n = 1k: signal 11",
                "died at n = 1k: signal 11"
            ]
        );
        assert!(!summary.good() || summary.void == 0);
    }),
];

/// Runs one cell that dies in its second step; its step, cause and message.
/// The first step's sample is kept, and a well-behaved engine beside it is complete.
fn dies(trial: &str) -> (Option<String>, String, String) {
    let bench = Bench::new(trial, &["bad", "good"], &[10], 1);
    let (summary, archive) = bench.run();
    assert_eq!(summary.state, State::Complete);
    assert_eq!((summary.died, summary.complete), (1, 1));
    let bad = of(&archive, "bad")[0];
    let labels: Vec<&str> = bad.steps.iter().map(|step| step.label.as_str()).collect();
    let expected: &[&str] = if trial == "flood" {
        &["first", "second"]
    } else {
        &["first"]
    };
    assert_eq!(labels, expected, "{trial}");
    assert_eq!(bad.baseline_bytes, 1 << 20);
    let (step, cause, message) = death(bad);
    (
        step.map(str::to_owned),
        cause.to_owned(),
        message.to_owned(),
    )
}
