//! The oracle itself, against answers worked out by hand.

mod schema;

use std::path::Path;
use std::rc::Rc;

use persist_lab::base::Value;
use persist_lab::engines::memory::MemoryEngine;
use persist_lab::engines::{Engine, EngineError, ErrorKind, Options, Session, Setting};
use persist_lab::plan::{
    Aggregate, ArithOp, CompareOp, Expr, FieldKind, Ownership, Quantifier, Request, Scalar, Schema,
    Select, TextOp,
};
use persist_lab::workload::{Content, NoHooks, Record, Target};
use schema::ask::*;
use schema::*;

const TOWN: usize = 0;
const PERSON: usize = 1;
const PET: usize = 2;

const ID: usize = 0;
const NAME: usize = 1;
const AGE: usize = 2;
const HOME: usize = 3;
const TAGS: usize = 4;
const PETS: usize = 5;

fn people() -> Schema {
    let mut models = Models::default();
    models.add(
        "Town",
        Some(0),
        vec![
            scalar("name", Scalar::Text, null()),
            optional("size", Scalar::Float, null()),
        ],
    );
    models.add(
        "Person",
        Some(ID),
        vec![
            scalar("id", Scalar::Int, null()),
            optional("name", Scalar::Text, null()),
            optional("age", Scalar::Int, null()),
            declared("home", to_one(TOWN, Ownership::Linked, false), true, None),
            declared("tags", FieldKind::List(Scalar::Text), false, None),
            declared(
                "pets",
                to_many(PET, Ownership::Owned { max: 3 }, true, Some(1)),
                false,
                None,
            ),
        ],
    );
    models.add(
        "Pet",
        None,
        vec![
            scalar("kind", Scalar::Text, null()),
            back_link("owner", PERSON, PETS, false),
        ],
    );
    models.index(PERSON, &[(NAME, false)], true);
    models.schema
}

fn value(text: &str) -> Content {
    Content::Value(Value::Text(text.into()))
}

fn int_or_null(value: Option<i64>) -> Content {
    Content::Value(value.map_or(Value::Null, Value::Int))
}

fn town(row: u64, name: &str) -> Record {
    Record {
        row,
        fields: vec![value(name), Content::Value(Value::Float(row as f64))],
    }
}

fn person(
    row: u64,
    name: Option<&str>,
    age: Option<i64>,
    home: Option<u64>,
    tags: &[&str],
    pets: &[&str],
) -> Record {
    let pet = |(at, kind): (usize, &&str)| Record {
        row: row * 3 + at as u64,
        fields: vec![value(kind), Content::Owner],
    };
    Record {
        row,
        fields: vec![
            Content::Value(Value::Int(row as i64)),
            name.map_or(Content::Value(Value::Null), value),
            int_or_null(age),
            Content::Link(home.map(|row| Target { row, key: None })),
            Content::Value(Value::List(
                tags.iter().map(|t| Value::Text(t.to_string())).collect(),
            )),
            Content::Children(pets.iter().enumerate().map(pet).collect()),
        ],
    }
}

fn opened() -> Box<dyn Session> {
    let schema = people();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &Options::new(),
    };
    let mut session = MemoryEngine
        .open(Path::new(""), &setting, Rc::new(NoHooks))
        .expect("a store");
    session
        .insert(TOWN, &[town(0, "Aa"), town(1, "Bb")])
        .expect("towns");
    session
        .insert(
            PERSON,
            &[
                person(
                    0,
                    Some("Ann"),
                    Some(30),
                    Some(0),
                    &["x", "y"],
                    &["cat", "dog"],
                ),
                person(1, None, None, None, &[], &[]),
                person(2, Some("ann"), Some(10), Some(1), &["x"], &["cat"]),
            ],
        )
        .expect("people");
    session
}

fn ids(session: &mut dyn Session, predicate: Expr) -> Vec<i64> {
    let read = query(PERSON, Select::Where(predicate), columns(&[&[ID]]));
    let (count, rows) = ask(session, &Request::Read(read), &[]).expect("an answer");
    assert_eq!(count as usize, rows.len());
    ints(&rows)
}

