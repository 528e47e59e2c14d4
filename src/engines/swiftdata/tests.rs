//! History rows, and what the macro keeps beside an object.

use std::path::Path;

use super::SwiftData;
use super::backing::ModelBacking;
use crate::base::Value;
use crate::engines::coredata::layer::Backing;
use crate::engines::{Engine, Options, Session, Setting};
use crate::plan::*;
use crate::workload::{Content, NoHooks, NoSink, Record};

fn schema() -> Schema {
    let field = |name: &str, scalar| Field {
        name: name.into(),
        kind: FieldKind::Scalar(scalar),
        optional: false,
    };
    Schema {
        models: vec![Model {
            name: "User".into(),
            fields: vec![field("name", Scalar::Text), field("age", Scalar::Int)],
            key: None,
            indexes: Vec::new(),
        }],
    }
}

fn users(rows: std::ops::Range<u64>) -> Vec<Record> {
    rows.map(|row| Record {
        row,
        fields: vec![
            Content::Value(Value::Text(format!("name {row}"))),
            Content::Value(Value::Int(row as i64)),
        ],
    })
    .collect()
}

fn open(directory: &Path, options: &Options) -> Box<dyn Session> {
    let schema = schema();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options,
    };
    SwiftData
        .open(directory, &setting, std::rc::Rc::new(NoHooks))
        .unwrap()
}

fn sql(directory: &Path, sql: &str) -> Vec<i64> {
    let connection = rusqlite::Connection::open(directory.join("store.sqlite")).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn ask(session: &mut dyn Session, request: &Request) -> u64 {
    let prepared = session.prepare(request).unwrap();
    let count = session.execute(prepared, &[], &mut NoSink).unwrap();
    session.release(prepared);
    count
}

const TRANSACTIONS: &str = "SELECT count(*) FROM ATRANSACTION";

#[test]
fn each_save_writes_its_history() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let mut session = open(path, &Options::new());
    session.begin().unwrap();
    session.insert(0, &users(0..3)).unwrap();
    session.insert(0, &users(3..5)).unwrap();
    session.commit().unwrap();
    assert_eq!(sql(path, TRANSACTIONS), [1]);
    assert_eq!(
        sql(
            path,
            "SELECT ZENTITYPK FROM ACHANGE WHERE ZCHANGETYPE = 0 AND ZENTITY = 1 AND ZTRANSACTIONID = 1 ORDER BY Z_PK"
        ),
        [1, 2, 3, 4, 5]
    );
    let older = Request::Update {
        model: 0,
        select: Select::All,
        set: vec![(1, Expr::Literal(Value::Int(4)))],
        by: UpdateBy::Statement,
    };
    assert_eq!(ask(session.as_mut(), &older), 5);
    // One was four already; of the others the second column changed.
    assert_eq!(
        sql(
            path,
            "SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 1 AND ZCOLUMNS = x'02'"
        ),
        [4]
    );
    let delete = Request::Delete {
        model: 0,
        select: Select::All,
    };
    assert_eq!(ask(session.as_mut(), &delete), 5);
    assert_eq!(
        sql(
            path,
            "SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 2 AND ZTRANSACTIONID = 3"
        ),
        [5]
    );
    assert_eq!(sql(path, TRANSACTIONS), [3]);
    assert_eq!(
        sql(
            path,
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT"
        ),
        [14, 3, 3]
    );
    let recent =
        "SELECT count(*) FROM ATRANSACTION WHERE ZTIMESTAMP BETWEEN 700000000 AND 2000000000";
    assert_eq!(sql(path, recent), [3]);
}

#[test]
fn a_rollback_leaves_no_history() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let mut session = open(path, &Options::new());
    session.begin().unwrap();
    session.insert(0, &users(0..3)).unwrap();
    let all = Request::Count {
        model: 0,
        select: Select::All,
    };
    assert_eq!(ask(session.as_mut(), &all), 3);
    session.rollback().unwrap();
    assert_eq!(sql(path, TRANSACTIONS), [0]);
    session.insert(0, &users(0..1)).unwrap();
    assert_eq!(sql(path, "SELECT count(*) FROM ATRANSACTIONSTRING"), [3]);
    assert_eq!(sql(path, "SELECT ZTRANSACTIONID FROM ACHANGE"), [1]);
}

#[test]
fn batch_requests_are_in_the_history_too() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let options: Options = [("batch_delete".into(), Value::Bool(true))].into();
    let mut session = open(path, &options);
    session.insert(0, &users(0..4)).unwrap();
    let delete = Request::Delete {
        model: 0,
        select: Select::All,
    };
    assert_eq!(ask(session.as_mut(), &delete), 4);
    assert_eq!(
        sql(path, "SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 2"),
        [4]
    );
    assert_eq!(sql(path, "SELECT count(*) FROM ZUSER"), [0]);
}

#[test]
fn without_history_there_are_no_tables_for_it() {
    let directory = tempfile::tempdir().unwrap();
    let options: Options = [("history".into(), Value::Bool(false))].into();
    let mut session = open(directory.path(), &options);
    session.insert(0, &users(0..4)).unwrap();
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'A%'";
    assert_eq!(sql(directory.path(), tables), [0]);
}

#[test]
fn an_objects_dictionary_lasts_until_it_is_inserted() {
    use super::observation::KeyPath;
    let paths = (0..2).map(|property| KeyPath {
        entity: 0,
        property,
    });
    let table = paths.map(|path| (path, path.property)).collect();
    let backing = ModelBacking::new(0, std::rc::Rc::new(table));
    backing.mutated(0);
    backing.mutated(1);
    backing.mutated(1);
    assert_eq!(backing.initial(), 2);
    backing.inserted();
    backing.mutated(0);
    assert_eq!(backing.initial(), 0);
}
