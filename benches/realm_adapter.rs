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

#[path = "adapter/race.rs"]
mod race;
#[path = "adapter/touch.rs"]
mod touch;
#[path = "adapter/users.rs"]
mod users;

use std::ffi::CStr;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use persist_lab::base::Value;
use persist_lab::engines::realm::RealmEngine;
use persist_lab::engines::realm::ffi::functions::Functions;
use persist_lab::engines::realm::ffi::types::{
    Bytes, Moment, Payload, QueryArgument, RealmT, RealmValue, ResultsT, kind,
};
use persist_lab::engines::realm::store::Store;
use persist_lab::engines::{Engine, Options, Presence, Session, Setting};
use persist_lab::plan::{Request, Select};
use persist_lab::workload::{NoHooks, NoSink, Record, Sink, TouchSink};

use race::{Ran, Scale, mix, race};
use touch::head;
use users::{User, delete, read, record, schema, update, user, young};

fn main() {
    if let Presence::NotInstalled(how) | Presence::NotHere(how) = RealmEngine.presence() {
        println!("realm: {how}");
        return;
    }
    let scale = Scale::from_arguments(200_000, 50_000);
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
        &format!("Realm Core {}", RealmEngine.version()),
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

fn options() -> Options {
    [("durability".to_owned(), Value::Text("off".into()))].into()
}