fn ints(rows: &[Vec<Value>]) -> Vec<i64> {
    rows.iter()
        .map(|row| match row[0] {
            Value::Int(int) => int,
            ref other => panic!("{other:?}"),
        })
        .collect()
}

fn texts(texts: &[&str]) -> Value {
    Value::List(texts.iter().map(|t| Value::Text(t.to_string())).collect())
}

#[test]
fn nulls_mean_what_the_language_says() {
    let s = &mut *opened();
    let age = || at(&[AGE]);
    assert_eq!(ids(s, compare(CompareOp::Less, age(), int(20))), [2]);
    assert_eq!(ids(s, compare(CompareOp::NotEqual, age(), int(30))), [1, 2]);
    assert_eq!(
        ids(s, not(compare(CompareOp::Less, age(), int(20)))),
        [0, 1]
    );
    assert_eq!(ids(s, equal(age(), age())), [0, 2]);
    assert_eq!(
        ids(s, compare(CompareOp::NotEqual, age(), age())),
        [0i64; 0]
    );
    assert_eq!(ids(s, is_null(age())), [1]);
    assert_eq!(ids(s, is_null(at(&[HOME]))), [1]);
    assert_eq!(ids(s, is_null(at(&[HOME, 0]))), [1]);
    assert_eq!(ids(s, within(age(), int(10), int(30))), [0, 2]);
    assert_eq!(
        ids(s, equal(arith(ArithOp::Divide, age(), int(0)), int(0))),
        [0i64; 0]
    );
}

#[test]
fn texts_paths_and_links() {
    let s = &mut *opened();
    let name = || at(&[NAME]);
    assert_eq!(ids(s, equal(name(), text("Ann"))), [0]);
    assert_eq!(
        ids(s, compare_case(CompareOp::Equal, name(), text("ANN"), true)),
        [0, 2]
    );
    assert_eq!(
        ids(s, matching(TextOp::Like, name(), text("_nn"), false)),
        [0, 2]
    );
    assert_eq!(
        ids(
            s,
            not(matching(TextOp::StartsWith, name(), text("A"), false))
        ),
        [1, 2]
    );
    assert_eq!(ids(s, equal(at(&[HOME, 0]), text("Aa"))), [0]);
    let kind = || equal(at(&[0]), text("cat"));
    assert_eq!(ids(s, quantified(Quantifier::Any, &[PETS], kind())), [0, 2]);
    assert_eq!(ids(s, quantified(Quantifier::All, &[PETS], kind())), [1, 2]);
    assert_eq!(ids(s, quantified(Quantifier::None, &[PETS], kind())), [1]);
    assert_eq!(ids(s, equal(count_of(&[PETS], None), int(2))), [0]);
    assert_eq!(
        ids(s, equal(count_of(&[PETS], Some(kind())), int(1))),
        [0, 2]
    );
    assert_eq!(ids(s, Expr::IsEmpty(here(&[TAGS]))), [1]);
    let y = equal(Expr::It, text("y"));
    assert_eq!(ids(s, quantified(Quantifier::Any, &[TAGS], y)), [0]);
    // Backwards: pets of those in Aa.
    let backwards = Select::Where(equal(at(&[1, HOME, 0]), text("Aa")));
    let count = Request::Count {
        model: PET,
        select: backwards,
    };
    assert_eq!(ask(s, &count, &[]).expect("a count").0, 2);
}

