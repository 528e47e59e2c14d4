//! Every engine that keeps files, killed in the middle of writing.
//!
//! This program is two: the tests, and the process that they kill (`child`).
//! `cargo test --test kill -- --rounds 1000` kills each more often; further words
//! choose the settings whose names contain one of them.

mod child;
mod faulty;
mod puts;
mod rounds;
mod settings;
mod story;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use persist_lab::engines::{Options, registry, tested};
use persist_lab::plan::Tier;

/// Kills per setting, unless `--rounds` says otherwise.
const ROUNDS: u64 = 20;
const SEED: u64 = 42;

type Case = (String, Box<dyn Fn(u64) -> Result<String, String> + Sync>);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "child") {
        return child::main(&arguments[1..]);
    }
    let mut words = Vec::new();
    let mut rounds = ROUNDS;
    let mut ahead = arguments.iter();
    while let Some(argument) = ahead.next() {
        match argument.as_str() {
            "--rounds" => match ahead.next().and_then(|n| n.parse().ok()) {
                Some(number) => rounds = number,
                None => {
                    eprintln!("--rounds takes a number");
                    return ExitCode::FAILURE;
                }
            },
            "--list" => {
                for (name, _) in cases() {
                    println!("{name}: test");
                }
                return ExitCode::SUCCESS;
            }
            flag if flag.starts_with('-') => {}
            word => words.push(word),
        }
    }
    let cases: Vec<Case> = cases()
        .into_iter()
        .filter(|(name, _)| words.is_empty() || words.iter().any(|word| name.contains(word)))
        .collect();
    run(&cases, rounds)
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = vec![
        ("what is tested is told".into(), Box::new(|_| told())),
        (
            "a commit that comes late is noticed".into(),
            Box::new(|_| noticed("late:sqlite")),
        ),
        (
            "a commit in between is noticed".into(),
            Box::new(|_| noticed("half:sqlite")),
        ),
    ];
    for setting in settings::all() {
        cases.push((
            setting.name.clone(),
            Box::new(move |rounds| {
                let (engine, _) = child::engine(setting.kind)?;
                let (kind, options) = (setting.kind, &setting.options);
                let loses = tested::tier(engine) == Some(Tier::T0);
                let tally = match engine.atomic_commit() {
                    true => rounds::run(kind, options, rounds, SEED),
                    false => puts::run(kind, options, rounds, SEED, loses),
                };
                tally.map(|tally| tally.to_string())
            }),
        ));
    }
    cases
}

/// The engines that say they were killed are those that are killed here.
fn told() -> Result<String, String> {
    let settings = settings::all();
    for engine in registry::here() {
        let kind = engine.kind();
        let killed = settings.iter().any(|setting| setting.kind == kind);
        let told = tested::tier(engine);
        if told.is_some() != killed || told > Some(Tier::T1) {
            return Err(format!(
                "engines/tested.rs says {told:?} of {kind}; it is killed here: {killed}"
            ));
        }
    }
    Ok(String::new())
}

/// An engine made wrong fails within a few rounds.
fn noticed(kind: &str) -> Result<String, String> {
    let wal = Options::from([(
        "journal_mode".to_owned(),
        persist_lab::base::Value::Text("wal".into()),
    )]);
    match rounds::run(kind, &wal, 200, SEED) {
        Ok(tally) => Err(format!("{kind} went unnoticed: {tally}")),
        Err(how) => Ok(how),
    }
}

/// Two at a time: the killed mostly wait for the disk.
fn run(cases: &[Case], rounds: u64) -> ExitCode {
    println!("\nrunning {} tests", cases.len());
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((name, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = Instant::now();
                    match case(rounds) {
                        Ok(words) => println!(
                            "test {name} ... ok ({words}; {:.1} s)",
                            started.elapsed().as_secs_f64()
                        ),
                        Err(error) => {
                            println!("test {name} ... FAILED\n  {error}");
                            if let Ok(mut failed) = failed.lock() {
                                failed.push(name.as_str());
                            }
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
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
