//! Faults, the row cache and prefetching.

use super::fixture::*;
use crate::base::Value;
use crate::engines::coredata::session::CoreDataSession;
use crate::plan::*;

/// Faults filled by the row cache, by the store, and to-many ones.
fn fired(session: &CoreDataSession) -> (u64, u64, u64) {
    let counts = &session.context().counts;
    (
        counts.from_cache.get(),
        counts.from_store.get(),
        counts.many.get(),
    )
}

#[test]
fn a_fetch_fires_nothing_and_a_property_its_own_fault() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 6);
    let before = fired(&session);
    let (count, _) = ask(&mut session, &Request::Read(read(STUDENT, &[])), &[]).unwrap();
    assert_eq!((count, fired(&session)), (6, before));
    let names = Request::Read(read(STUDENT, &[&[NAME]]));
    ask(&mut session, &names, &[]).unwrap();
    assert_eq!(fired(&session), (before.0 + 6, before.1, before.2));
}

#[test]
fn relationships_are_faulted_one_by_one_unless_prefetched() {
    let columns: [&[usize]; 3] = [&[OF_SCHOOL, 0], &[GRADES, 0], &[CLUBS, 0]];
    let request = Request::Read(read(STUDENT, &columns));
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 6);
    let before = fired(&session);
    let (_, rows) = ask(&mut session, &request, &[]).unwrap();
    // Two schools and three clubs, each once; twelve grades; two sets of each student.
    let after = fired(&session);
    assert_eq!(after.1 - before.1, 2 + 3 + 12);
    assert_eq!(after.2 - before.2, 6 + 6);
    drop(session);
    let prefetching = [("relationship_prefetching", Value::Bool(true))];
    let mut session = open(directory.path(), &prefetching);
    let (_, prefetched) = ask(&mut session, &request, &[]).unwrap();
    assert_eq!(prefetched, rows);
    let (cached, stored, many) = fired(&session);
    assert_eq!((stored, many), (0, 0));
    assert_eq!(cached, 6 + 2 + 3 + 12);
}

#[test]
fn a_batch_size_reads_rows_as_they_are_reached() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), &[], 50));
    let mut session = open(directory.path(), &[("fetch_batch_size", Value::Int(7))]);
    let request = Request::Read(Query {
        limit: Some(40),
        offset: 3,
        ..read(STUDENT, &[&[0]])
    });
    let (count, rows) = ask(&mut session, &request, &[]).unwrap();
    assert_eq!(count, 40);
    assert_eq!(rows.last().unwrap()[0], Value::Int(420));
    assert_eq!(session.context().registered(), 0);
}

#[test]
fn objects_filled_by_the_fetch_fire_no_faults() {
    let directory = tempfile::tempdir().unwrap();
    drop(filled(directory.path(), &[], 6));
    let filled = [("returns_objects_as_faults", Value::Bool(false))];
    let mut session = open(directory.path(), &filled);
    let names = Request::Read(read(STUDENT, &[&[NAME]]));
    ask(&mut session, &names, &[]).unwrap();
    assert_eq!(fired(&session), (0, 0, 0));
}

#[test]
fn a_request_lets_its_objects_go_at_its_end() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = filled(directory.path(), &[], 6);
    let request = Request::Read(read(STUDENT, &[&[OF_SCHOOL, 0]]));
    ask(&mut session, &request, &[]).unwrap();
    assert_eq!(session.context().registered(), 0);
}

#[test]
fn deleting_by_faults_or_prefetching_takes_the_same_along() {
    let mut left = Vec::new();
    for prefetching in [true, false] {
        let directory = tempfile::tempdir().unwrap();
        let options = [("delete_prefetching", Value::Bool(prefetching))];
        let mut session = filled(directory.path(), &options, 6);
        let before = fired(&session);
        let delete = Request::Delete {
            model: STUDENT,
            select: Select::Where(Expr::Compare {
                op: CompareOp::Less,
                left: Box::new(Expr::Path(path(&[0]))),
                right: Box::new(int(40)),
                ignoring_case: false,
            }),
        };
        assert_eq!(ask(&mut session, &delete, &[]).unwrap().0, 4);
        // By faults: the set of each student, and each of its grades.
        let expected = if prefetching { (0, 0) } else { (8, 4) };
        let after = fired(&session);
        assert_eq!((after.1 - before.1, after.2 - before.2), expected);
        drop(session);
        left.push([
            sql(directory.path(), "SELECT Z_PK FROM ZGRADE ORDER BY 1"),
            sql(directory.path(), "SELECT count(*) FROM Z_4CLUBS"),
            sql(directory.path(), "SELECT count(*) FROM ZSCHOOL"),
        ]);
    }
    assert_eq!(left[0], left[1]);
    assert_eq!(left[0], [vec![9, 10, 11, 12], vec![2], vec![2]]);
}
