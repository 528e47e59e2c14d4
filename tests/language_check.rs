//! The check of whole files, through the library's own entry.

use std::path::{Path, PathBuf};

use persist_lab::base::Value;
use persist_lab::check::{Checked, Disk, Memory, check};
use persist_lab::diagnostics::{Code, Style, render_all};
use persist_lab::plan::Expr;

fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("experiments")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "exp"))
        .collect();
    files.sort();
    files
}

fn rendered(checked: &Checked) -> String {
    render_all(&checked.diagnostics, &checked.sources, Style::Plain)
}

#[test]
fn shipped_experiments_are_clean() {
    let files = shipped();
    assert!(files.len() >= 6, "{files:?}");
    for path in files {
        let checked = check(&path, &Disk);
        assert!(checked.diagnostics.is_empty(), "{}", rendered(&checked));
        assert!(checked.experiment.is_some(), "{}", path.display());
    }
}

#[test]
fn modules_of_the_standard_library_are_clean_on_their_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("stdlib");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("stdlib") {
        let checked = check(&entry.expect("entry").path(), &Disk);
        assert!(checked.diagnostics.is_empty(), "{}", rendered(&checked));
        assert!(checked.experiment.is_none());
        seen += 1;
    }
    assert!(seen >= 3);
}

#[test]
fn a_file_that_is_not_there_is_a_finding() {
    let checked = check(Path::new("nowhere.exp"), &Memory::new());
    assert_eq!(checked.diagnostics.len(), 1);
    assert!(checked.experiment.is_none());
    assert!(rendered(&checked).contains("nowhere.exp"));
}

/// The files that modules and pools of the golden files name.
fn with_neighbours(name: &str, text: &str) -> Memory {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/check_error/beside");
    let mut files = Memory::new().with(name, text);
    for entry in std::fs::read_dir(folder).expect("neighbours") {
        let path = entry.expect("entry").path();
        let name = path.file_name().expect("name").to_owned();
        files = files.with(name, std::fs::read_to_string(&path).expect("text"));
    }
    files
}

fn check_text(name: &str, text: &str) -> Checked {
    check(Path::new(name), &with_neighbours(name, text))
}

/// Every file of `golden/check_error` gives exactly the recorded messages.
#[test]
fn check_error() {
    insta::glob!("golden/check_error/*.exp", |path| {
        let text = std::fs::read_to_string(path).expect("a golden file");
        let name = path.file_name().expect("name").to_string_lossy();
        let checked = check_text(&name, &text);
        assert_eq!(checked.experiment.is_none(), checked.has_errors());
        assert!(!checked.diagnostics.is_empty());
        insta::assert_snapshot!(rendered(&checked));
    });
}

/// Every code of the check has a golden file.
#[test]
fn every_check_code_is_covered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/check_error");
    let mut seen = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("golden files") {
        let path = entry.expect("entry").path();
        if path.extension().is_some_and(|e| e == "exp") {
            let text = std::fs::read_to_string(&path).expect("text");
            let checked = check_text("file.exp", &text);
            seen.extend(checked.diagnostics.iter().map(|d| d.code));
        }
    }
    let missing: Vec<String> = Code::ALL
        .iter()
        .filter(|code| (20..90).contains(&code.number()) && !seen.contains(code))
        .map(|code| format!("{code} {}", code.explain()))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn twenty_mistakes_give_twenty_messages() {
    let text = include_str!("golden/twenty_mistakes.exp");
    let checked = check_text("twenty_mistakes.exp", text);
    insta::assert_snapshot!(rendered(&checked));
    let errors = checked.diagnostics.iter().filter(|d| d.is_error());
    assert_eq!(errors.count(), 20);
    assert_eq!(checked.diagnostics.len(), 20);
    let syntax = checked.diagnostics.iter().filter(|d| d.code.number() < 20);
    assert_eq!(syntax.count(), 10);
}

fn experiment(text: &str) -> persist_lab::check::model::Experiment {
    let checked = check_text("file.exp", text);
    assert_eq!(rendered(&checked), "");
    checked.experiment.expect("an experiment")
}

/// The whole model of a file that uses most of the language.
#[test]
fn the_model_is_as_recorded() {
    let text = include_str!("golden/model.exp");
    let model = experiment(text);
    let value = serde_json::to_value(&model).expect("plain data");
    insta::assert_snapshot!(tree(&value, 0));
}

/// Json on as few lines as can be read.
fn tree(value: &serde_json::Value, indent: usize) -> String {
    let flat = value.to_string();
    let pad = " ".repeat(indent + 1);
    let lines: Vec<String> = match value {
        serde_json::Value::Object(map) if flat.len() + indent > 160 => map
            .iter()
            .map(|(key, value)| format!("{pad}{key}:{}", tree(value, indent + 1)))
            .collect(),
        serde_json::Value::Array(items) if flat.len() + indent > 160 => items
            .iter()
            .map(|item| format!("{pad}-{}", tree(item, indent + 1)))
            .collect(),
        _ => return format!(" {flat}"),
    };
    format!("\n{}", lines.join("\n"))
}

#[test]
fn shipped_experiments_lower() {
    use persist_lab::lower::{Overrides, lower};
    for path in shipped() {
        let experiment = check(&path, &Disk).experiment.expect("clean");
        for quick in [false, true] {
            let overrides = Overrides {
                quick,
                ..Overrides::default()
            };
            if let Err(found) = lower(&experiment, &overrides) {
                panic!("{}: {found:#?}", path.display());
            }
        }
    }
}

