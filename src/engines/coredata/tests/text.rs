//! Tables, statements and explanations, as text.

use super::fixture::*;
use crate::base::Value;
use crate::engines::coredata::CoreData;
use crate::engines::coredata::ddl::statements;
use crate::engines::coredata::entity::Entities;
use crate::engines::{Engine, Options, Setting};
use crate::plan::*;

#[test]
fn tables_are_core_datas() {
    let schema = schema();
    let text = statements(&schema, &Entities::of(&schema)).join("\n");
    for expected in [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE ZSTUDENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZID INTEGER, ZSCHOOL INTEGER, ZFIRST_NAME VARCHAR, ZTAGS BLOB)",
        "CREATE INDEX ZSTUDENT_ZSCHOOL_INDEX ON ZSTUDENT (ZSCHOOL)",
        "CREATE UNIQUE INDEX Z_Student_UNIQUE_id ON ZSTUDENT (ZID COLLATE BINARY ASC)",
        "CREATE INDEX ZGRADE_ZSTUDENT_INDEX ON ZGRADE (ZSTUDENT)",
        "CREATE TABLE Z_4CLUBS (Z_4STUDENTS INTEGER, Z_1CLUBS INTEGER, PRIMARY KEY (Z_4STUDENTS, Z_1CLUBS))",
        "CREATE INDEX Z_4CLUBS_Z_1CLUBS_INDEX ON Z_4CLUBS (Z_1CLUBS, Z_4STUDENTS)",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

fn told(options: &[(&str, Value)], request: &Request) -> (String, String) {
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
    let native = CoreData.explain(&setting, request).unwrap();
    (native.text, native.above.unwrap_or_default())
}

fn older() -> Select {
    Select::Where(Expr::Compare {
        op: CompareOp::Greater,
        left: Box::new(Expr::Path(path(&[AGE]))),
        right: Box::new(int(2)),
        ignoring_case: false,
    })
}

#[test]
fn a_read_is_whole_rows_and_the_faults_behind_its_columns() {
    let query = Query {
        select: older(),
        ..read(STUDENT, &[&[NAME], &[GRADES, 0]])
    };
    let (text, above) = told(&[], &Request::Read(query.clone()));
    assert_eq!(
        text,
        "SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZID, t0.ZSCHOOL, t0.ZFIRST_NAME, t0.ZTAGS FROM ZSTUDENT t0 WHERE t0.ZAGE > 2;\n\
         SELECT 0, t0.Z_PK FROM ZGRADE t0 WHERE t0.ZSTUDENT = ?1;\n\
         SELECT 0, t0.Z_PK, t0.Z_OPT, t0.ZMARK, t0.ZSTUDENT FROM ZGRADE t0 WHERE t0.Z_PK = ?1"
    );
    assert!(above.contains("faults fire one by one"), "{above}");
    let batched = [("fetch_batch_size", Value::Int(20))];
    let (text, above) = told(&batched, &Request::Read(query));
    assert!(
        text.starts_with("SELECT 0, t0.Z_PK FROM ZSTUDENT t0 WHERE"),
        "{text}"
    );
    assert!(above.contains("each batch"), "{above}");
}

#[test]
fn what_cannot_go_down_is_said() {
    let tagged = Expr::Quantified {
        quantifier: Quantifier::Any,
        over: path(&[3]),
        predicate: Box::new(Expr::Compare {
            op: CompareOp::Equal,
            left: Box::new(Expr::It),
            right: Box::new(Expr::Literal(Value::Text("tag".into()))),
            ignoring_case: false,
        }),
    };
    let Select::Where(older) = older() else {
        return;
    };
    let query = Query {
        select: Select::Where(Expr::And(vec![older, tagged])),
        limit: Some(5),
        ..read(STUDENT, &[])
    };
    let (text, above) = told(&[], &Request::Read(query));
    assert!(text.ends_with("WHERE t0.ZAGE > 2"), "{text}");
    assert!(
        above.contains("filtered") && above.contains("cut to the page"),
        "{above}"
    );
}

#[test]
fn changes_are_row_by_row_unless_a_batch_is_asked_for() {
    let set = vec![(AGE, int(3))];
    let (text, _) = told(&[], &update(older(), set.clone(), UpdateBy::Idiom));
    assert!(
        text.ends_with(
            "UPDATE OR FAIL ZSTUDENT SET ZAGE = ?1, Z_OPT = ?2 WHERE Z_PK = ?3 AND Z_OPT = ?4"
        ),
        "{text}"
    );
    let (text, above) = told(&[], &update(older(), set, UpdateBy::Statement));
    assert!(
        text.starts_with("UPDATE OR FAIL ZSTUDENT AS t0 SET Z_OPT = Z_OPT + 1"),
        "{text}"
    );
    assert!(above.contains("batch request"), "{above}");
    let delete = Request::Delete {
        model: STUDENT,
        select: older(),
    };
    let (text, above) = told(&[], &delete);
    assert!(
        text.ends_with("DELETE FROM ZSTUDENT WHERE Z_PK = ?1 AND Z_OPT = ?2"),
        "{text}"
    );
    assert!(above.contains("delete rules"), "{above}");
    let (text, _) = told(&[("batch_delete", Value::Bool(true))], &delete);
    assert!(
        text.contains("Z_OPT = ?2"),
        "an entity with relationships: {text}"
    );
}