#[test]
fn order_limit_and_columns() {
    let s = &mut *opened();
    let mut read = query(
        PERSON,
        Select::All,
        columns(&[&[ID], &[HOME, 0], &[PETS, 0], &[TAGS]]),
    );
    read.order = vec![order(&[AGE], false)];
    let (_, rows) = ask(s, &Request::Read(read.clone()), &[]).expect("rows");
    assert_eq!(ints(&rows), [1, 2, 0], "null first");
    assert_eq!(rows[0][1..], [Value::Null, texts(&[]), texts(&[])]);
    assert_eq!(
        rows[2][1..],
        [
            Value::Text("Aa".into()),
            texts(&["cat", "dog"]),
            texts(&["x", "y"])
        ]
    );
    read.order = vec![order(&[AGE], true)];
    let (_, rows) = ask(s, &Request::Read(read.clone()), &[]).expect("rows");
    assert_eq!(ints(&rows), [0, 2, 1], "null last");
    (read.offset, read.limit) = (1, Some(1));
    let (count, rows) = ask(s, &Request::Read(read.clone()), &[]).expect("rows");
    assert_eq!((count, ints(&rows)), (1, vec![2]));
    read.offset = 9;
    assert_eq!(ask(s, &Request::Read(read), &[]).expect("rows").0, 0);
}

#[test]
fn aggregates_and_groups() {
    let s = &mut *opened();
    let all = || query(PERSON, Select::All, Vec::new());
    let mut value = |function, of| {
        let (count, rows) = ask(s, &aggregate(all(), function, of), &[]).expect("a value");
        assert_eq!(count, 3);
        rows[0][0].clone()
    };
    assert_eq!(value(Aggregate::Sum, at(&[AGE])), Value::Int(40));
    assert_eq!(value(Aggregate::Average, at(&[AGE])), Value::Float(20.0));
    assert_eq!(
        value(Aggregate::Min, at(&[NAME])),
        Value::Text("Ann".into())
    );
    assert_eq!(value(Aggregate::Max, at(&[HOME, 1])), Value::Float(1.0));
    let per = Request::CountPer {
        model: PET,
        select: Select::All,
        per: here(&[0]),
    };
    let (count, rows) = ask(s, &per, &[]).expect("groups");
    assert_eq!(count, 2);
    assert_eq!(
        rows,
        [
            vec![Value::Text("cat".into()), Value::Int(2)],
            vec![Value::Text("dog".into()), Value::Int(1)],
        ]
    );
    let huge = arith(ArithOp::Multiply, at(&[AGE]), int(i64::MAX / 2));
    let error = ask(s, &aggregate(all(), Aggregate::Sum, huge), &[]).expect_err("too large");
    assert_eq!(error.kind, ErrorKind::Overflow);
}

#[test]
fn points_follow_every_change() {
    let s = &mut *opened();
    let by_age = Request::Read(query(PERSON, Select::Point(AGE), columns(&[&[ID]])));
    let prepared = s.prepare(&by_age).expect("prepared");
    let found = |s: &mut dyn Session, age| {
        let mut sink = persist_lab::workload::CollectSink::default();
        s.execute(prepared, &[Value::Int(age)], &mut sink)
            .expect("rows");
        ints(&sink.rows)
    };
    assert_eq!(found(s, 30), [0]);
    let older = arith(ArithOp::Add, at(&[AGE]), int(20));
    assert_eq!(
        change(
            s,
            &update(PERSON, Select::Point(ID), vec![(AGE, older)]),
            &[Value::Int(2)]
        ),
        Ok(1)
    );
    assert_eq!(found(s, 30), [0, 2]);
    assert_eq!(found(s, 10), [0i64; 0]);
    s.begin().expect("begun");
    change(s, &delete(PERSON, Select::Point(ID)), &[Value::Int(0)]).expect("deleted");
    assert_eq!(found(s, 30), [2]);
    s.rollback().expect("undone");
    assert_eq!(found(s, 30), [0, 2]);
}

