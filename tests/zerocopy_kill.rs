//! A process that is killed while it writes loses nothing that it was told is
//! stored, and leaves a whole file.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use persist_lab::base::Value;
use persist_lab::engines::zerocopy::{FILE, Zerocopy, verify};
use persist_lab::engines::{Engine, Options, Session, Setting};
use persist_lab::plan::{
    Expr, Field, FieldKind, Index, IndexColumn, Model, Request, Scalar, Schema, Select, UpdateBy,
};
use persist_lab::workload::{CollectSink, Content, NoHooks, NoSink, Record};

const DIRECTORY: &str = "ZEROCOPY_KILL_DIRECTORY";
const DURABILITY: &str = "ZEROCOPY_KILL_DURABILITY";
/// Records of a transaction.
const EACH: u64 = 50;

fn schema() -> Schema {
    let field = |name: &str, scalar| Field {
        name: name.into(),
        kind: FieldKind::Scalar(scalar),
        optional: false,
    };
    Schema {
        models: vec![Model {
            name: "Event".into(),
            fields: vec![
                field("id", Scalar::Int),
                field("text", Scalar::Text),
                field("version", Scalar::Int),
            ],
            key: Some(0),
            indexes: vec![Index {
                name: "Event_text".into(),
                columns: vec![IndexColumn {
                    field: 1,
                    descending: false,
                }],
                unique: false,
            }],
        }],
    }
}

fn open(directory: &Path, durability: &str) -> Box<dyn Session> {
    let schema = schema();
    let options: Options = [("durability".to_owned(), Value::Text(durability.to_owned()))].into();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    Zerocopy
        .open(directory, &setting, Rc::new(NoHooks))
        .expect("opens")
}

fn event(row: u64) -> Record {
    let value = Content::Value;
    Record {
        row,
        fields: vec![
            value(Value::Int(row as i64)),
            value(Value::Text(format!(
                "event {}",
                row.wrapping_mul(7919) % 1000
            ))),
            value(Value::Int(0)),
        ],
    }
}

fn count(session: &mut dyn Session, select: Select) -> u64 {
    let prepared = session
        .prepare(&Request::Count { model: 0, select })
        .expect("prepares");
    let mut sink = CollectSink::default();
    session.execute(prepared, &[], &mut sink).expect("counts")
}

/// Not a test of its own: what the killed process does. Each transaction
/// stores records and sets the version of all of them; then its number is told.
#[test]
fn writes_until_it_is_killed() {
    let Some(directory) = std::env::var_os(DIRECTORY) else {
        return;
    };
    let durability = std::env::var(DURABILITY).expect("set");
    let mut session = open(Path::new(&directory), &durability);
    let stored = count(&mut *session, Select::All);
    for transaction in stored / EACH.. {
        let records: Vec<Record> = (transaction * EACH..(transaction + 1) * EACH)
            .map(event)
            .collect();
        session.begin().expect("begins");
        session.insert(0, &records).expect("inserts");
        let set = Request::Update {
            model: 0,
            select: Select::All,
            set: vec![(2, Expr::Literal(Value::Int(transaction as i64 + 1)))],
            by: UpdateBy::Statement,
        };
        let prepared = session.prepare(&set).expect("prepares");
        session
            .execute(prepared, &[], &mut NoSink)
            .expect("changes");
        session.release(prepared);
        session.commit().expect("commits");
        let mut out = std::io::stdout().lock();
        writeln!(out, "stored {}", transaction + 1).expect("tells");
        out.flush().expect("tells");
    }
}

fn killed(durability: &str, after: usize, directory: &Path) -> u64 {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "writes_until_it_is_killed", "--nocapture"])
        .env(DIRECTORY, directory)
        .env(DURABILITY, durability)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let told: Vec<u64> = lines
        .map_while(Result::ok)
        .filter_map(|line| line.strip_prefix("stored ")?.parse().ok())
        .take(after)
        .collect();
    child.kill().expect("is killed");
    child.wait().expect("ends");
    told.last().copied().expect("something was stored")
}

#[test]
fn a_kill_loses_nothing_that_was_acknowledged() {
    for durability in ["full", "none"] {
        let directory = tempfile::tempdir().expect("a directory");
        for after in [1, 2, 3, 5, 8, 4, 1] {
            let told = killed(durability, after, directory.path());
            let faults = verify(&directory.path().join(FILE))
                .expect("is checked")
                .faults;
            // Only the header that was being written may be torn.
            assert!(
                faults.iter().all(|fault| fault.contains("torn")),
                "{faults:?}"
            );
            let mut session = open(directory.path(), durability);
            let stored = count(&mut *session, Select::All);
            assert!(
                stored >= told * EACH,
                "{durability}: {stored} of {told} transactions"
            );
            assert_eq!(stored % EACH, 0, "{durability}: half a transaction");
            let version = Expr::Compare {
                op: persist_lab::plan::CompareOp::Equal,
                left: Box::new(Expr::Path(persist_lab::plan::Path {
                    hops: vec![2],
                    json: Vec::new(),
                    text: "version".into(),
                })),
                right: Box::new(Expr::Literal(Value::Int((stored / EACH) as i64))),
                ignoring_case: false,
            };
            assert_eq!(count(&mut *session, Select::Where(version)), stored);
            session.close().expect("closes");
        }
    }
}
