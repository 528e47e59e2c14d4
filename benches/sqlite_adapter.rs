//! The SQLite adapter against a hand-written rusqlite loop that does the same
//! work, in interleaved rounds of one process.
//!
//!     cargo bench --bench sqlite_adapter -- [--rows N] [--points N] [--rounds N]
//!
//! Both sides use the same tables, indexes and options, and touch every
//! delivered value alike. The page cache holds everything and nothing is
//! synced, so that the disk's moods do not hide the adapter. Records are generated before the clock starts, in
//! the form that each side takes: the harness's own records here, a struct
//! there. Per step it prints both medians, the median of the rounds' ratios
//! (adapter to loop) and their quartiles.

use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use persist_lab::base::Value;
use persist_lab::engines::sqlite::Sqlite;
use persist_lab::engines::{Engine, Options, Session, Setting};
use persist_lab::plan::{
    ArithOp, Column, CompareOp, Expr, Field, FieldKind, Index, IndexColumn, Model,
    Path as FieldPath, Query, Request, Scalar, Schema, Select, UpdateBy,
};
use persist_lab::workload::{Content, NoHooks, NoSink, Record, Sink, TouchSink};
use rusqlite::{Connection, params};

const STEPS: [&str; 6] = [
    "insert",
    "read all",
    "read where",
    "point reads",
    "update",
    "delete",
];

/// What an application would keep of a user.
struct User {
    id: [u8; 16],
    first_name: String,
    last_name: String,
    age: i64,
    score: Option<f64>,
    joined: i64,
}

struct Scale {
    rows: u64,
    points: u64,
    rounds: usize,
}

fn main() {
    let scale = scale();
    let users: Vec<User> = (0..scale.rows).map(user).collect();
    let records: Vec<Record> = users
        .iter()
        .zip(0..)
        .map(|(u, row)| record(u, row))
        .collect();
    let keys: Vec<[u8; 16]> = (0..scale.points)
        .map(|i| users[(mix(i + 77) % scale.rows) as usize].id)
        .collect();
    let arguments: Vec<[Value; 1]> = keys.iter().map(|id| [Value::Uuid(*id)]).collect();
    let mut ratios = vec![Vec::new(); STEPS.len()];
    let mut times = [vec![Vec::new(); STEPS.len()], vec![Vec::new(); STEPS.len()]];
    for round in 0..=scale.rounds {
        let mut sides = [None, None];
        // Who goes first changes from round to round.
        for turn in 0..2 {
            let side = (round + turn) % 2;
            let directory = tempfile::tempdir().expect("a directory");
            sides[side] = Some(if side == 0 {
                adapter(directory.path(), &records, &arguments)
            } else {
                by_hand(directory.path(), &users, &keys)
            });
        }
        let [Some(adapter), Some(by_hand)] = sides else {
            unreachable!("both sides ran");
        };
        assert_eq!(adapter.1, by_hand.1, "both sides must do the same work");
        if round == 0 {
            continue; // warms the allocator and the page cache
        }
        for step in 0..STEPS.len() {
            times[0][step].push(adapter.0[step].as_secs_f64());
            times[1][step].push(by_hand.0[step].as_secs_f64());
            ratios[step].push(adapter.0[step].as_secs_f64() / by_hand.0[step].as_secs_f64());
        }
    }
    println!(
        "{} rows, {} point reads, {} rounds; SQLite {}",
        scale.rows,
        scale.points,
        scale.rounds,
        rusqlite::version()
    );
    println!(
        "{:<12} {:>12} {:>12} {:>8}  quartiles",
        "step", "adapter", "by hand", "ratio"
    );
    for (step, name) in STEPS.iter().enumerate() {
        let ratio = sorted(&ratios[step]);
        println!(
            "{name:<12} {:>9.3} ms {:>9.3} ms {:>8.3}  {:.3}..{:.3}",
            at(&sorted(&times[0][step]), 0.5) * 1e3,
            at(&sorted(&times[1][step]), 0.5) * 1e3,
            at(&ratio, 0.5),
            at(&ratio, 0.25),
            at(&ratio, 0.75),
        );
    }
}

/// Times of the steps, and what makes sure that both sides did the same.
type Ran = (Vec<Duration>, Vec<u64>);

fn adapter(directory: &Path, records: &[Record], arguments: &[[Value; 1]]) -> Ran {
    let schema = schema();
    let options = options();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    let mut session = Sqlite
        .open(directory, &setting, Rc::new(NoHooks))
        .expect("open");
    let mut ran = (Vec::new(), Vec::new());
    let start = Instant::now();
    session.begin().expect("begin");
    session.insert(0, records).expect("insert");
    session.commit().expect("commit");
    ran.0.push(start.elapsed());
    for request in [read(Select::All), read(Select::Where(young()))] {
        let mut sink = TouchSink::default();
        let start = Instant::now();
        execute(&mut *session, &request, &[], &mut sink);
        ran.0.push(start.elapsed());
        ran.1.extend([sink.folded(), sink.rows()]);
    }
    let mut sink = TouchSink::default();
    let start = Instant::now();
    let prepared = session.prepare(&read(Select::Point(0))).expect("prepare");
    for key in arguments {
        session.execute(prepared, key, &mut sink).expect("point");
    }
    ran.0.push(start.elapsed());
    session.release(prepared);
    ran.1.extend([sink.folded(), sink.rows()]);
    for request in [update(), delete()] {
        let start = Instant::now();
        session.begin().expect("begin");
        let matched = execute(&mut *session, &request, &[], &mut NoSink);
        session.commit().expect("commit");
        ran.0.push(start.elapsed());
        ran.1.push(matched);
    }
    session.close().expect("close");
    ran.1.push(schema_size(directory));
    ran
}

