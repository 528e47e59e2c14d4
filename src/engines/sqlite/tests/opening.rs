//! Options take, are read back, and survive a reopening.

use std::rc::Rc;

use super::data::*;
use super::fixture::*;
use super::oracle::same_state;
use crate::base::Value;
use crate::engines::sqlite::Sqlite;
use crate::engines::{Engine, ErrorKind, Maintenance, OptionKind, Options, Setting};
use crate::plan::{CompareOp, Request, Select, UpdateBy};

fn pragma(directory: &std::path::Path, name: &str) -> String {
    let connection = rusqlite::Connection::open(directory.join("store.sqlite")).unwrap();
    connection
        .query_row(&format!("PRAGMA {name}"), [], |r| {
            r.get::<_, rusqlite::types::Value>(0)
        })
        .map(|v| format!("{v:?}"))
        .unwrap()
}

/// Every value of every symbol, and some numbers.
fn each_option() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for option in Sqlite.options() {
        let values: Vec<Value> = match option.kind {
            OptionKind::Symbol(symbols) => {
                symbols.iter().map(|s| Value::Text((*s).into())).collect()
            }
            OptionKind::Int { .. } if option.name == "cache_size" => {
                vec![Value::Int(-64), Value::Int(50)]
            }
            OptionKind::Int { low, .. } => vec![Value::Int(low), Value::Int(10)],
            OptionKind::Size { low, .. } => vec![Value::Int(low), Value::Int(8192)],
            OptionKind::Duration => vec![Value::Int(0), Value::Int(2_000_000_000)],
            OptionKind::Bool => vec![Value::Bool(true)],
        };
        all.extend(values.into_iter().map(|v| (option.name.to_owned(), v)));
    }
    all
}

#[test]
fn each_option_takes_and_the_store_works() {
    let schema = schema();
    let hooks = hooks();
    for (name, value) in each_option() {
        let options: Options = [(name.clone(), value.clone())].into();
        let directory = tempfile::tempdir().unwrap();
        let session = filled(&Sqlite, directory.path(), &schema, &options, 12);
        session
            .close()
            .unwrap_or_else(|e| panic!("{name} {value:?}: {e}"));
        let setting = Setting {
            schema: &schema,
            hooks: &hooks,
            options: &options,
        };
        let mut session = Sqlite
            .open(directory.path(), &setting, Rc::new(Hooks))
            .unwrap();
        let count = Request::Count {
            model: PERSON,
            select: Select::All,
        };
        assert_eq!(
            ask(&mut *session, &count, &[], false).unwrap().0,
            12,
            "{name} {value:?}"
        );
        let delete = Request::Delete {
            model: PERSON,
            select: Select::All,
        };
        assert_eq!(
            ask(&mut *session, &delete, &[], false).unwrap().0,
            12,
            "{name} {value:?}"
        );
        session.maintain(Maintenance::Compact).unwrap();
        session.maintain(Maintenance::Checkpoint).unwrap();
        session.close().unwrap();
    }
}

#[test]
fn answers_are_the_oracles_under_each_option() {
    let schema = schema();
    let adults = Select::Where(compare(CompareOp::Greater, path(PERSON, "age"), int(17)));
    for (name, value) in each_option() {
        let options: Options = [(name.clone(), value.clone())].into();
        let mut pair = Pair::new(&schema, &options, 12);
        let label = format!("{name} {value:?}");
        let set = vec![(1, text("Wendy"))];
        let update = Request::Update {
            model: PERSON,
            select: adults.clone(),
            set,
            by: UpdateBy::Idiom,
        };
        let delete = Request::Delete {
            model: CLUB,
            select: Select::All,
        };
        same_state(&mut pair, &label);
        pair.agree(&label, &update, &[], false);
        same_state(&mut pair, &label);
        pair.sqlite.maintain(Maintenance::Compact).unwrap();
        pair.agree(&label, &delete, &[], false);
        same_state(&mut pair, &label);
    }
}

#[test]
fn what_lives_in_the_file_is_in_the_file() {
    let schema = schema();
    let directory = tempfile::tempdir().unwrap();
    let options: Options = [
        ("page_size".to_owned(), Value::Int(1024)),
        ("auto_vacuum".to_owned(), Value::Text("incremental".into())),
        ("journal_mode".to_owned(), Value::Text("wal".into())),
    ]
    .into();
    filled(&Sqlite, directory.path(), &schema, &options, 3)
        .close()
        .unwrap();
    assert_eq!(pragma(directory.path(), "page_size"), "Integer(1024)");
    assert_eq!(pragma(directory.path(), "auto_vacuum"), "Integer(2)");
    assert_eq!(pragma(directory.path(), "journal_mode"), "Text(\"wal\")");
}

#[test]
fn what_does_not_take_is_an_error() {
    let schema = schema();
    let directory = tempfile::tempdir().unwrap();
    for (name, value) in [
        ("page_size", Value::Int(1000)),
        ("journal_mode", Value::Text("paper".into())),
        ("synchronous", Value::Text("often".into())),
        ("colour", Value::Text("red".into())),
        ("cache_size", Value::Text("big".into())),
    ] {
        let options: Options = [(name.to_owned(), value)].into();
        let setting = Setting {
            schema: &schema,
            hooks: &[],
            options: &options,
        };
        let error = Sqlite
            .open(directory.path(), &setting, Rc::new(Hooks))
            .err()
            .expect(name);
        assert_eq!(error.kind, ErrorKind::Unsupported, "{name}: {error}");
    }
}

#[test]
fn defaults_are_sqlites_own() {
    let directory = tempfile::tempdir().unwrap();
    filled(&Sqlite, directory.path(), &schema(), &Options::new(), 3)
        .close()
        .unwrap();
    assert_eq!(pragma(directory.path(), "page_size"), "Integer(4096)");
    assert_eq!(pragma(directory.path(), "journal_mode"), "Text(\"delete\")");
}

#[test]
fn all_indexes_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(&Sqlite, directory.path(), &schema(), &Options::new(), 1);
    insta::assert_snapshot!(session.indexes().unwrap().join("\n"));
}
