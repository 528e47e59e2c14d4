//! The Realm adapter against a hand-written loop over the same C API, by the
//! same function table, in interleaved rounds of one process.
//!
//!     cargo bench --bench realm_adapter -- [--rows N] [--points N] [--rounds N]
//!
//! Both sides open the file alike and touch every delivered value alike;
//! nothing is synced, so that the disk's moods do not hide the adapter. Records
//! are generated before the clock starts, in the form that each side takes:
//! the harness's own records here, a struct there. Per step it prints both
//! medians, the median of the rounds' ratios (adapter to loop) and their
//! quartiles. Needs `engines install realm`; without it there is nothing to measure.

use std::ffi::CStr;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use persist_lab::base::Value;
use persist_lab::engines::realm::RealmEngine;
use persist_lab::engines::realm::ffi::functions::Functions;
use persist_lab::engines::realm::ffi::types::{
    Bytes, Moment, Payload, QueryArgument, RealmT, RealmValue, ResultsT, kind,
};
use persist_lab::engines::realm::store::Store;
use persist_lab::engines::{Engine, Options, Presence, Session, Setting};
use persist_lab::plan::{
    ArithOp, Column, CompareOp, Expr, Field, FieldKind, Index, IndexColumn, Model,
    Path as FieldPath, Query, Request, Scalar, Schema, Select, UpdateBy,
};
use persist_lab::workload::{Content, NoHooks, NoSink, Record, Sink, TouchSink};

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
    if let Presence::NotInstalled(how) | Presence::NotHere(how) = RealmEngine.presence() {
        println!("realm: {how}");
        return;
    }
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
        "{} rows, {} point reads, {} rounds; Realm Core {}",
        scale.rows,
        scale.points,
        scale.rounds,
        RealmEngine.version()
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
    let mut session = RealmEngine
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
    ran
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

/// The realm and its keys, for calls by hand.
struct ByHand {
    functions: &'static Functions,
    realm: *mut RealmT,
    class: u32,
    properties: Vec<i64>,
    store: Store,
}

impl ByHand {
    fn open(directory: &Path) -> ByHand {
        let (schema, options) = (schema(), options());
        let setting = Setting {
            schema: &schema,
            hooks: &[],
            options: &options,
        };
        let store = Store::open(directory, &setting).expect("open");
        ByHand {
            functions: store.realm.functions(),
            realm: store.realm.raw(),
            class: store.keys[0].class,
            properties: store.keys[0].properties.clone(),
            store,
        }
    }

    /// SAFETY: the realm is open.
    unsafe fn insert(&self, users: &[User]) {
        let f = self.functions;
        unsafe {
            assert!((f.begin_write)(self.realm));
            for user in users {
                let object =
                    (f.object_create_with_primary_key)(self.realm, self.class, uuid(user.id));
                assert!(!object.is_null());
                let values = [
                    text(&user.first_name),
                    text(&user.last_name),
                    int(user.age),
                    user.score.map_or(RealmValue::NULL, float),
                    moment(user.joined),
                ];
                assert!((f.set_values)(
                    object,
                    values.len(),
                    self.properties[1..].as_ptr(),
                    values.as_ptr(),
                    false
                ));
                (f.release)(object.cast());
            }
            assert!((f.commit)(self.realm));
        }
    }

    /// SAFETY: as for `insert`.
    unsafe fn query(&self, words: &CStr, mut value: RealmValue) -> *mut ResultsT {
        let f = self.functions;
        let argument = QueryArgument {
            count: 1,
            is_list: false,
            values: &mut value,
        };
        unsafe {
            let query = (f.query_parse)(self.realm, self.class, words.as_ptr(), 1, &argument);
            assert!(!query.is_null());
            let results = (f.query_find_all)(query);
            (f.release)(query.cast());
            results
        }
    }

    /// SAFETY: as for `insert`; the results are live and released here.
    unsafe fn read(&self, results: *mut ResultsT) -> Touch {
        let f = self.functions;
        let mut touch = Touch::default();
        let mut values = [RealmValue::NULL; 6];
        let mut count = 0;
        unsafe {
            assert!((f.results_count)(results, &mut count));
            for at in 0..count {
                let object = (f.results_get_object)(results, at);
                assert!((f.get_values)(
                    object,
                    6,
                    self.properties.as_ptr(),
                    values.as_mut_ptr()
                ));
                touch.user(&values);
                (f.release)(object.cast());
            }
            (f.release)(results.cast());
        }
        touch
    }

    /// SAFETY: as for `insert`.
    unsafe fn points(&self, keys: &[[u8; 16]]) -> Touch {
        let f = self.functions;
        let mut touch = Touch::default();
        let mut values = [RealmValue::NULL; 6];
        for key in keys {
            let mut found = false;
            unsafe {
                let object = (f.object_find_with_primary_key)(
                    self.realm,
                    self.class,
                    uuid(*key),
                    &mut found,
                );
                assert!(found);
                assert!((f.get_values)(
                    object,
                    6,
                    self.properties.as_ptr(),
                    values.as_mut_ptr()
                ));
                touch.user(&values);
                (f.release)(object.cast());
            }
        }
        touch
    }

