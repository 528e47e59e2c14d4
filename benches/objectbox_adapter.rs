//! The ObjectBox adapter against a hand-written loop over the same C API, in
//! interleaved rounds of one process.
//!
//!     persist-lab engines install objectbox
//!     cargo bench --bench objectbox_adapter -- [--rows N] [--points N] [--rounds N]
//!
//! Both sides call the same function table, have the same entity and indexes,
//! build their objects with the `flatbuffers` crate and hand what they read to
//! the same sink, value by value. By hand the object is a struct, its offsets
//! are constants and nothing is checked but the calls' results. ObjectBox
//! syncs at every commit, so each step is one transaction and the commit, which
//! is the disk's, stands outside the clock's two readings of `insert`, `update`
//! and `delete` on both sides. Records are generated before. Per step it prints
//! both medians, the median of the rounds' ratios (adapter to loop) and their
//! quartiles.

#[path = "adapter/race.rs"]
mod race;

use std::ffi::{CStr, CString, c_int, c_void};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use flatbuffers::{FlatBufferBuilder, ForwardsUOffset, Table};
use persist_lab::base::{Value, ValueRef};
use persist_lab::engines::objectbox::ObjectBox;
use persist_lab::engines::objectbox::ffi::types::{Code, Handle, flag, property, put_mode};
use persist_lab::engines::objectbox::ffi::{Functions, functions};
use persist_lab::engines::{Engine, Options, Presence, Session, Setting};
use persist_lab::plan::{
    ArithOp, Column, CompareOp, Expr, Field, FieldKind, Index, IndexColumn, Model,
    Path as FieldPath, Query, Request, Scalar, Schema, Select, UpdateBy,
};
use persist_lab::workload::{Content, NoHooks, NoSink, Record, Sink, TouchSink};

/// What an application would keep of a user; its id is `number + 1`.
struct User {
    number: i64,
    first_name: String,
    last_name: String,
    age: i64,
    score: Option<f64>,
    joined: i64,
}

use race::{Ran, Scale, mix, race};

fn main() {
    if let Presence::NotInstalled(how) | Presence::NotHere(how) = ObjectBox.presence() {
        eprintln!("objectbox: {how}");
        return;
    }
    let scale = Scale::from_arguments(200_000, 50_000);
    let users: Vec<User> = (0..scale.rows).map(user).collect();
    let records: Vec<Record> = users
        .iter()
        .zip(0..)
        .map(|(u, row)| record(u, row))
        .collect();
    let keys: Vec<i64> = (0..scale.points)
        .map(|i| users[(mix(i + 77) % scale.rows) as usize].number)
        .collect();
    let arguments: Vec<[Value; 1]> = keys.iter().map(|key| [Value::Int(*key)]).collect();
    race(
        &scale,
        &format!("ObjectBox {}", ObjectBox.version()),
        |directory| adapter(directory, &records, &arguments),
        |directory| by_hand(directory, &users, &keys),
    );
}

fn adapter(directory: &Path, records: &[Record], arguments: &[[Value; 1]]) -> Ran {
    let schema = schema();
    let options = Options::new();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    let mut session = ObjectBox
        .open(directory, &setting, Rc::new(NoHooks))
        .expect("open");
    let mut ran = (Vec::new(), Vec::new());
    let start = Instant::now();
    session.begin().expect("begin");
    session.insert(0, records).expect("insert");
    ran.0.push(start.elapsed());
    session.commit().expect("commit");
    for request in [read(Select::All), read(Select::Where(below(20)))] {
        let mut sink = TouchSink::default();
        let start = Instant::now();
        execute(&mut *session, &request, &mut sink);
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
        let matched = execute(&mut *session, &request, &mut NoSink);
        ran.0.push(start.elapsed());
        session.commit().expect("commit");
        ran.1.push(matched);
    }
    session.close().expect("close");
    ran
}

fn execute(session: &mut dyn Session, request: &Request, sink: &mut dyn Sink) -> u64 {
    let prepared = session.prepare(request).expect("prepare");
    let count = session.execute(prepared, &[], sink).expect("execute");
    session.release(prepared);
    count
}

/// Offsets of the properties in an object's table of fields.
mod slot {
    pub const ID: u16 = 4;
    pub const FIRST_NAME: u16 = 6;
    pub const LAST_NAME: u16 = 8;
    pub const AGE: u16 = 10;
    pub const SCORE: u16 = 12;
    pub const JOINED: u16 = 14;
}

