//! `engines verify` as a user meets it.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use assert_cmd::Command;
use persist_lab::base::Value;
use persist_lab::engines::zerocopy::{FILE, Zerocopy};
use persist_lab::engines::{Engine, Options, Session, Setting};
use persist_lab::plan::{Field, FieldKind, Model, Scalar, Schema};
use persist_lab::workload::{Content, NoHooks, Record};

fn session(directory: &Path) -> Box<dyn Session> {
    let schema = Schema {
        models: vec![Model {
            name: "Note".into(),
            fields: vec![Field {
                name: "text".into(),
                kind: FieldKind::Scalar(Scalar::Text),
                optional: false,
            }],
            key: None,
            indexes: Vec::new(),
        }],
    };
    let options = Options::new();
    let setting = Setting {
        schema: &schema,
        hooks: &[],
        options: &options,
    };
    Zerocopy
        .open(directory, &setting, Rc::new(NoHooks))
        .expect("opens")
}

fn verify(file: &Path) -> (Option<i32>, String) {
    let output = Command::cargo_bin("persist-lab")
        .expect("the program")
        .args(["engines", "verify", "zerocopy"])
        .arg(file)
        .output()
        .expect("runs");
    let text = String::from_utf8(output.stdout).expect("text");
    (output.status.code(), text)
}

#[test]
fn sound_damaged_and_missing_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join(FILE);
    assert_eq!(verify(&file), (Some(3), String::new()));
    let mut store = session(directory.path());
    let records: Vec<Record> = (0..3000)
        .map(|row| Record {
            row,
            fields: vec![Content::Value(Value::Text(format!("note {row}")))],
        })
        .collect();
    store.insert(0, &records).expect("inserts");
    // Open elsewhere: locked.
    assert_eq!(verify(&file).0, Some(3));
    store.close().expect("closes");
    let (code, text) = verify(&file);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("Note: 3000\n"), "{text}");

    let mut bytes = fs::read(&file).expect("reads");
    let at = bytes
        .windows(9)
        .position(|part| part == b"note 2500")
        .expect("a text");
    bytes[at + 7] ^= 1;
    fs::write(&file, &bytes).expect("writes");
    let (code, text) = verify(&file);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("damaged: "), "{text}");
    fs::write(&file, "no store").expect("writes");
    assert_eq!(verify(&file).0, Some(1));
}