/// How much the store's tables and indexes take to write down: the same on both sides.
fn schema_size(directory: &Path) -> u64 {
    let db = Connection::open(directory.join("store.sqlite")).expect("open");
    let sql = "SELECT sum(length(sql)), count(*) FROM sqlite_schema";
    let size = db.query_row(sql, [], |row| {
        Ok(row.get::<_, i64>(0)? * 100 + row.get::<_, i64>(1)?)
    });
    size.expect("schema") as u64
}

fn execute(
    session: &mut dyn Session,
    request: &Request,
    arguments: &[Value],
    sink: &mut dyn Sink,
) -> u64 {
    let prepared = session.prepare(request).expect("prepare");
    let count = session.execute(prepared, arguments, sink).expect("execute");
    session.release(prepared);
    count
}

const TABLE: &str = "
CREATE TABLE \"User\" (
  \"_id\" INTEGER PRIMARY KEY,
  \"id\" BLOB NOT NULL UNIQUE,
  \"first_name\" TEXT NOT NULL,
  \"last_name\" TEXT NOT NULL,
  \"age\" INTEGER NOT NULL,
  \"score\" REAL,
  \"joined\" INTEGER NOT NULL
) STRICT;
CREATE INDEX \"User_last_name\" ON \"User\"(\"last_name\");";