#[test]
fn a_module_brings_its_names_qualified() {
    let files = Memory::new()
        .with(
            "lab/main.exp",
            "use \"./shared.exp\" as s\n\
             experiment \"M\" { seed 1 }\n\
             sweep n = 1, 2\n\
             sweep wal = 1, 2\n\
             engine s.fast as fast\n\
             trial \"T\" as t { create n s.User in transactions of wal  read s.User where s.old() and city == \"Oslo\" }\n\
             claim \"C\" { time(fast, s.own.read) < 1s }\n",
        )
        .with(
            "lab/shared.exp",
            "pool city from \"cities.txt\"\n\
             preset fast = sqlite { journal_mode: wal }\n\
             hook old(user) { user.age > 60 }\n\
             model User { id: int key = row  age: int = uniform(0, 98)  city: text = city }\n\
             trial \"Own\" as own { create n User  read User where old() }\n",
        )
        .with("lab/cities.txt", "Oslo\nBergen\n\n");
    let checked = check(Path::new("lab/main.exp"), &files);
    assert_eq!(rendered(&checked), "");
    let model = checked.experiment.expect("an experiment");
    assert_eq!(model.schema.models[0].name, "s_User");
    assert_eq!(model.hooks[0].name, "s.old");
    assert_eq!(model.pools[0].values.len(), 2);
    assert_eq!(model.engines[0].kind, "sqlite");
    // The module's symbol stays one, whatever the experiment calls `wal`.
    let wal = Expr::Literal(Value::Text("wal".to_owned()));
    assert_eq!(model.engines[0].options["journal_mode"], wal);
    let labels: Vec<&str> = model.trials.iter().map(|t| t.label.as_str()).collect();
    assert_eq!(labels, ["t", "s.own"]);
    let kept: Vec<&str> = checked
        .files
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(kept, ["main.exp", "shared.exp", "cities.txt"]);
}

#[test]
fn values_from_the_command_line_fit_the_file() {
    use persist_lab::check::set;
    let model = experiment(
        "experiment \"M\" { seed 1 }\n\
         param n = 10\n\
         sweep mode = wal, delete\n\
         engine sqlite { journal_mode: mode }\n\
         model User { id: int key = row }\n\
         trial \"T\" as t { create n User }\n",
    );
    assert!(set(&model, "n=1k,10k").is_ok());
    assert!(set(&model, "mode=off").is_ok());
    assert!(set(&model, "n=wal").is_err());
    assert!(set(&model, "mode=5").is_err());
    let unknown = set(&model, "mod=wal").expect_err("unknown");
    assert_eq!(unknown.help.as_deref(), Some("did you mean `mode`?"));
}

/// A file of 2,000 lines checks clean; how fast is the benches' matter.
#[test]
fn a_long_file_checks_clean() {
    use std::fmt::Write as _;
    let mut text = String::from(
        "experiment \"Long\" { seed 1 }\nsweep n = 1k, 10k, 100k\nsweep batch = 1, 10, n\nengine sqlite\n",
    );
    for at in 0..100 {
        let _ = write!(
            text,
            "model M{at} {{\n  id: int key = row\n  name: text = \"n{{row}}\"\n  age: int = uniform(0, 98)\n  \
             kind: enum(a: 20%, b)\n  placed: timestamp = sequence(@2026-01-01T00:00Z, step: 1s..9s)\n  index (age, id)\n}}\n\
             trial \"T{at}\" as t{at} {{\n  setup {{ create n M{at} in transactions of batch }}\n  \
             a: read M{at} where age > 18 and kind == \"a\" order by age, id limit 5\n  \
             b: count M{at} where name starts_with \"n1\" or placed < @2026-02-01T00:00Z\n  \
             c: update M{at} where age > 50 set age = age + 1\n  d: read M{at} by id at random repeat 100\n  \
             e: delete M{at} where age == 7\n}}\n\
             claim \"C{at}\" {{\n  time(sqlite, t{at}.a) [batch == n] < 5ms for n == 1k\n  growth(time, sqlite, t{at}.b) over n is linear\n}}\n",
        );
    }
    assert!(text.lines().count() > 1_700);
    assert_eq!(rendered(&check_text("long.exp", &text)), "");
}

mod mutations {
    use super::{check_text, shipped};
    use proptest::prelude::*;

    /// Pieces that mean something in the wrong place.
    const PIECES: &[&str] = &[
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "..",
        ",",
        ":",
        "=",
        "where ",
        "any ",
        "it",
        "row",
        "n",
        "null",
        " is empty",
        "-",
        " 0 ",
        "9223372036854775807",
        "User",
        "key",
        "owned(2..7)",
        "count",
        ".",
        "for ",
        "in ",
        "not ",
        "@2026-01-01T00:00Z",
        "1d",
        "shared(0)",
        "uuid",
        " one of Student",
        "Student at row - 1",
        "é",
        "\n",
        "60%",
        "repeat 3",
        "p.sku",
    ];

    fn text() -> impl Strategy<Value = String> {
        let files: Vec<String> = shipped()
            .iter()
            .map(|path| std::fs::read_to_string(path).expect("text"))
            .collect();
        let edit = (any::<prop::sample::Index>(), 0..20usize, 0..PIECES.len());
        (
            prop::sample::select(files),
            prop::collection::vec(edit, 1..6),
        )
            .prop_map(|(mut text, edits)| {
                for (at, length, piece) in edits {
                    let mut places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
                    places.push(text.len());
                    let from = at.index(places.len());
                    let to = (from + length).min(places.len() - 1);
                    text.replace_range(places[from]..places[to], PIECES[piece]);
                }
                text
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever is written, the check ends with findings or an experiment.
        #[test]
        fn any_edit_gives_findings_or_an_experiment(text in text()) {
            let checked = check_text("edited.exp", &text);
            let wrong = checked.has_errors();
            prop_assert_eq!(checked.experiment.is_none(), wrong);
        }
    }
}
