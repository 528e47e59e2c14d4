//! A process that writes to MMKV is killed at any moment; its store is opened
//! again.
//!
//! MMKV has no transactions: what was acknowledged is there, and of the commit
//! that was under way any part, each record whole. The files have room from the
//! start, so that MMKV does not rewrite them meanwhile: a kill in a rewriting
//! may empty them (`docs/engines/mmkv.md`).
//! `PERSIST_LAB_KILL_ROUNDS` sets the number of kills (20).

#[allow(dead_code)]
mod conformance;
mod schema;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use conformance::bench::TestHooks;
use conformance::rich::{self, CITIES, CITY, COURSE, COURSES, SCHOOL, SCHOOLS, STUDENT};
use persist_lab::base::Value;
use persist_lab::engines::memory::MemoryEngine;
use persist_lab::engines::mmkv::Mmkv;
use persist_lab::engines::{Engine, Options, Presence, Session, Setting};
use persist_lab::plan::{Job, Request, Select};
use persist_lab::workload::{HookRunner, Record, Source};
use schema::ask::{ask, query};

/// Students of one commit.
const COMMIT: u64 = 3;

const STORE: &str = "PERSIST_LAB_MMKV_STORE";
const ENCODING: &str = "PERSIST_LAB_MMKV_ENCODING";

fn hooks() -> Rc<dyn HookRunner> {
    Rc::new(TestHooks)
}

fn open(engine: &dyn Engine, directory: &Path, job: &Job, options: &Options) -> Box<dyn Session> {
    let setting = Setting {
        schema: &job.schema,
        hooks: &rich::hooks(),
        options,
    };
    engine.open(directory, &setting, hooks()).expect("opens")
}

fn options(encoding: &str) -> Options {
    [
        ("encoding".to_owned(), Value::Text(encoding.into())),
        ("expected_capacity".to_owned(), Value::Int(2 << 20)),
    ]
    .into()
}

fn records(source: &Source, model: usize, first: u64, count: u64) -> Vec<Record> {
    let mut records = Vec::new();
    let made = source.batch(model, first, count, 0, &mut records);
    made.expect("records");
    records
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
    let (Ok(store), Ok(encoding)) = (std::env::var(STORE), std::env::var(ENCODING)) else {
        return;
    };
    let job = rich::job();
    let source = Source::new(&job, &rich::pools(), 42, hooks());
    let mut session = open(&Mmkv, Path::new(&store), &job, &options(&encoding));
    prepare(session.as_mut(), &source);
    let mut next = 0;
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

/// Kills a writer some time after its first commit; what it had acknowledged.
fn killed(store: &Path, encoding: &str, after: Duration) -> u64 {
    let mut writer = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "writes_until_killed", "--nocapture"])
        .env(STORE, store)
        .env(ENCODING, encoding)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a writer");
    let id = i32::try_from(writer.id()).expect("a process id");
    let out = BufReader::new(writer.stdout.take().expect("its output"));
    let (mut acknowledged, mut timer) = (0, None);
    for line in out.lines().map_while(Result::ok) {
        let Some(rows) = line.strip_prefix("acknowledged ") else {
            continue;
        };
        acknowledged = rows.parse().expect("a number");
        timer.get_or_insert_with(|| {
            std::thread::spawn(move || {
                std::thread::sleep(after);
                // SAFETY: a child of this process that was not waited for yet.
                unsafe { libc::kill(id, libc::SIGKILL) };
            })
        });
    }
    if let Some(timer) = timer {
        let _ = timer.join();
    }
    let status = writer.wait().expect("it ends");
    assert!(acknowledged > 0, "ended before a commit: {status}");
    acknowledged
}

/// All rows of a model that follow from itself alone: a child's path to an
/// owner that was not written is null.
fn rows(session: &mut dyn Session, job: &Job, model: usize) -> BTreeSet<String> {
    let all = Request::Read(query(model, Select::All, rich::state(job, model)));
    let (_, rows) = ask(session, &all, &[]).expect("an answer");
    let spelled = |value: &Value| match value {
        Value::List(items) => {
            let mut items: Vec<String> = items.iter().map(|item| format!("{item:?}")).collect();
            items.sort();
            format!("{items:?}")
        }
        other => format!("{other:?}"),
    };
    rows.iter()
        .map(|row| row.iter().map(spelled).collect::<Vec<_>>().join(" "))
        .collect()
}

/// The store after so many students.
fn oracle(job: &Job, source: &Source, students: u64) -> Box<dyn Session> {
    let mut oracle = open(&MemoryEngine, Path::new(""), job, &Options::new());
    prepare(oracle.as_mut(), source);
    let records = records(source, STUDENT, 0, students);
    oracle.insert(STUDENT, &records).expect("inserts");
    oracle
}

#[test]
fn acknowledged_records_survive_a_kill() {
    if Mmkv.presence() != Presence::Here {
        return;
    }
    let rounds = std::env::var("PERSIST_LAB_KILL_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|r| r.parse().ok()).unwrap_or(20);
    let job = rich::job();
    let source = Source::new(&job, &rich::pools(), 42, hooks());
    for round in 0..rounds {
        let directory = tempfile::tempdir().expect("a directory");
        let encoding = ["json", "binary"][round as usize % 2];
        let after = Duration::from_micros(round * 7_919 % 40_000);
        let acknowledged = killed(directory.path(), encoding, after);
        let what = format!("round {round}, {encoding}, killed after {after:?}");
        let mut session = open(&Mmkv, directory.path(), &job, &options(encoding));
        let mut before = oracle(&job, &source, acknowledged);
        let mut after = oracle(&job, &source, acknowledged + COMMIT);
        for model in 0..job.schema.models.len() {
            let name = &job.schema.models[model].name;
            let found = rows(session.as_mut(), &job, model);
            let kept = rows(before.as_mut(), &job, model);
            let lost = kept.difference(&found).count();
            assert_eq!(lost, 0, "{what}: {name}: acknowledged records are lost");
            let most = rows(after.as_mut(), &job, model).len();
            assert!(found.len() <= most, "{what}: {name}: records of nowhere");
        }
        session.close().expect("closes");
    }
}