fn by_hand(directory: &Path, users: &[User], keys: &[[u8; 16]]) -> Ran {
    let db = Connection::open(directory.join("store.sqlite")).expect("open");
    db.execute_batch(
        "PRAGMA journal_mode = wal; PRAGMA synchronous = off; PRAGMA cache_size = -524288; PRAGMA foreign_keys = ON",
    )
    .expect("options");
    db.execute_batch(TABLE).expect("tables");
    let mut ran = (Vec::new(), Vec::new());
    let start = Instant::now();
    db.execute_batch("BEGIN IMMEDIATE").expect("begin");
    {
        let mut insert = db
            .prepare("INSERT INTO User (_id, id, first_name, last_name, age, score, joined) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            .expect("prepare");
        for (user, row) in users.iter().zip(1i64..) {
            insert
                .execute(params![
                    row,
                    user.id,
                    user.first_name,
                    user.last_name,
                    user.age,
                    user.score,
                    user.joined
                ])
                .expect("insert");
        }
    }
    db.execute_batch("COMMIT").expect("commit");
    ran.0.push(start.elapsed());
    for filter in ["", " WHERE age < 20"] {
        let mut sink = Touch::default();
        let start = Instant::now();
        let sql = format!("SELECT id, first_name, last_name, age, score, joined FROM User{filter}");
        let mut statement = db.prepare(&sql).expect("prepare");
        let mut rows = statement.query([]).expect("query");
        while let Some(row) = rows.next().expect("row") {
            sink.user(row);
        }
        ran.0.push(start.elapsed());
        ran.1.extend([sink.folded, sink.rows]);
    }
    let mut sink = Touch::default();
    let start = Instant::now();
    let mut point = db
        .prepare("SELECT id, first_name, last_name, age, score, joined FROM User WHERE id = ?1")
        .expect("prepare");
    for key in keys {
        let mut rows = point.query([key]).expect("query");
        while let Some(row) = rows.next().expect("row") {
            sink.user(row);
        }
    }
    drop(point);
    ran.0.push(start.elapsed());
    ran.1.extend([sink.folded, sink.rows]);
    for sql in [
        "UPDATE User SET age = age + 1, first_name = 'Wendy' WHERE age < 50",
        "DELETE FROM User WHERE age < 40",
    ] {
        let start = Instant::now();
        db.execute_batch("BEGIN IMMEDIATE").expect("begin");
        let matched = db
            .prepare(sql)
            .and_then(|mut s| s.execute([]))
            .expect("change");
        db.execute_batch("COMMIT").expect("commit");
        ran.0.push(start.elapsed());
        ran.1.push(matched as u64);
    }
    db.close().expect("close");
    ran.1.push(schema_size(directory));
    ran
}

/// The touch that [`TouchSink`] makes, by hand.
#[derive(Default)]
struct Touch {
    folded: u64,
    rows: u64,
}

impl Touch {
    #[inline]
    fn user(&mut self, row: &rusqlite::Row<'_>) {
        let column = |at: usize| row.get_ref(at).expect("column");
        self.rows += 1;
        self.word(head(column(0).as_blob().expect("id")));
        self.word(head(column(1).as_str().expect("first name").as_bytes()));
        self.word(head(column(2).as_str().expect("last name").as_bytes()));
        self.word(column(3).as_i64().expect("age") as u64);
        self.word(
            column(4)
                .as_f64_or_null()
                .expect("score")
                .map_or(0, f64::to_bits),
        );
        self.word(column(5).as_i64().expect("joined") as u64);
    }

    #[inline]
    fn word(&mut self, word: u64) {
        self.folded = self.folded.rotate_left(7) ^ word;
    }
}

fn head(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = bytes.len().min(8);
    first[..length].copy_from_slice(&bytes[..length]);
    u64::from_le_bytes(first) ^ (bytes.len() as u64).rotate_right(8)
}

fn options() -> Options {
    [
        ("journal_mode".to_owned(), Value::Text("wal".into())),
        ("synchronous".to_owned(), Value::Text("off".into())),
        ("cache_size".to_owned(), Value::Int(-524_288)),
    ]
    .into()
}

fn schema() -> Schema {
    let field = |name: &str, scalar, optional| Field {
        name: name.into(),
        kind: FieldKind::Scalar(scalar),
        optional,
    };
    Schema {
        models: vec![Model {
            name: "User".into(),
            fields: vec![
                field("id", Scalar::Uuid, false),
                field("first_name", Scalar::Text, false),
                field("last_name", Scalar::Text, false),
                field("age", Scalar::Int, false),
                field("score", Scalar::Float, true),
                field("joined", Scalar::Timestamp, false),
            ],
            key: Some(0),
            indexes: vec![Index {
                name: "User_last_name".into(),
                columns: vec![IndexColumn {
                    field: 2,
                    descending: false,
                }],
                unique: false,
            }],
        }],
    }
}

fn path(field: usize) -> FieldPath {
    FieldPath::field(&schema(), 0, field)
}

fn below(age: i64) -> Expr {
    Expr::Compare {
        op: CompareOp::Less,
        left: Box::new(Expr::Path(path(3))),
        right: Box::new(Expr::Literal(Value::Int(age))),
        ignoring_case: false,
    }
}

fn young() -> Expr {
    below(20)
}

fn read(select: Select) -> Request {
    Request::Read(Query {
        model: 0,
        select,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns: (0..6).map(|field| Column::Path(path(field))).collect(),
    })
}

fn update() -> Request {
    let older = Expr::Arith {
        op: ArithOp::Add,
        left: Box::new(Expr::Path(path(3))),
        right: Box::new(Expr::Literal(Value::Int(1))),
    };
    Request::Update {
        model: 0,
        select: Select::Where(below(50)),
        set: vec![(3, older), (1, Expr::Literal(Value::Text("Wendy".into())))],
        by: UpdateBy::Idiom,
    }
}

fn delete() -> Request {
    Request::Delete {
        model: 0,
        select: Select::Where(below(40)),
    }
}

/// A bijective scramble of 64 bits (splitmix64's finaliser).
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn user(row: u64) -> User {
    const FIRST: [&str; 8] = [
        "Jane",
        "Maximilian",
        "Ada",
        "Chidi",
        "Søren",
        "Li",
        "Beatrix",
        "Omar",
    ];
    const LAST: [&str; 7] = [
        "Smith",
        "Okonkwo",
        "Bartholomew",
        "Ng",
        "Müller",
        "Garcia",
        "Fitzgerald",
    ];
    let draw = mix(row);
    let mut id = [0; 16];
    id[..8].copy_from_slice(&draw.to_be_bytes());
    id[8..].copy_from_slice(&mix(draw).to_be_bytes());
    User {
        id,
        first_name: FIRST[(draw % 8) as usize].into(),
        last_name: format!("{}-{}", LAST[(draw / 8 % 7) as usize], draw % 1000),
        age: (draw / 64 % 99) as i64,
        score: (!draw.is_multiple_of(10)).then_some((draw % 10_007) as f64 / 7.0),
        joined: 1_700_000_000_000 + row as i64 * 997,
    }
}

fn record(user: &User, row: u64) -> Record {
    let fields = [
        Value::Uuid(user.id),
        Value::Text(user.first_name.clone()),
        Value::Text(user.last_name.clone()),
        Value::Int(user.age),
        user.score.map_or(Value::Null, Value::Float),
        Value::Timestamp(user.joined),
    ];
    Record {
        row,
        fields: fields.into_iter().map(Content::Value).collect(),
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// The value at a share of the way through, between neighbours.
fn at(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    low + (high - low) * place.fract()
}

fn scale() -> Scale {
    let words: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        words
            .iter()
            .position(|w| w == name)
            .and_then(|at| words.get(at + 1)?.parse().ok())
            .unwrap_or(default)
    };
    Scale {
        rows: number("--rows", 1_000_000),
        points: number("--points", 100_000),
        rounds: number("--rounds", 11) as usize,
    }
}
