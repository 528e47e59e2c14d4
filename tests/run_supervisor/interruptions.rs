//! Kills and Ctrl-C in the middle of a run, a spent budget, two runs at once.

use std::path::Path;
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};

use super::Case;
use super::plans::{Bench, read_lines, sources};
use persist_lab::archive::{Note, State, verify};
use persist_lab::diagnostics::Code;
use persist_lab::plan::order::cells;
use persist_lab::run::{RunOptions, Silent, WorkerCommand, execute};

pub const CASES: &[Case] = &[
    (
        "a_killed_supervisor_is_resumed_without_running_a_cell_twice",
        || {
            let bench = slow();
            let mut supervisor = start(&bench);
            wait_for_cells(&bench, 3);
            // SAFETY: takes no pointer; the process is a child that was not waited for.
            unsafe { libc::kill(supervisor.id() as libc::pid_t, libc::SIGKILL) };
            supervisor.wait().unwrap();

            let lines = read_lines(&bench.out().join("cells.jsonl"));
            let archive = bench.open();
            let done = archive.cells.len();
            assert_eq!(archive.manifest.state, State::Running);
            assert!(done >= 3 && done < cells(&bench.plan).len(), "{done} cells");
            // The worker goes with its supervisor.
            std::thread::sleep(Duration::from_millis(300));
            let started = bench.starts("good");
            assert!(started == done || started == done + 1);

            let summary = bench.try_resume().unwrap();
            assert_eq!(summary.state, State::Complete);
            assert_eq!(summary.resumed, done as u64);
            assert_eq!(
                bench.starts("good") - started,
                cells(&bench.plan).len() - done
            );
            assert_eq!(bench.starts("memory"), 2);
            same_plan_completed(&bench);
            assert_eq!(
                read_lines(&bench.out().join("cells.jsonl"))[..done],
                lines[..done]
            );
            assert!(!bench.out().join("work").exists());
        },
    ),
    ("ctrl_c_keeps_what_is_done_and_can_be_resumed", || {
        for signal in [libc::SIGINT, libc::SIGTERM] {
            let bench = slow();
            let mut supervisor = start(&bench);
            wait_for_cells(&bench, 2);
            let begin = Instant::now();
            // SAFETY: as above.
            unsafe { libc::kill(supervisor.id() as libc::pid_t, signal) };
            assert_eq!(supervisor.wait().unwrap().code(), Some(0));
            assert!(begin.elapsed() < Duration::from_secs(5));
            let archive = bench.open();
            assert_eq!(archive.manifest.state, State::Interrupted);
            assert!(archive.manifest.ended_unix_s.is_some());
            let found = verify(&bench.out()).unwrap();
            assert!(found.root.is_some() && found.intact() && found.added.is_empty());
            assert!(!bench.out().join("work").exists());
            let summary = bench.try_resume().unwrap();
            assert_eq!(summary.state, State::Complete);
            assert!(summary.resumed >= 2);
            same_plan_completed(&bench);
        }
    }),
    ("two_runs_do_not_share_a_directory", || {
        let bench = slow();
        let mut supervisor = start(&bench);
        wait_for_cells(&bench, 1);
        let error = bench.try_resume().unwrap_err();
        assert_eq!(error.code, Code::ArchiveBusy);
        assert_eq!(supervisor.wait().unwrap().code(), Some(0));
        same_plan_completed(&bench);
    }),
    ("a_spent_budget_leaves_the_rest_for_later", || {
        let mut bench = slow();
        bench.plan.study.budget_ns = Some(600_000_000);
        let (summary, archive) = bench.run();
        assert_eq!(summary.state, State::BudgetSpent);
        assert_eq!(archive.manifest.state, State::BudgetSpent);
        let left = summary.not_reached();
        assert!(left > 0 && summary.complete > 0, "{summary}");
        assert!(
            archive
                .manifest
                .notes
                .contains(&Note::NotReached { cells: left })
        );
        // Each session has the budget anew.
        let mut summary = summary;
        while summary.state == State::BudgetSpent {
            let before = summary.complete;
            summary = bench.try_resume().unwrap();
            assert!(summary.complete > before);
        }
        same_plan_completed(&bench);
        assert!(bench.open().manifest.notes.is_empty());
    }),
];

fn slow() -> Bench {
    Bench::new("slow", &["good"], &[10, 20], 5)
}

/// This program as a supervisor of its own.
fn start(bench: &Bench) -> Child {
    let plan = bench.directory.path().join("given.json");
    std::fs::write(&plan, serde_json::to_vec(&bench.plan).unwrap()).unwrap();
    Command::new(std::env::current_exe().unwrap())
        .arg("supervise")
        .args([&plan, &bench.out()])
        .spawn()
        .unwrap()
}

/// `supervise PLAN OUT`
pub fn supervise(arguments: &[String]) -> ExitCode {
    let plan = serde_json::from_slice(&std::fs::read(&arguments[0]).unwrap()).unwrap();
    let options = RunOptions {
        out: Some(Path::new(&arguments[1]).to_owned()),
        resume: None,
        results: ".".into(),
        work: None,
        worker: WorkerCommand {
            program: std::env::current_exe().unwrap(),
            arguments: vec!["worker".into()],
        },
    };
    match execute(&plan, &sources(), &options, &mut Silent) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", error.message);
            ExitCode::FAILURE
        }
    }
}

fn wait_for_cells(bench: &Bench, count: usize) {
    let begin = Instant::now();
    while read_lines(&bench.out().join("cells.jsonl")).len() < count {
        assert!(begin.elapsed() < Duration::from_secs(60), "no cells came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Every cell of the plan once, in the plan's order.
fn same_plan_completed(bench: &Bench) {
    let ran: Vec<_> = bench
        .open()
        .cells
        .iter()
        .map(|record| record.cell)
        .collect();
    assert_eq!(ran, cells(&bench.plan));
}