/// The entity of [`schema`], as the adapter lays it out.
unsafe fn open(f: &Functions, directory: &Path) -> Handle {
    let c = |text: &str| CString::new(text).expect("a name");
    let done = |code: Code| assert_eq!(code, 0);
    // SAFETY: names outlive the calls; model and options are used once.
    unsafe {
        let model = (f.obx_model)();
        done((f.obx_model_entity)(model, c("User").as_ptr(), 1, 101));
        let properties = [
            (
                "number",
                property::LONG,
                flag::ID | flag::ID_SELF_ASSIGNABLE,
            ),
            ("first_name", property::STRING, 0),
            ("last_name", property::STRING, flag::INDEX_HASH),
            ("age", property::LONG, 0),
            ("score", property::DOUBLE, 0),
            ("joined", property::DATE, 0),
        ];
        for ((name, kind, flags), id) in properties.into_iter().zip(1u32..) {
            let uid = 200 + u64::from(id);
            done((f.obx_model_property)(
                model,
                c(name).as_ptr(),
                kind,
                id,
                uid,
            ));
            if flags != 0 {
                done((f.obx_model_property_flags)(model, flags));
            }
            if flags == flag::INDEX_HASH {
                done((f.obx_model_property_index_id)(model, 1, 301));
            }
        }
        done((f.obx_model_entity_last_property_id)(model, 6, 206));
        (f.obx_model_last_entity_id)(model, 1, 101);
        (f.obx_model_last_index_id)(model, 1, 301);
        let options = (f.obx_opt)();
        let directory = c(directory.to_str().expect("a path"));
        done((f.obx_opt_directory)(options, directory.as_ptr()));
        done((f.obx_opt_model)(options, model));
        (f.obx_opt_max_db_size_in_kb)(options, 1 << 20);
        let store = (f.obx_store_open)(options);
        assert!(!store.is_null());
        store
    }
}

fn encode<'b>(builder: &'b mut FlatBufferBuilder<'static>, user: &Row<'_>) -> &'b [u8] {
    builder.reset();
    let first_name = builder.create_string(user.first_name);
    let last_name = builder.create_string(user.last_name);
    let table = builder.start_table();
    builder.push_slot_always(slot::ID, user.id);
    builder.push_slot_always(slot::FIRST_NAME, first_name);
    builder.push_slot_always(slot::LAST_NAME, last_name);
    builder.push_slot_always(slot::AGE, user.age);
    if let Some(score) = user.score {
        builder.push_slot_always(slot::SCORE, score);
    }
    builder.push_slot_always(slot::JOINED, user.joined);
    let table = builder.end_table(table);
    builder.finish_minimal(table);
    builder.finished_data()
}

/// A stored user.
struct Row<'a> {
    id: u64,
    first_name: &'a str,
    last_name: &'a str,
    age: i64,
    score: Option<f64>,
    joined: i64,
}

