//! Room as a whole: its statements, its windows, its two connections.

use super::{Room, ddl, plan};
use crate::base::Value;
use crate::engines::memory::MemoryEngine;
use crate::engines::sqlite::tests::data::{Hooks, Rows, ask, filled, person};
use crate::engines::sqlite::tests::fixture::*;
use crate::engines::{Engine, ErrorKind, Options, Session, Setting};
use crate::plan::*;
use crate::workload::NoSink;

/// Wide enough that 16 KiB hold a few dozen.
const PERSONS: u64 = 1_500;
const WHOLE: &[&str] = &[
    "id",
    "name",
    "age",
    "tags",
    "marks",
    "meta",
    "photo",
    "club.name",
    "profile.bio",
    "pets.name",
    "pets.owner.id",
    "courses.title",
];

fn options(pairs: &[(&str, Value)]) -> Options {
    let own = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
    pairs.iter().map(own).collect()
}

fn word(value: &str) -> Value {
    Value::Text(value.into())
}

fn words(options: &Options, request: &Request) -> String {
    let (schema, hooks) = (schema(), hooks());
    let setting = Setting {
        schema: &schema,
        hooks: &hooks,
        options,
    };
    let native = Room.explain(&setting, request).unwrap();
    let part = |label, part: Option<String>| match part {
        Some(part) => format!("\n-- {label}: {}", part.replace('\n', " / ")),
        None => String::new(),
    };
    format!(
        "{}{}{}",
        native.text,
        part("access", native.access),
        part("above", native.above)
    )
}

fn update(by: UpdateBy) -> Request {
    Request::Update {
        model: PERSON,
        select: Select::Where(equal(path(PERSON, "club.name"), text("Chess"))),
        set: vec![(
            at(PERSON, "age").hops[0],
            arith(ArithOp::Add, path(PERSON, "age"), int(1)),
        )],
        by,
    }
}

#[test]
fn tables_as_room_writes_them() {
    let schema = schema();
    insta::assert_snapshot!(ddl::statements(&schema, &plan::layout(&schema)).join(";\n"));
}

#[test]
fn statements_of_daos() {
    let read = |columns: &[&str]| Request::Read(query(PERSON, Select::Point(0), columns));
    let delete = Request::Delete {
        model: PERSON,
        select: Select::Point(0),
    };
    let columns = options(&[("rows", word("columns"))]);
    let all: Vec<String> = [
        ("whole entities", Options::new(), read(&["name"])),
        ("only columns", columns, read(&["name"])),
        ("nothing touched", Options::new(), read(&[])),
        (
            "relations",
            Options::new(),
            read(&["name", "tags", "pets.name", "courses.title"]),
        ),
        ("update", Options::new(), update(UpdateBy::Idiom)),
        ("update by object", Options::new(), update(UpdateBy::Object)),
        ("delete", Options::new(), delete),
    ]
    .iter()
    .map(|(label, options, request)| format!("# {label}\n{}", words(options, request)))
    .collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

/// Results of many windows, with and without relations, are the oracle's.
#[test]
fn many_windows_deliver_what_one_would() {
    let directory = tempfile::tempdir().unwrap();
    let schema = schema();
    let small = options(&[("cursor_window", Value::Int(16 << 10))]);
    let mut memory = filled(
        &MemoryEngine,
        directory.path(),
        &schema,
        &Options::new(),
        PERSONS,
    );
    let mut room = filled(&Room, directory.path(), &schema, &small, PERSONS);
    for columns in [&["name", "photo"][..], WHOLE] {
        let mut query = query(PERSON, Select::All, columns);
        query.order = vec![OrderKey {
            path: at(PERSON, "id"),
            descending: true,
        }];
        let request = Request::Read(query);
        let expected = ask(&mut *memory, &request, &[], true).unwrap();
        let got = ask(&mut *room, &request, &[], true).unwrap();
        assert_eq!(got.0, PERSONS);
        assert!(got == expected, "{columns:?} differ");
    }
    room.close().unwrap();
}

#[test]
fn objects_built_ahead_are_stored_like_records() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let schema = schema();
    let mut direct = filled(&Room, one.path(), &schema, &Options::new(), 40);
    let mut ahead = filled(&Room, other.path(), &schema, &Options::new(), 0);
    let records: Vec<_> = (0..40).map(|row| person(row, 0)).collect();
    ahead.instantiate(PERSON, &records).unwrap();
    ahead.begin().unwrap();
    ahead.insert_instantiated(PERSON, 30).unwrap();
    ahead.insert_instantiated(PERSON, 10).unwrap();
    ahead.commit().unwrap();
    assert!(ahead.insert_instantiated(PERSON, 1).is_err());
    let request = Request::Read(query(PERSON, Select::All, WHOLE));
    let [a, b] = [&mut direct, &mut ahead].map(|s| ask(&mut **s, &request, &[], false).unwrap());
    assert_eq!(a, b);
}

/// The reader sees what is committed, the primary what is not yet.
#[test]
fn reads_inside_and_outside_a_transaction() {
    let directory = tempfile::tempdir().unwrap();
    let schema = schema();
    for journal in ["write_ahead_logging", "truncate"] {
        let path = directory.path().join(journal);
        std::fs::create_dir(&path).unwrap();
        let journal = options(&[("journal_mode", word(journal))]);
        let mut room = filled(&Room, &path, &schema, &journal, 10);
        let count = room
            .prepare(&Request::Count {
                model: PERSON,
                select: Select::All,
            })
            .unwrap();
        let counted =
            |room: &mut Box<dyn Session>| room.execute(count, &[], &mut Rows::default()).unwrap();
        assert_eq!(counted(&mut room), 10);
        room.begin().unwrap();
        room.insert(PERSON, &[person(10, 0)]).unwrap();
        assert_eq!(counted(&mut room), 11);
        room.rollback().unwrap();
        assert_eq!(counted(&mut room), 10);
        room.insert(PERSON, &[person(10, 0)]).unwrap();
        assert_eq!(counted(&mut room), 11);
        room.close().unwrap();
    }
}

#[test]
fn a_file_of_another_schema_is_not_opened() {
    let directory = tempfile::tempdir().unwrap();
    let (one, hooks) = (schema(), hooks());
    filled(&Room, directory.path(), &one, &Options::new(), 1)
        .close()
        .unwrap();
    let mut other = schema();
    other.models[PERSON].fields[1].name = "title".into();
    let setting = Setting {
        schema: &other,
        hooks: &hooks,
        options: &Options::new(),
    };
    let runner = std::rc::Rc::new(Hooks);
    let error = Room.open(directory.path(), &setting, runner).err().unwrap();
    assert_eq!(error.kind, ErrorKind::Corrupt);
}

/// Deletes give pages back by themselves, as the platform's SQLite is built.
#[test]
fn the_file_shrinks_with_its_records() {
    let directory = tempfile::tempdir().unwrap();
    let mut room = filled(&Room, directory.path(), &schema(), &Options::new(), 500);
    let size = |room: &mut Box<dyn Session>| {
        room.maintain(crate::engines::Maintenance::Checkpoint)
            .unwrap();
        std::fs::metadata(directory.path().join(super::database::FILE))
            .unwrap()
            .len()
    };
    let before = size(&mut room);
    let delete = Request::Delete {
        model: PERSON,
        select: Select::All,
    };
    let delete = room.prepare(&delete).unwrap();
    assert_eq!(room.execute(delete, &[], &mut NoSink).unwrap(), 500);
    assert!(size(&mut room) < before / 2);
}