#[test]
fn updates_read_old_values_and_keep_the_rules() {
    let s = &mut *opened();
    // Swapped names pass through no state in which two are equal.
    let other = either(equal(at(&[ID]), int(0)), text("ann"), text("Ann"));
    let named = Select::Where(not(is_null(at(&[NAME]))));
    assert_eq!(
        change(s, &update(PERSON, named.clone(), vec![(NAME, other)]), &[]),
        Ok(2)
    );
    assert_eq!(ids(s, equal(at(&[NAME]), text("ann"))), [0]);
    let same = update(
        PERSON,
        named.clone(),
        vec![(NAME, text("both")), (AGE, int(1))],
    );
    assert_eq!(refused(change(s, &same, &[])), ErrorKind::Constraint);
    assert_eq!(
        ids(s, equal(at(&[AGE]), int(1))),
        [0i64; 0],
        "the statement is undone"
    );
    let nameless = update(TOWN, Select::All, vec![(0, null())]);
    assert_eq!(refused(change(s, &nameless, &[])), ErrorKind::Constraint);
    let huge = update(
        PERSON,
        Select::All,
        vec![(AGE, arith(ArithOp::Add, at(&[AGE]), int(i64::MAX)))],
    );
    assert_eq!(refused(change(s, &huge, &[])), ErrorKind::Overflow);
    let widened = update(TOWN, Select::All, vec![(1, int(7))]);
    assert_eq!(change(s, &widened, &[]), Ok(2));
    let read = Request::Read(query(TOWN, Select::All, columns(&[&[1]])));
    assert_eq!(ask(s, &read, &[]).expect("rows").1[0], [Value::Float(7.0)]);
}

fn refused<T: std::fmt::Debug>(result: Result<T, EngineError>) -> ErrorKind {
    result.expect_err("refused").kind
}

#[test]
fn deletes_cascade_and_unlink() {
    let s = &mut *opened();
    let pets = Request::Count {
        model: PET,
        select: Select::All,
    };
    assert_eq!(
        change(
            s,
            &delete(TOWN, Select::Point(0)),
            &[Value::Text("Aa".into())]
        ),
        Ok(1)
    );
    assert_eq!(ids(s, is_null(at(&[HOME]))), [0, 1]);
    let dog = Select::Where(equal(at(&[0]), text("dog")));
    assert_eq!(change(s, &delete(PET, dog), &[]), Ok(1));
    assert_eq!(ids(s, equal(count_of(&[PETS], None), int(1))), [0, 2]);
    assert_eq!(
        change(s, &delete(PERSON, Select::Identity), &[Value::Int(0)]),
        Ok(1)
    );
    assert_eq!(ask(s, &pets, &[]).expect("a count").0, 1);
    s.begin().expect("begun");
    assert_eq!(change(s, &delete(PERSON, Select::All), &[]), Ok(2));
    assert_eq!(ask(s, &pets, &[]).expect("a count").0, 0);
    s.rollback().expect("undone");
    assert_eq!(ask(s, &pets, &[]).expect("a count").0, 1);
    assert_eq!(ids(s, equal(at(&[HOME, 0]), text("Bb"))), [2]);
}

#[test]
fn inserts_and_upserts_are_whole_or_not_at_all() {
    let s = &mut *opened();
    let batch = [
        person(3, Some("new"), None, None, &[], &["cat"]),
        person(4, Some("Ann"), None, None, &[], &[]),
    ];
    assert_eq!(
        refused(s.insert(PERSON, &batch)),
        ErrorKind::Constraint,
        "the name is taken"
    );
    assert_eq!(ids(s, Expr::And(Vec::new())), [0, 1, 2]);
    let nowhere = [person(3, None, None, Some(9), &[], &[])];
    assert_eq!(refused(s.insert(PERSON, &nowhere)), ErrorKind::Constraint);
    let mut again = town(0, "Aa");
    again.fields[1] = Content::Value(Value::Float(50.0));
    s.upsert(TOWN, &[again, town(2, "Cc")]).expect("stored");
    let read = Request::Read(query(TOWN, Select::All, columns(&[&[0], &[1]])));
    assert_eq!(
        ask(s, &read, &[]).expect("rows").1,
        [
            vec![Value::Text("Aa".into()), Value::Float(50.0)],
            vec![Value::Text("Bb".into()), Value::Float(1.0)],
            vec![Value::Text("Cc".into()), Value::Float(2.0)],
        ]
    );
    assert_eq!(
        ids(s, equal(at(&[HOME, 1]), float(50.0))),
        [0],
        "links stay"
    );
    assert_eq!(refused(s.commit()), ErrorKind::Other);
}
