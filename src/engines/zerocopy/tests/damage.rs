//! Files that are torn, cut off or damaged.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::fixture::*;
use crate::base::Value;
use crate::engines::zerocopy::header::{DATA, LEN, SLOT};
use crate::engines::zerocopy::{FILE, Zerocopy, verify};
use crate::engines::{ErrorKind, Session};
use crate::plan::{Expr, Select};

/// A store with two versions in its headers.
fn made(directory: &Path) -> Vec<u8> {
    filled(directory, 300).expect("is filled");
    let mut session = open(&Zerocopy, directory).expect("opens");
    rename(&mut *session, "second");
    session.close().expect("closes");
    fs::read(directory.join(FILE)).expect("reads")
}

fn rename(session: &mut dyn Session, name: &str) {
    let set = vec![(person::NAME, Expr::Literal(Value::Text(name.into())))];
    change(session, &update(PERSON, Select::All, set)).expect("changes");
}

#[test]
fn a_sound_file_is_found_sound() {
    let directory = tempfile::tempdir().expect("a directory");
    made(directory.path());
    let report = verify(&directory.path().join(FILE)).expect("is checked");
    assert_eq!(report.faults, Vec::<String>::new());
    assert_eq!(report.records[1], ("Person".to_owned(), 300));
    assert!(report.nodes > 20 && report.used_bytes > 4000, "{report:?}");
}

#[test]
fn any_flipped_bit_of_what_is_used_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let sound = made(directory.path());
    let path = directory.path().join(FILE);
    let report = verify(&path).expect("is checked");
    let end = report.used_bytes + report.free_bytes + report.waiting_bytes + DATA;
    // The space that is free is named by the newest version alone.
    let free: Vec<std::ops::Range<u64>> = {
        let (store, _) = store(directory.path()).expect("opens");
        // What waits, but for no version of the headers, is as good as free.
        let mut space = store.space.clone();
        space.settle(store.current().header.version - 1);
        space.free_ranges().collect()
    };
    let (mut found, mut last) = (0, 0);
    for at in (0..end).step_by(61) {
        if free.iter().any(|range| range.contains(&at)) {
            continue;
        }
        let mut damaged = sound.clone();
        damaged[at as usize] ^= 1 << (at % 8);
        fs::write(&path, &damaged).expect("writes");
        let clean = verify(&path).is_ok_and(|report| report.faults.is_empty());
        assert!(!clean, "the flipped bit at {at} was not found");
        (found, last) = (found + 1, at);
    }
    assert!(
        found > 250 && last > end / 2,
        "{found} bits up to {last} of {end}"
    );
}

#[test]
fn a_torn_header_falls_back_to_the_version_before() {
    let directory = tempfile::tempdir().expect("a directory");
    let sound = made(directory.path());
    let path = directory.path().join(FILE);
    let newest = {
        let (store, _) = store(directory.path()).expect("opens");
        store.current().header.version
    };
    let slot = (newest % 2 * SLOT) as usize;
    let names = |directory: &Path| {
        let mut session = open(&Zerocopy, directory).expect("opens");
        state(&mut *session)[PERSON]
            .iter()
            .filter(|row| row[2] == Value::Text("second".into()))
            .count()
    };
    assert_eq!(names(directory.path()), 300);
    for torn in [1, 30, LEN - 1] {
        let mut bytes = sound.clone();
        bytes[slot + torn..slot + LEN].fill(0xAA);
        fs::write(&path, &bytes).expect("writes");
        assert_eq!(names(directory.path()), 0, "torn after {torn} bytes");
        let report = verify(&path).expect("is checked");
        assert_eq!(report.version, newest - 1);
        assert_eq!(report.faults.len(), 1, "{:?}", report.faults);
        // And it can be written on.
        let mut session = open(&Zerocopy, directory.path()).expect("opens");
        rename(&mut *session, "second");
        session.close().expect("closes");
        assert_eq!(
            verify(&path).expect("is checked").faults,
            Vec::<String>::new()
        );
        assert_eq!(names(directory.path()), 300);
    }
}

#[test]
fn what_is_no_store_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let sound = made(directory.path());
    let path = directory.path().join(FILE);
    let kind = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("writes");
        open(&Zerocopy, directory.path())
            .err()
            .map(|error| error.kind)
    };
    assert_eq!(kind(b"PNG or so"), Some(ErrorKind::Corrupt));
    assert_eq!(kind(&sound[..sound.len() / 2]), Some(ErrorKind::Corrupt));
    assert_eq!(kind(&sound[..100]), Some(ErrorKind::Corrupt));
    assert_eq!(kind(&[7; 20_000]), Some(ErrorKind::Corrupt));
    assert_eq!(kind(&sound), None);
    // Cut off while it was made: nothing was ever stored.
    assert_eq!(kind(&[0; 9000]), None);
}

#[test]
fn another_schema_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    made(directory.path());
    let mut other = schema();
    other.models[PERSON].indexes.pop();
    let options = crate::engines::Options::new();
    let setting = crate::engines::Setting {
        schema: &other,
        hooks: &[],
        options: &options,
    };
    let hooks = std::rc::Rc::new(crate::workload::NoHooks);
    use crate::engines::Engine as _;
    let error = Zerocopy
        .open(directory.path(), &setting, hooks)
        .err()
        .expect("refused");
    assert!(error.message.contains("schema"), "{error}");
}

#[test]
fn a_second_writer_is_kept_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let first = open(&Zerocopy, directory.path()).expect("opens");
    let error = open(&Zerocopy, directory.path()).err().expect("refused");
    assert!(error.message.contains("lock"), "{error}");
    assert!(verify(&directory.path().join(FILE)).is_err());
    first.close().expect("closes");
    assert!(open(&Zerocopy, directory.path()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damage may be read over or refused, but never ends the program.
    #[test]
    fn no_damage_panics(hits in prop::collection::vec((any::<u32>(), any::<u8>()), 1..30)) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut bytes = made(directory.path());
        for (at, byte) in hits {
            let at = DATA as usize + at as usize % (bytes.len() - DATA as usize);
            bytes[at] = byte;
        }
        let path = directory.path().join(FILE);
        fs::write(&path, &bytes).expect("writes");
        let _ = verify(&path);
        if let Ok(mut session) = open(&Zerocopy, directory.path()) {
            use crate::plan::Request;
            for (model, paths) in [(PERSON, &[&[person::TAGS][..], &[person::PETS, 0], &[person::CITY, 0]][..]), (PET, &[&[1, person::NAME][..]][..])] {
                let _ = ask(&mut *session, &Request::Read(all(model, paths)));
            }
            let set = vec![(person::AGE, Expr::Literal(Value::Int(1)))];
            let _ = change(&mut *session, &update(PERSON, Select::All, set));
            let _ = session.insert(PERSON, &people(300..330));
            let _ = change(&mut *session, &Request::Delete { model: PERSON, select: Select::All });
        }
    }
}