impl<'a> Row<'a> {
    #[inline]
    fn read(bytes: &'a [u8]) -> Row<'a> {
        let root = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        // SAFETY: the object was built by `encode`.
        unsafe {
            let table = Table::new(bytes, root);
            let text = |slot| {
                let text = table.get::<ForwardsUOffset<&str>>(slot, None);
                text.unwrap_or_default()
            };
            Row {
                id: table.get::<u64>(slot::ID, None).unwrap_or(0),
                first_name: text(slot::FIRST_NAME),
                last_name: text(slot::LAST_NAME),
                age: table.get::<i64>(slot::AGE, None).unwrap_or(0),
                score: table.get::<f64>(slot::SCORE, None),
                joined: table.get::<i64>(slot::JOINED, None).unwrap_or(0),
            }
        }
    }

    #[inline]
    fn hand(&self, sink: &mut dyn Sink) {
        sink.row(&[
            ValueRef::Int(self.id as i64 - 1),
            ValueRef::Text(self.first_name),
            ValueRef::Text(self.last_name),
            ValueRef::Int(self.age),
            self.score.map_or(ValueRef::Null, ValueRef::Float),
            ValueRef::Timestamp(self.joined),
        ]);
    }
}

/// What a query calls with each user that it finds.
unsafe extern "C" fn visit(data: *const c_void, size: usize, sink: *mut c_void) -> bool {
    // SAFETY: the sink is the one that was passed along, the bytes an object.
    unsafe {
        let sink = &mut *sink.cast::<TouchSink>();
        Row::read(std::slice::from_raw_parts(data.cast(), size)).hand(sink);
    }
    true
}

fn by_hand(directory: &Path, users: &[User], keys: &[i64]) -> Ran {
    let f = functions().expect("installed");
    // SAFETY: handles are used while they are open; bytes while their
    // transaction neither ends nor writes.
    unsafe {
        let store = open(f, directory);
        let done = |code: Code| {
            assert_eq!(
                code,
                0,
                "{:?}",
                CStr::from_ptr((f.obx_last_error_message)())
            )
        };
        let age_below = |age: i64| {
            let builder = (f.obx_query_builder)(store, 1);
            assert_ne!((f.obx_qb_less_than_int)(builder, 4, age), 0);
            let query = (f.obx_query)(builder);
            (f.obx_qb_close)(builder);
            query
        };
        let mut builder = FlatBufferBuilder::with_capacity(1024);
        let mut ran = (Vec::new(), Vec::new());

        let start = Instant::now();
        let txn = (f.obx_txn_write)(store);
        let cursor = (f.obx_cursor)(txn, 1);
        for user in users {
            let row = Row {
                id: user.number as u64 + 1,
                first_name: &user.first_name,
                last_name: &user.last_name,
                age: user.age,
                score: user.score,
                joined: user.joined,
            };
            let object = encode(&mut builder, &row);
            let mode: c_int = put_mode::INSERT;
            done((f.obx_cursor_put4)(
                cursor,
                row.id,
                object.as_ptr(),
                object.len(),
                mode,
            ));
        }
        ran.0.push(start.elapsed());
        done((f.obx_cursor_close)(cursor));
        done((f.obx_txn_success)(txn));

        let mut sink = TouchSink::default();
        let start = Instant::now();
        let txn = (f.obx_txn_read)(store);
        let cursor = (f.obx_cursor)(txn, 1);
        let (mut data, mut size) = (std::ptr::null(), 0);
        let mut code = (f.obx_cursor_first)(cursor, &mut data, &mut size);
        while code == 0 {
            Row::read(std::slice::from_raw_parts(data, size)).hand(&mut sink);
            code = (f.obx_cursor_next)(cursor, &mut data, &mut size);
        }
        done((f.obx_cursor_close)(cursor));
        done((f.obx_txn_close)(txn));
        ran.0.push(start.elapsed());
        ran.1.extend([sink.folded(), sink.rows()]);

        let mut sink = TouchSink::default();
        let start = Instant::now();
        let query = age_below(20);
        let txn = (f.obx_txn_read)(store);
        let pointer: *mut TouchSink = &mut sink;
        done((f.obx_query_visit)(query, visit, pointer.cast()));
        done((f.obx_txn_close)(txn));
        done((f.obx_query_close)(query));
        ran.0.push(start.elapsed());
        ran.1.extend([sink.folded(), sink.rows()]);

        let mut sink = TouchSink::default();
        let start = Instant::now();
        let entity = (f.obx_box)(store, 1);
        for key in keys {
            let txn = (f.obx_txn_read)(store);
            done((f.obx_box_get)(
                entity,
                *key as u64 + 1,
                &mut data,
                &mut size,
            ));
            Row::read(std::slice::from_raw_parts(data, size)).hand(&mut sink);
            done((f.obx_txn_close)(txn));
        }
        ran.0.push(start.elapsed());
        ran.1.extend([sink.folded(), sink.rows()]);

        let start = Instant::now();
        let query = age_below(50);
        let txn = (f.obx_txn_write)(store);
        let found = (f.obx_query_find)(query);
        // All are changed before the first is put: a put moves what was found.
        let (mut changed, mut ends) = (Vec::new(), Vec::new());
        for bytes in std::slice::from_raw_parts((*found).bytes, (*found).count) {
            let mut row = Row::read(std::slice::from_raw_parts(bytes.data, bytes.size));
            row.age += 1;
            row.first_name = "Wendy";
            changed.extend_from_slice(encode(&mut builder, &row));
            ends.push((row.id, changed.len()));
        }
        (f.obx_bytes_array_free)(found);
        let cursor = (f.obx_cursor)(txn, 1);
        let mut from = 0;
        for (id, end) in &ends {
            let object = &changed[from..*end];
            from = *end;
            let mode: c_int = put_mode::UPDATE;
            done((f.obx_cursor_put4)(
                cursor,
                *id,
                object.as_ptr(),
                object.len(),
                mode,
            ));
        }
        done((f.obx_query_close)(query));
        ran.0.push(start.elapsed());
        done((f.obx_cursor_close)(cursor));
        done((f.obx_txn_success)(txn));
        ran.1.push(ends.len() as u64);

        let start = Instant::now();
        let query = age_below(40);
        let txn = (f.obx_txn_write)(store);
        let mut removed = 0;
        done((f.obx_query_remove)(query, &mut removed));
        done((f.obx_query_close)(query));
        ran.0.push(start.elapsed());
        done((f.obx_txn_success)(txn));
        ran.1.push(removed);
        done((f.obx_store_close)(store));
        ran
    }
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
                field("number", Scalar::Int, false),
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
    User {
        number: row as i64,
        first_name: FIRST[(draw % 8) as usize].into(),
        last_name: format!("{}-{}", LAST[(draw / 8 % 7) as usize], draw % 1000),
        age: (draw / 64 % 99) as i64,
        score: (!draw.is_multiple_of(10)).then_some((draw % 10_007) as f64 / 7.0),
        joined: 1_700_000_000_000 + row as i64 * 997,
    }
}

fn record(user: &User, row: u64) -> Record {
    let fields = [
        Value::Int(user.number),
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
