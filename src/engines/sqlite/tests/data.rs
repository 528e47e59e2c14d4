//! Records for the fixture's schema, two stores that hold them, and hooks.

use std::rc::Rc;

use super::fixture::*;
use crate::base::{Value, ValueRef};
use crate::engines::memory::MemoryEngine;
use crate::engines::sqlite::Sqlite;
use crate::engines::{Engine, EngineError, Options, Session, Setting};
use crate::plan::schema::ModelId;
use crate::plan::{Request, Schema};
use crate::workload::{Content, HookError, HookRunner, Record, Sink, Target};

/// `is_adult`, `older_than`, and one that always fails.
pub struct Hooks;

impl HookRunner for Hooks {
    fn call(
        &self,
        hook: usize,
        record: Option<&[(&str, ValueRef<'_>)]>,
        args: &[Value],
    ) -> Result<Value, HookError> {
        let record = record.unwrap_or(&[]);
        let of = |name: &str| record.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        let age = match of("age") {
            Some(ValueRef::Int(age)) => age,
            other => panic!("age is {other:?}"),
        };
        match (hook, args) {
            // Lists and nulls come as what they are.
            (0, []) => match (of("tags"), of("marks"), of("id")) {
                (Some(ValueRef::List(tags)), Some(marks), Some(ValueRef::Uuid(_))) => {
                    assert!(tags.iter().all(|t| matches!(t, ValueRef::Text(_))));
                    let marks = match marks {
                        ValueRef::List(marks) => marks.len(),
                        _ => 9,
                    };
                    Ok(Value::Bool(age >= 18 && tags.len() + marks > 1))
                }
                other => panic!("{other:?}"),
            },
            (1, [Value::Int(years)]) => Ok(Value::Bool(age > *years)),
            _ => Err(HookError {
                hook: "fails".into(),
                message: "on purpose".into(),
                file: "test.exp".into(),
                line: 3,
                column: 7,
            }),
        }
    }

    fn call_over(
        &self,
        _: usize,
        _: &[&str],
        _: &[Vec<Value>],
        _: &[Value],
    ) -> Result<Value, HookError> {
        Ok(Value::Null)
    }

    fn spent_ns(&self) -> u64 {
        0
    }

    fn reset(&self) {}
}

fn value(value: Value) -> Content {
    Content::Value(value)
}

fn texts(items: &[&str]) -> Content {
    value(Value::List(items.iter().map(|t| text_value(t)).collect()))
}

fn text_value(text: &str) -> Value {
    Value::Text(text.into())
}

fn opt(present: bool, of: Value) -> Content {
    value(if present { of } else { Value::Null })
}

fn plain(row: u64) -> Target {
    Target { row, key: None }
}

const NAMES: &[&str] = &[
    "Jane",
    "Jan",
    "ANNE",
    "René",
    "Jon%*x",
    "bob",
    "",
    "Ja\u{10ffff}",
    "O'Neil",
    "ÄNNE",
    "janet",
];

pub fn uuid(row: u64) -> Value {
    let mut bytes = [0; 16];
    bytes[8..].copy_from_slice(&(row * 7919).to_be_bytes());
    Value::Uuid(bytes)
}

/// Person `row`; `generation` changes all but the key.
pub fn person(row: u64, generation: u64) -> Record {
    let i = row as i64;
    let mix = row + generation;
    let name = NAMES[mix as usize % NAMES.len()];
    let pet = |at: u64| Record {
        row: row * 4 + at,
        fields: vec![
            value(text_value(["Rex", "Mia", "Tom"][(row + at) as usize % 3])),
            opt(
                !(row + at).is_multiple_of(4),
                Value::Float((row % 9) as f64 + at as f64 * 2.5),
            ),
            Content::Owner,
            Content::Children(
                (0..(row + at) % 3)
                    .map(|n| Record {
                        row: (row * 4 + at) * 2 + n,
                        fields: vec![value(text_value(["ball", "rope"][n as usize]))],
                    })
                    .collect(),
            ),
        ],
    };
    Record {
        row,
        fields: vec![
            value(uuid(row)),
            value(text_value(name)),
            value(Value::Int((i * 37 + generation as i64) % 91)),
            opt(
                !mix.is_multiple_of(3),
                Value::Text(if mix % 7 == 1 {
                    String::new()
                } else {
                    format!("u{row}")
                }),
            ),
            value(Value::Timestamp(1_700_000_000_000 + i * 1000)),
            value(Value::Bool(mix.is_multiple_of(2))),
            opt(mix % 4 != 1, Value::Float(i as f64 / 7.0)),
            texts(&["red", "blue", "grün", "red"][..(mix % 5) as usize]),
            opt(
                mix % 5 != 2,
                Value::List((0..mix % 4).map(|n| Value::Int(n as i64 - 1)).collect()),
            ),
            value(Value::Json(format!(
                r#"{{"sensor":{{"heat":{}.5}},"a":{}}}"#,
                row % 50,
                ["true", "null", "\"x\"", "12", "1.25", "{\"b\":1}"][mix as usize % 6]
            ))),
            value(text_value(if mix.is_multiple_of(3) {
                "staff"
            } else {
                "guest"
            })),
            opt(
                mix % 2 == 1,
                Value::Blob(vec![row as u8; (mix % 6) as usize]),
            ),
            Content::Link((mix % 4 != 3).then(|| {
                let row = mix % 3;
                Target {
                    row,
                    key: Some(Value::Int(row as i64 * 10 - 3)),
                }
            })),
            Content::Children(vec![Record {
                row,
                fields: vec![
                    value(text_value(&format!("bio {}", row % 4))),
                    Content::Owner,
                ],
            }]),
            Content::Children((0..row % 4).map(pet).collect()),
            Content::Links((0..row % 5).map(plain).collect()),
            Content::Link((row % 3 == 1).then(|| Target {
                row: row / 2,
                key: Some(uuid(row / 2)),
            })),
        ],
    }
}

/// Every model's records that persons point to.
pub fn others() -> Vec<(ModelId, Vec<Record>)> {
    let named = |row: u64, name: &str| Record {
        row,
        fields: vec![value(text_value(name))],
    };
    let club = |row: u64| Record {
        row,
        fields: vec![
            value(Value::Int(row as i64 * 10 - 3)),
            value(text_value(&format!("club {row}"))),
            Content::Link(Some(plain(row % 2))),
        ],
    };
    vec![
        (CITY, vec![named(0, "Ulm"), named(1, "Bonn")]),
        (CLUB, (0..3).map(club).collect()),
        (
            COURSE,
            ["Maths", "Art", "maths", "Law"]
                .iter()
                .zip(0..)
                .map(|(n, r)| named(r, n))
                .collect(),
        ),
    ]
}

/// The rows that a request delivers, and its count.
#[derive(Default)]
pub struct Rows(pub Vec<Vec<Value>>);

impl Sink for Rows {
    fn row(&mut self, values: &[ValueRef<'_>]) {
        self.0.push(values.iter().map(ValueRef::to_value).collect());
    }
}

/// Opens a store of an engine and fills it.
pub fn filled(
    engine: &dyn Engine,
    directory: &std::path::Path,
    schema: &Schema,
    options: &Options,
    persons: u64,
) -> Box<dyn Session> {
    let hooks = hooks();
    let setting = Setting {
        schema,
        hooks: &hooks,
        options,
    };
    let mut session = engine
        .open(directory, &setting, Rc::new(Hooks))
        .expect("open");
    session.begin().expect("begin");
    for (model, records) in others() {
        session.insert(model, &records).expect("insert");
    }
    let all: Vec<Record> = (0..persons).map(|row| person(row, 0)).collect();
    session.insert(PERSON, &all).expect("insert");
    session.commit().expect("commit");
    session
}

/// The oracle and SQLite over the same records.
pub struct Pair {
    pub memory: Box<dyn Session>,
    pub sqlite: Box<dyn Session>,
    _directory: tempfile::TempDir,
}

pub type Answered = Result<(u64, Vec<Vec<Value>>), EngineError>;

impl Pair {
    pub fn new(schema: &Schema, options: &Options, persons: u64) -> Pair {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path();
        Pair {
            memory: filled(&MemoryEngine, path, schema, &Options::new(), persons),
            sqlite: filled(&Sqlite, path, schema, options, persons),
            _directory: directory,
        }
    }

    /// Asks both; `ordered` keeps the order of rows.
    pub fn ask(&mut self, request: &Request, arguments: &[Value], ordered: bool) -> [Answered; 2] {
        [&mut self.memory, &mut self.sqlite]
            .map(|session| ask(&mut **session, request, arguments, ordered))
    }

    /// Asks both and holds the answers against each other.
    pub fn agree(&mut self, label: &str, request: &Request, arguments: &[Value], ordered: bool) {
        let [expected, got] = self.ask(request, arguments, ordered);
        match (expected, got) {
            (Ok(expected), Ok(got)) => assert_eq!(got, expected, "{label}: {request:?}"),
            (Err(expected), Err(got)) => assert_eq!(got.kind, expected.kind, "{label}"),
            (expected, got) => panic!("{label}: memory {expected:?}\nsqlite {got:?}\n{request:?}"),
        }
    }
}

pub fn ask(
    session: &mut dyn Session,
    request: &Request,
    arguments: &[Value],
    ordered: bool,
) -> Answered {
    let prepared = session.prepare(request)?;
    let mut rows = Rows::default();
    let count = session.execute(prepared, arguments, &mut rows);
    session.release(prepared);
    let mut rows = rows.0;
    for row in &mut rows {
        for value in row {
            if let Value::List(items) = value {
                items.sort_by(crate::workload::compare::compare_values);
            }
        }
    }
    if !ordered {
        rows.sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    }
    Ok((count?, rows))
}
