//! What is kept until the save, and what the save writes.

use super::fixture::*;
use crate::base::Value;
use crate::engines::{ErrorKind, Session};
use crate::plan::*;

const STUDENTS: &str = "SELECT count(*) FROM ZSTUDENT";

#[test]
fn inserted_objects_are_kept_until_the_save() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 0);
    session.begin().unwrap();
    session.insert(STUDENT, &students(0..50)).unwrap();
    session.insert(STUDENT, &students(50..100)).unwrap();
    // Students and grades, and the schools and clubs that they were linked to.
    let kept = session.context().registered();
    assert!(kept >= 300, "{kept}");
    assert_eq!(sql(directory.path(), STUDENTS), [0]);
    assert_eq!(
        sql(
            directory.path(),
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Student'"
        ),
        [0]
    );
    session.commit().unwrap();
    assert_eq!(session.context().registered(), 0);
    assert_eq!(sql(directory.path(), STUDENTS), [100]);
    assert_eq!(
        sql(
            directory.path(),
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Student'"
        ),
        [100]
    );
    assert_eq!(
        sql(
            directory.path(),
            "SELECT count(*) FROM ZGRADE WHERE ZSTUDENT BETWEEN 1 AND 100"
        ),
        [200]
    );
}

#[test]
fn a_rollback_forgets_all_objects() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 0);
    session.begin().unwrap();
    session.insert(STUDENT, &students(0..10)).unwrap();
    session.rollback().unwrap();
    assert_eq!(session.context().registered(), 0);
    session.begin().unwrap();
    session.commit().unwrap();
    assert_eq!(sql(directory.path(), STUDENTS), [0]);
}

#[test]
fn a_request_finds_what_is_pending_written() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 0);
    session.begin().unwrap();
    session.insert(STUDENT, &students(0..10)).unwrap();
    let names = Request::Read(read(STUDENT, &[&[NAME]]));
    assert_eq!(ask(&mut session, &names, &[]).unwrap().0, 10);
    assert_eq!(sql(directory.path(), STUDENTS), [0]);
    session.rollback().unwrap();
    assert_eq!(ask(&mut session, &names, &[]).unwrap().0, 0);
}

#[test]
fn a_uniqueness_rule_is_seen_by_the_save_and_undoes_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 3);
    session.begin().unwrap();
    session.insert(STUDENT, &students(2..6)).unwrap();
    assert_eq!(session.commit().unwrap_err().kind, ErrorKind::Constraint);
    assert_eq!(sql(directory.path(), STUDENTS), [3]);
    session.insert(STUDENT, &students(3..4)).unwrap();
    assert_eq!(sql(directory.path(), STUDENTS), [4]);
}

#[test]
fn a_row_that_changed_meanwhile_is_a_conflict() {
    for change in [
        "UPDATE ZSTUDENT SET ZAGE = 77, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1",
        "DELETE FROM ZSTUDENT WHERE Z_PK = 1",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let mut session = filled(directory.path(), &[], 3);
        session.begin().unwrap();
        let older = update(Select::Identity, vec![(AGE, int(50))], UpdateBy::Idiom);
        assert_eq!(ask(&mut session, &older, &[Value::Int(1)]).unwrap().0, 1);
        assert_eq!(ask(&mut session, &older, &[Value::Int(2)]).unwrap().0, 1);
        meddle(directory.path(), change);
        let error = session.commit().unwrap_err();
        assert!(error.message.contains("merge conflict"), "{error}");
        assert_eq!(
            sql(directory.path(), "SELECT ZAGE FROM ZSTUDENT WHERE Z_PK = 2"),
            [1]
        );
    }
}

#[test]
fn only_what_differs_is_written_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 5);
    let versions = "SELECT Z_OPT FROM ZSTUDENT ORDER BY Z_PK";
    assert_eq!(sql(directory.path(), versions), [1, 1, 1, 1, 1]);
    let to_two = update(Select::All, vec![(AGE, int(2))], UpdateBy::Object);
    assert_eq!(ask(&mut session, &to_two, &[]).unwrap().0, 5);
    // The third was two already.
    assert_eq!(sql(directory.path(), versions), [2, 2, 1, 2, 2]);
    let batch = update(Select::All, vec![(AGE, int(3))], UpdateBy::Statement);
    assert_eq!(ask(&mut session, &batch, &[]).unwrap().0, 5);
    assert_eq!(sql(directory.path(), versions), [3, 3, 2, 3, 3]);
    assert_eq!(
        sql(directory.path(), "SELECT DISTINCT ZAGE FROM ZSTUDENT"),
        [3]
    );
}

#[test]
fn instantiated_objects_wait_outside_of_the_context() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 0);
    session.instantiate(STUDENT, &students(0..20)).unwrap();
    assert_eq!(session.context().registered(), 0);
    session.begin().unwrap();
    session.insert_instantiated(STUDENT, 15).unwrap();
    assert!(session.context().registered() >= 45);
    session.commit().unwrap();
    session.insert_instantiated(STUDENT, 5).unwrap();
    assert_eq!(sql(directory.path(), STUDENTS), [20]);
    assert_eq!(sql(directory.path(), "SELECT count(*) FROM Z_4CLUBS"), [20]);
    assert!(session.insert_instantiated(STUDENT, 1).is_err());
}

#[test]
fn a_batch_insert_makes_no_objects() {
    for (batch, kept) in [(true, 0), (false, 3)] {
        let directory = tempfile::tempdir().unwrap();
        let mut session = open(directory.path(), &[("batch_insert", Value::Bool(batch))]);
        let visits = [named(0), named(1), named(2)];
        session.begin().unwrap();
        session.insert(VISIT, &visits).unwrap();
        assert_eq!(session.context().registered(), kept);
        session.commit().unwrap();
        assert_eq!(sql(directory.path(), "SELECT count(*) FROM ZVISIT"), [3]);
    }
}
