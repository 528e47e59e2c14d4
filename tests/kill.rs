//! A process that writes is killed at any moment; its store is opened again.
//!
//! What was acknowledged is there, what was not is there whole or not at all.
//! `PERSIST_LAB_KILL_ROUNDS` sets the number of kills per engine (20),
//! `PERSIST_LAB_ONLY` picks one engine.

#[allow(dead_code)]
mod conformance;
mod schema;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use conformance::bench::TestHooks;
use conformance::rich::{self, CITIES, CITY, COURSE, COURSES, SCHOOL, SCHOOLS, STUDENT};
use persist_lab::engines::memory::MemoryEngine;
use persist_lab::engines::{Engine, Options, Session, Setting, registry};
use persist_lab::plan::{Job, Request, Select};
use persist_lab::workload::{HookRunner, Record, Source};
use schema::ask::{ask, query};

/// Students of one commit.
const COMMIT: u64 = 3;
/// Students after which the next round begins anew.
const MOST: u64 = 240;

const ENGINE: &str = "PERSIST_LAB_KILL_ENGINE";
const STORE: &str = "PERSIST_LAB_KILL_STORE";

fn hooks() -> Rc<dyn HookRunner> {
    Rc::new(TestHooks)
}

fn open(engine: &dyn Engine, directory: &Path, job: &Job) -> Box<dyn Session> {
    let options = Options::new();
    let setting = Setting {
        schema: &job.schema,
        hooks: &rich::hooks(),
        options: &options,
    };
    let opened = engine.open(directory, &setting, hooks());
    opened.unwrap_or_else(|error| panic!("{}: opens: {error}", engine.kind()))
}

fn records(source: &Source, model: usize, first: u64, count: u64) -> Vec<Record> {
    let mut records = Vec::new();
    source
        .batch(model, first, count, 0, &mut records)
        .expect("records");
    records
}

fn count(session: &mut dyn Session, model: usize) -> u64 {
    let select = Select::All;
    let (count, _) = ask(session, &Request::Count { model, select }, &[]).expect("a count");
    count
}

/// What students point to, in one commit.
fn prepare(session: &mut dyn Session, source: &Source) {
    session.begin().expect("begins");
    for (model, rows) in [(CITY, CITIES), (SCHOOL, SCHOOLS), (COURSE, COURSES)] {
        let records = records(source, model, 0, rows);
        session.insert(model, &records).expect("inserts");
    }
    session.commit().expect("commits");
}

/// The process that is killed: this test, run by the other one.
#[test]
fn writes_until_killed() {
    let (Ok(kind), Ok(store)) = (std::env::var(ENGINE), std::env::var(STORE)) else {
        return;
    };
    let engine = registry::here()
        .find(|engine| engine.kind() == kind)
        .expect("an engine");
    let job = rich::job();
    let source = Source::new(&job, &rich::pools(), 42, hooks());
    let mut session = open(engine, Path::new(&store), &job);
    if count(session.as_mut(), CITY) == 0 {
        prepare(session.as_mut(), &source);
    }
    let mut next = count(session.as_mut(), STUDENT);
    loop {
        let records = records(&source, STUDENT, next, COMMIT);
        session.begin().expect("begins");
        session.insert(STUDENT, &records).expect("inserts");
        session.commit().expect("commits");
        next += COMMIT;
        let mut out = std::io::stdout();
        let _ = writeln!(out, "\nacknowledged {next}");
        let _ = out.flush();
    }
}

fn writer(kind: &str, store: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "writes_until_killed", "--nocapture"])
        .env(ENGINE, kind)
        .env(STORE, store)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a writer")
}

/// Kills a writer some time after its first commit; what it had acknowledged.
fn killed(kind: &str, store: &Path, after: Duration) -> u64 {
    let mut writer = writer(kind, store);
    let out = BufReader::new(writer.stdout.take().expect("its output"));
    let mut acknowledged = 0;
    let mut timer = None;
    for line in out.lines() {
        let Ok(line) = line else { break };
        let Some(rows) = line.strip_prefix("acknowledged ") else {
            continue;
        };
        acknowledged = rows.parse().expect("a number");
        if timer.is_none() {
            let id = writer.id();
            timer = Some(std::thread::spawn(move || {
                std::thread::sleep(after);
                let id = i32::try_from(id).expect("a process id");
                // SAFETY: a child of this process that was not waited for yet.
                unsafe { libc::kill(id, libc::SIGKILL) };
            }));
        }
    }
    if let Some(timer) = timer {
        let _ = timer.join();
    }
    let status = writer.wait().expect("it ends");
    assert!(acknowledged > 0, "{kind}: ended before a commit: {status}");
    acknowledged
}

/// Compares everything in the store with the oracle's first `students`.
fn check(session: &mut dyn Session, job: &Job, source: &Source, students: u64, what: &str) {
    let directory = tempfile::tempdir().expect("a directory");
    let mut oracle = open(&MemoryEngine, directory.path(), job);
    prepare(oracle.as_mut(), source);
    let records = records(source, STUDENT, 0, students);
    oracle.insert(STUDENT, &records).expect("inserts");
    for model in 0..job.schema.models.len() {
        let all = Request::Read(query(model, Select::All, rich::state(job, model)));
        let rows = |session: &mut dyn Session| {
            let (_, rows) = ask(session, &all, &[]).expect("an answer");
            let mut rows: Vec<String> = rows.iter().map(|row| spelled(row)).collect();
            rows.sort();
            rows
        };
        let (found, expected) = (rows(session), rows(oracle.as_mut()));
        let name = &job.schema.models[model].name;
        assert!(found == expected, "{what}: {name} differs");
    }
}

/// A row with its lists in one order: sets have none, and what hangs on one
/// link comes in one order of the engine's for all its columns.
fn spelled(row: &[persist_lab::base::Value]) -> String {
    use persist_lab::base::Value;
    let words = row.iter().map(|value| match value {
        Value::List(items) => {
            let mut items: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
            items.sort();
            format!("{items:?}")
        }
        other => format!("{other:?}"),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn acknowledged_commits_survive_a_kill() {
    let rounds = std::env::var("PERSIST_LAB_KILL_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|r| r.parse().ok()).unwrap_or(20);
    let only = std::env::var("PERSIST_LAB_ONLY").ok();
    let job = rich::job();
    let source = Source::new(&job, &rich::pools(), 42, hooks());
    let engines = registry::here().filter(|engine| engine.capabilities().persistent);
    for engine in engines {
        let kind = engine.kind();
        if kind == "null" || only.as_deref().is_some_and(|only| only != kind) {
            continue;
        }
        let mut directory = tempfile::tempdir().expect("a directory");
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..rounds {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let after = Duration::from_micros(bits % 40_000);
            let acknowledged = killed(kind, directory.path(), after);
            let what = format!("{kind}, round {round}, killed after {after:?}");
            let mut session = open(engine, directory.path(), &job);
            let found = count(session.as_mut(), STUDENT);
            assert!(
                found >= acknowledged,
                "{what}: {found} of {acknowledged} acknowledged students"
            );
            assert_eq!(found % COMMIT, 0, "{what}: half a commit");
            assert!(found <= acknowledged + COMMIT, "{what}: {found} students");
            check(session.as_mut(), &job, &source, found, &what);
            session.close().expect("closes");
            if found >= MOST {
                directory = tempfile::tempdir().expect("a directory");
            }
        }
    }
}
