//! The supervisor against workers that misbehave in every way.
//!
//! This program is three: the tests, the worker that they start (`worker` misbehaves,
//! `real-worker` does not), and a supervisor that can be killed (`supervise`). Hence its
//! own `main`.

mod archives;
mod ends;
mod fake;
mod interruptions;
mod judging;
mod plans;
mod real;
#[path = "../worker_support/mod.rs"]
mod worker_support;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

type Case = (&'static str, fn());

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("worker") => fake::main(),
        Some("real-worker") => persist_lab::worker::main(),
        Some("supervise") => interruptions::supervise(&arguments[1..]),
        _ => run(&arguments),
    }
}

/// Runs the cases whose names contain one of the words given, a few at a time.
fn run(arguments: &[String]) -> ExitCode {
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    let cases: Vec<Case> = [
        ends::CASES,
        judging::CASES,
        archives::CASES,
        interruptions::CASES,
        real::CASES,
    ]
    .concat()
    .into_iter()
    .filter(|(name, _)| words.is_empty() || words.iter().any(|word| name.contains(*word)))
    .collect();
    if arguments.iter().any(|a| a == "--list") {
        for (name, _) in &cases {
            println!("{name}: test");
        }
        return ExitCode::SUCCESS;
    }
    println!("\nrunning {} tests", cases.len());
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((name, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let passed = std::panic::catch_unwind(case).is_ok();
                    println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
                    if !passed {
                        failed.lock().unwrap().push(*name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    println!(
        "\n{} passed; {} failed",
        cases.len() - failed.len(),
        failed.len()
    );
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        println!("failed: {}", failed.join(", "));
        ExitCode::FAILURE
    }
}
