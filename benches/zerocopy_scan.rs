//! What a scan of `zerocopy` costs beside a plain slice, in interleaved rounds
//! of one process.
//!
//!     cargo bench --bench zerocopy_scan -- [--rows N] [--rounds N]
//!
//! The slice holds the same numbers as `Vec<i64>` (or the same texts as
//! `Vec<String>`) in memory; the store is opened from its file, whose pages the
//! kernel has. Per question it prints both medians and the median of the
//! rounds' ratios (store to slice).

use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use persist_lab::base::Value;
use persist_lab::engines::zerocopy::Zerocopy;
use persist_lab::engines::{Engine, Options, Prepared, Session, Setting};
use persist_lab::plan::{
    Aggregate, CompareOp, Expr, Field, FieldKind, Model, Path as FieldPath, Query, Request, Scalar,
    Schema, Select,
};
use persist_lab::workload::{Content, NoHooks, NoSink, Record};

/// Records of one call.
const BATCH: u64 = 1024;

struct User {
    name: String,
    age: i64,
    joined: i64,
}

fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

fn user(row: u64) -> User {
    const NAMES: [&str; 8] = [
        "Jane",
        "Ada",
        "Wendy",
        "Omar",
        "Li",
        "Noah",
        "Zoë",
        "Maximilian",
    ];
    User {
        name: NAMES[(mix(row) % 8) as usize].into(),
        age: (mix(row + 1) % 99) as i64,
        joined: (mix(row + 2) >> 24) as i64,
    }
}

fn schema() -> Schema {
    let field = |name: &str, scalar| Field {
        name: name.into(),
        kind: FieldKind::Scalar(scalar),
        optional: false,
    };
    Schema {
        models: vec![Model {
            name: "User".into(),
            fields: vec![
                field("name", Scalar::Text),
                field("age", Scalar::Int),
                field("joined", Scalar::Int),
            ],
            key: None,
            indexes: Vec::new(),
        }],
    }
}

fn open(directory: &Path) -> Box<dyn Session> {
    let schema = schema();
    let options: Options = [("durability".to_owned(), Value::Text("none".into()))].into();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    Zerocopy
        .open(directory, &setting, Rc::new(NoHooks))
        .expect("opens")
}

fn fill(directory: &Path, users: &[User]) {
    let mut session = open(directory);
    session.begin().expect("begins");
    for first in (0..users.len() as u64).step_by(BATCH as usize) {
        let last = (first + BATCH).min(users.len() as u64);
        let records: Vec<Record> = (first..last)
            .map(|row| {
                let user = &users[row as usize];
                Record {
                    row,
                    fields: vec![
                        Content::Value(Value::Text(user.name.clone())),
                        Content::Value(Value::Int(user.age)),
                        Content::Value(Value::Int(user.joined)),
                    ],
                }
            })
            .collect();
        session.insert(0, &records).expect("inserts");
    }
    session.commit().expect("commits");
    session.close().expect("closes");
}

fn path(field: usize) -> FieldPath {
    FieldPath::field(&schema(), 0, field)
}

fn sum(field: usize) -> Request {
    Request::Aggregate {
        query: Query {
            model: 0,
            select: Select::All,
            order: Vec::new(),
            limit: None,
            offset: 0,
            columns: Vec::new(),
        },
        function: Aggregate::Sum,
        of: Expr::Path(path(field)),
    }
}

fn count(op: CompareOp, field: usize, to: Value) -> Request {
    Request::Count {
        model: 0,
        select: Select::Where(Expr::Compare {
            op,
            left: Box::new(Expr::Path(path(field))),
            right: Box::new(Expr::Literal(to)),
            ignoring_case: false,
        }),
    }
}

/// A question, and how the slice answers it.
struct Question<'u> {
    words: &'static str,
    request: Request,
    by_slice: Box<dyn Fn() -> u64 + 'u>,
}

fn main() {
    let (rows, rounds) = scale();
    let users: Vec<User> = (0..rows).map(user).collect();
    let ages: Vec<i64> = users.iter().map(|user| user.age).collect();
    let joined: Vec<i64> = users.iter().map(|user| user.joined).collect();
    let directory = tempfile::tempdir().expect("a directory");
    fill(directory.path(), &users);
    let mut session = open(directory.path());
    let questions = [
        Question {
            words: "sum of a small int",
            request: sum(1),
            by_slice: Box::new(|| black_box(&ages[..]).iter().sum::<i64>() as u64),
        },
        Question {
            words: "sum of a wide int",
            request: sum(2),
            by_slice: Box::new(|| black_box(&joined[..]).iter().sum::<i64>() as u64),
        },
        Question {
            words: "count where int >",
            request: count(CompareOp::Greater, 1, Value::Int(64)),
            by_slice: Box::new(|| {
                black_box(&ages[..]).iter().filter(|age| **age > 64).count() as u64
            }),
        },
        Question {
            words: "count where text ==",
            request: count(CompareOp::Equal, 0, Value::Text("Jane".into())),
            by_slice: Box::new(|| {
                black_box(&users[..])
                    .iter()
                    .filter(|user| user.name == "Jane")
                    .count() as u64
            }),
        },
    ];
    println!("{rows} rows, {rounds} rounds; medians, store to slice");
    for question in &questions {
        let prepared = session.prepare(&question.request).expect("prepares");
        let (mut store, mut slice, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            let of_store = timed(|| ask(&mut *session, prepared));
            let of_slice = timed(|| (question.by_slice)());
            ratios.push(of_store.as_secs_f64() / of_slice.as_secs_f64());
            store.push(of_store);
            slice.push(of_slice);
        }
        store.sort();
        slice.sort();
        ratios.sort_by(f64::total_cmp);
        println!(
            "{:<22} {:>10.1?} {:>10.1?}   {:.2}",
            question.words,
            store[rounds / 2],
            slice[rounds / 2],
            ratios[rounds / 2]
        );
        session.release(prepared);
    }
}

fn ask(session: &mut dyn Session, prepared: Prepared) -> u64 {
    session
        .execute(prepared, &[], &mut NoSink)
        .expect("answers")
}

fn timed(work: impl FnOnce() -> u64) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn scale() -> (u64, usize) {
    let (mut rows, mut rounds) = (1_000_000, 25);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|n| n.parse::<u64>().ok());
        match argument.as_str() {
            "--rows" => rows = number().expect("--rows N"),
            "--rounds" => rounds = number().expect("--rounds N").max(1) as usize,
            _ => {}
        }
    }
    (rows, rounds)
}
