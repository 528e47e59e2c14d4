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

#[path = "adapter/race.rs"]
mod race;
#[path = "adapter/touch.rs"]
mod touch;
#[path = "adapter/users.rs"]
mod users;

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use persist_lab::base::Value;
use persist_lab::engines::sqlite::Sqlite;
use persist_lab::engines::{Engine, Options, Session, Setting};
use persist_lab::plan::{Request, Select};
use persist_lab::workload::{NoHooks, NoSink, Record, Sink, TouchSink};
use rusqlite::{Connection, params};

use race::{Ran, Scale, mix, race};
use touch::head;
use users::{User, delete, read, record, schema, update, user, young};

fn main() {
    let scale = Scale::from_arguments(1_000_000, 100_000);
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
    race(
        &scale,
        &format!("SQLite {}", rusqlite::version()),
        |directory| adapter(directory, &records, &arguments),
        |directory| by_hand(directory, &users, &keys),
    );
}

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

fn options() -> Options {
    [
        ("journal_mode".to_owned(), Value::Text("wal".into())),
        ("synchronous".to_owned(), Value::Text("off".into())),
        ("cache_size".to_owned(), Value::Int(-524_288)),
    ]
    .into()
}
