//! Readers beside a writer.

use std::sync::mpsc;
use std::thread;

use super::fixture::*;
use crate::base::Value;
use crate::engines::zerocopy::catalog::Catalog;
use crate::engines::zerocopy::draft::Draft;
use crate::engines::zerocopy::insert::insert;
use crate::engines::zerocopy::reader::{Fault, Reader};
use crate::engines::zerocopy::select::Asking;
use crate::engines::zerocopy::snapshot::Snapshot;
use crate::engines::zerocopy::store::Store;
use crate::engines::zerocopy::update::update;
use crate::plan::{Expr, Select};
use crate::workload::NoHooks;

const PEOPLE: u64 = 2500;

/// All ages are set to one number, in a version of its own.
fn set_age(store: &mut Store, catalog: &Catalog, age: i64) {
    let mut draft = Draft::new(store).expect("begins");
    let fault = Fault::default();
    let changes = {
        let reader = draft.reader(catalog, &fault);
        let rows: Vec<u64> = (0..PEOPLE).collect();
        let set = [(person::AGE, Expr::Literal(Value::Int(age)))];
        update(&reader, PERSON, &rows, &set, &[], &NoHooks).expect("changes")
    };
    changes.apply(&mut draft, catalog).expect("changes");
    draft.commit(store, catalog).expect("commits");
}

fn begun(directory: &std::path::Path) -> (Store, Catalog) {
    let (mut store, catalog) = store(directory).expect("opens");
    let mut draft = Draft::new(&store).expect("begins");
    insert(&mut draft, &catalog, CITY, &cities()).expect("inserts");
    insert(&mut draft, &catalog, PERSON, &people(0..PEOPLE)).expect("inserts");
    draft.commit(&mut store, &catalog).expect("commits");
    set_age(&mut store, &catalog, 0);
    (store, catalog)
}

/// The only age that a snapshot holds.
fn age(snapshot: &Snapshot, catalog: &Catalog) -> i64 {
    let fault = Fault::default();
    let reader = Reader {
        nodes: snapshot.version().nodes(),
        roots: &snapshot.version().roots,
        catalog,
        fault: &fault,
    };
    let asking = Asking {
        reader,
        arguments: &[],
        hooks: &NoHooks,
    };
    let rows = asking.numbers(PERSON, &Select::All).expect("reads");
    assert_eq!(rows.len() as u64, PEOPLE);
    let mut ages = Vec::new();
    reader
        .each(PERSON, &rows, &mut |row| {
            ages.push(row.follow(&[person::AGE], &[])?);
            // The index tells the same.
            row.follow(&[person::PETS, 1, person::AGE], &[]).map(drop)
        })
        .expect("reads");
    let first = ages[0].clone();
    assert!(
        ages.iter().all(|age| *age == first),
        "two ages in one version"
    );
    match first {
        Value::Int(age) => age,
        other => panic!("{other:?}"),
    }
}

#[test]
fn readers_see_their_version_while_others_are_written() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Snapshot>();
    let directory = tempfile::tempdir().expect("a directory");
    let (mut store, catalog) = begun(directory.path());
    thread::scope(|scope| {
        let mut readers = Vec::new();
        let mut ends = Vec::new();
        for _ in 0..3 {
            let (send, receive) = mpsc::channel::<(i64, Snapshot)>();
            readers.push(send);
            let catalog = &catalog;
            ends.push(scope.spawn(move || {
                let mut read = 0;
                for (expected, snapshot) in receive {
                    for _ in 0..2 {
                        assert_eq!(age(&snapshot, catalog), expected);
                    }
                    read += 1;
                }
                read
            }));
        }
        for version in 1..40 {
            set_age(&mut store, &catalog, version);
            let to = &readers[version as usize % readers.len()];
            to.send((version, store.snapshot())).expect("a reader");
        }
        drop(readers);
        let read: i32 = ends.into_iter().map(|end| end.join().expect("reads")).sum();
        assert_eq!(read, 39);
    });
}

#[test]
fn a_long_reader_keeps_its_version_and_its_space() {
    let directory = tempfile::tempdir().expect("a directory");
    let (mut store, catalog) = begun(directory.path());
    for version in 1..10 {
        set_age(&mut store, &catalog, version);
    }
    let (settled, ..) = store.sizes();
    for version in 10..30 {
        set_age(&mut store, &catalog, version);
    }
    assert_eq!(store.sizes().0, settled, "space is used again");
    let snapshot = store.snapshot();
    for version in 30..60 {
        set_age(&mut store, &catalog, version);
        assert_eq!(age(&snapshot, &catalog), 29);
    }
    let (grown, .., waiting) = store.sizes();
    assert!(grown > settled && waiting > 0, "{grown} {waiting}");
    drop(snapshot);
    for version in 60..90 {
        set_age(&mut store, &catalog, version);
    }
    let (length, _, _, waiting) = store.sizes();
    assert_eq!(length, grown, "space is used again");
    assert!(waiting < grown / 4, "{waiting} of {grown}");
    assert_eq!(age(&store.snapshot(), &catalog), 89);
}
