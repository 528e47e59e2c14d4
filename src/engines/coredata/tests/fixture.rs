//! Students with a school, grades and clubs.

use std::path::Path as FilePath;
use std::rc::Rc;

use crate::base::Value;
use crate::engines::coredata::options::{OPTIONS, settings};
use crate::engines::coredata::session::CoreDataSession;
use crate::engines::{Options, Session, Setting};
use crate::plan::schema::{FieldKind, ModelId};
use crate::plan::*;
use crate::workload::{CollectSink, Content, NoHooks, Record, Target};

pub const STUDENT: ModelId = 0;
pub const SCHOOL: ModelId = 1;
pub const GRADE: ModelId = 2;
pub const CLUB: ModelId = 3;
/// Related to nothing.
pub const VISIT: ModelId = 4;

/// Fields of `Student`.
pub const NAME: usize = 1;
pub const AGE: usize = 2;
pub const OF_SCHOOL: usize = 4;
pub const GRADES: usize = 5;
pub const CLUBS: usize = 6;

fn field(name: &str, kind: FieldKind, optional: bool) -> Field {
    Field {
        name: name.into(),
        kind,
        optional,
    }
}

fn scalar(name: &str, scalar: Scalar) -> Field {
    field(name, FieldKind::Scalar(scalar), false)
}

fn to_many(target: ModelId, ownership: Ownership, inverse: Option<usize>) -> FieldKind {
    FieldKind::ToMany {
        target,
        cascade: matches!(ownership, Ownership::Owned { .. }),
        ownership,
        inverse,
    }
}

fn to_one(target: ModelId, ownership: Ownership, inverse_of: Option<usize>) -> FieldKind {
    FieldKind::ToOne {
        target,
        ownership,
        cascade: false,
        inverse_of,
    }
}

fn model(name: &str, key: Option<usize>, fields: Vec<Field>) -> Model {
    Model {
        name: name.into(),
        fields,
        key,
        indexes: Vec::new(),
    }
}

pub fn schema() -> Schema {
    let student = model(
        "Student",
        Some(0),
        vec![
            scalar("id", Scalar::Int),
            scalar("first_name", Scalar::Text),
            scalar("age", Scalar::Int),
            field("tags", FieldKind::List(Scalar::Text), false),
            field(
                "school",
                to_one(SCHOOL, Ownership::Shared { pool: 2 }, None),
                true,
            ),
            field(
                "grades",
                to_many(GRADE, Ownership::Owned { max: 2 }, Some(1)),
                false,
            ),
            field("clubs", to_many(CLUB, Ownership::Linked, None), false),
        ],
    );
    let school = model("School", None, vec![scalar("name", Scalar::Text)]);
    let grade = model(
        "Grade",
        None,
        vec![
            scalar("mark", Scalar::Int),
            field(
                "student",
                to_one(STUDENT, Ownership::Linked, Some(GRADES)),
                false,
            ),
        ],
    );
    let club = model("Club", None, vec![scalar("name", Scalar::Text)]);
    let visit = model("Visit", None, vec![scalar("place", Scalar::Text)]);
    Schema {
        models: vec![student, school, grade, club, visit],
    }
}

fn text(value: String) -> Content {
    Content::Value(Value::Text(value))
}

pub fn named(row: u64) -> Record {
    Record {
        row,
        fields: vec![text(format!("name {row}"))],
    }
}

/// A student with two grades, one of two schools and one of three clubs.
pub fn student(row: u64) -> Record {
    let to = |row| Target { row, key: None };
    let grade = |at: u64| Record {
        row: row * 2 + at,
        fields: vec![Content::Value(Value::Int(at as i64)), Content::Owner],
    };
    Record {
        row,
        fields: vec![
            Content::Value(Value::Int(row as i64 * 10)),
            text(format!("name {row}")),
            Content::Value(Value::Int(row as i64 % 5)),
            Content::Value(Value::List(vec![Value::Text("tag".into())])),
            Content::Link(Some(to(row % 2))),
            Content::Children(vec![grade(0), grade(1)]),
            Content::Links(vec![to(row % 3)]),
        ],
    }
}

pub fn students(rows: std::ops::Range<u64>) -> Vec<Record> {
    rows.map(student).collect()
}

/// An open store in `directory`.
pub fn open(directory: &FilePath, options: &[(&str, Value)]) -> CoreDataSession {
    let schema = schema();
    let options: Options = options
        .iter()
        .map(|(name, value)| ((*name).into(), value.clone()))
        .collect();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    let settings = settings(&options, OPTIONS).unwrap();
    CoreDataSession::open(directory, &setting, settings, Rc::new(NoHooks), |_| None).unwrap()
}

/// With schools, clubs and so many students.
pub fn filled(directory: &FilePath, options: &[(&str, Value)], students: u64) -> CoreDataSession {
    let mut session = open(directory, options);
    session.insert(SCHOOL, &[named(0), named(1)]).unwrap();
    session
        .insert(CLUB, &[named(0), named(1), named(2)])
        .unwrap();
    session
        .insert(STUDENT, &self::students(0..students))
        .unwrap();
    session
}

pub fn path(hops: &[usize]) -> Path {
    Path {
        hops: hops.to_vec(),
        json: Vec::new(),
        text: "path".into(),
    }
}

pub fn read(model: ModelId, columns: &[&[usize]]) -> Query {
    Query {
        model,
        select: Select::All,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns: columns
            .iter()
            .map(|hops| Column::Path(path(hops)))
            .collect(),
    }
}

pub fn update(select: Select, set: Vec<(usize, Expr)>, by: UpdateBy) -> Request {
    Request::Update {
        model: STUDENT,
        select,
        set,
        by,
    }
}

pub fn int(value: i64) -> Expr {
    Expr::Literal(Value::Int(value))
}

/// Executes a request once.
pub fn ask(
    session: &mut CoreDataSession,
    request: &Request,
    arguments: &[Value],
) -> Result<(u64, Vec<Vec<Value>>), crate::engines::EngineError> {
    let prepared = session.prepare(request)?;
    let mut sink = CollectSink::default();
    let count = session.execute(prepared, arguments, &mut sink);
    session.release(prepared);
    Ok((count?, sink.rows))
}

/// What SQLite says, past the session.
pub fn sql(directory: &FilePath, sql: &str) -> Vec<i64> {
    let connection = rusqlite::Connection::open(directory.join("store.sqlite")).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// One statement, past the session.
pub fn meddle(directory: &FilePath, sql: &str) {
    let connection = rusqlite::Connection::open(directory.join("store.sqlite")).unwrap();
    connection.execute_batch(sql).unwrap();
}