    /// SAFETY: as for `insert`.
    unsafe fn update(&self) -> u64 {
        let f = self.functions;
        let (age, first_name) = (self.properties[3], self.properties[1]);
        let mut count = 0;
        unsafe {
            assert!((f.begin_write)(self.realm));
            let results = self.query(c"age < $0", int(50));
            let snapshot = (f.results_snapshot)(results);
            assert!((f.results_count)(snapshot, &mut count));
            for at in 0..count {
                let object = (f.results_get_object)(snapshot, at);
                let mut value = RealmValue::NULL;
                assert!((f.get_values)(object, 1, &age, &mut value));
                let values = [int(value.payload.integer + 1), text("Wendy")];
                let keys = [age, first_name];
                assert!((f.set_values)(
                    object,
                    2,
                    keys.as_ptr(),
                    values.as_ptr(),
                    false
                ));
                (f.release)(object.cast());
            }
            (f.release)(snapshot.cast());
            (f.release)(results.cast());
            assert!((f.commit)(self.realm));
        }
        count as u64
    }

    /// SAFETY: as for `insert`.
    unsafe fn delete(&self) -> u64 {
        let f = self.functions;
        let mut count = 0;
        unsafe {
            assert!((f.begin_write)(self.realm));
            let results = self.query(c"age < $0", int(40));
            assert!((f.results_count)(results, &mut count));
            assert!((f.results_delete_all)(results));
            (f.release)(results.cast());
            assert!((f.commit)(self.realm));
        }
        count as u64
    }
}

fn by_hand(directory: &Path, users: &[User], keys: &[[u8; 16]]) -> Ran {
    let hand = ByHand::open(directory);
    let mut ran = (Vec::new(), Vec::new());
    // SAFETY: the realm is open until `close` below, and used from this thread.
    unsafe {
        let start = Instant::now();
        hand.insert(users);
        ran.0.push(start.elapsed());
        for young in [false, true] {
            let start = Instant::now();
            let results = if young {
                hand.query(c"age < $0", int(20))
            } else {
                (hand.functions.object_find_all)(hand.realm, hand.class)
            };
            let touch = hand.read(results);
            ran.0.push(start.elapsed());
            ran.1.extend([touch.folded, touch.rows]);
        }
        let start = Instant::now();
        let touch = hand.points(keys);
        ran.0.push(start.elapsed());
        ran.1.extend([touch.folded, touch.rows]);
        let start = Instant::now();
        let matched = hand.update();
        ran.0.push(start.elapsed());
        ran.1.push(matched);
        let start = Instant::now();
        let matched = hand.delete();
        ran.0.push(start.elapsed());
        ran.1.push(matched);
    }
    hand.store.realm.close().expect("close");
    ran
}

fn int(integer: i64) -> RealmValue {
    RealmValue {
        payload: Payload { integer },
        kind: kind::INT,
    }
}

fn float(double: f64) -> RealmValue {
    RealmValue {
        payload: Payload { double },
        kind: kind::DOUBLE,
    }
}

fn uuid(uuid: [u8; 16]) -> RealmValue {
    RealmValue {
        payload: Payload { uuid },
        kind: kind::UUID,
    }
}

fn text(text: &str) -> RealmValue {
    let bytes = Bytes {
        data: text.as_ptr(),
        size: text.len(),
    };
    RealmValue {
        payload: Payload { bytes },
        kind: kind::STRING,
    }
}

fn moment(ms: i64) -> RealmValue {
    let moment = Moment {
        seconds: ms / 1000,
        nanoseconds: (ms % 1000) as i32 * 1_000_000,
    };
    RealmValue {
        payload: Payload { moment },
        kind: kind::TIMESTAMP,
    }
}

/// The touch that [`TouchSink`] makes, by hand.
#[derive(Default)]
struct Touch {
    folded: u64,
    rows: u64,
}

impl Touch {
    /// SAFETY: the values were read just now, in the order of the model.
    #[inline]
    unsafe fn user(&mut self, values: &[RealmValue; 6]) {
        self.rows += 1;
        unsafe {
            self.word(head(&values[0].payload.uuid));
            for at in [1, 2] {
                let bytes = values[at].payload.bytes;
                let bytes = std::slice::from_raw_parts(bytes.data, bytes.size);
                self.word(head(std::str::from_utf8(bytes).expect("UTF-8").as_bytes()));
            }
            self.word(values[3].payload.integer as u64);
            let score = values[4];
            self.word(match score.kind {
                kind::NULL => 0,
                _ => score.payload.double.to_bits(),
            });
            let joined = values[5].payload.moment;
            self.word((joined.seconds * 1000 + i64::from(joined.nanoseconds / 1_000_000)) as u64);
        }
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
    [("durability".to_owned(), Value::Text("off".into()))].into()
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
        rows: number("--rows", 200_000),
        points: number("--points", 50_000),
        rounds: number("--rounds", 11) as usize,
    }
}
