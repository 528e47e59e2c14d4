//! What is shipped is right: the standard library, the experiments, and every
//! example of the documentation.

use std::path::{Path, PathBuf};

use persist_lab::diagnostics::{Sources, Style, render_all};
use persist_lab::syntax::ast::{ExprKind, File, ItemKind, PoolSource};
use persist_lab::syntax::parse;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The `.exp` files of a folder, sorted.
fn exp_files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "exp"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} holds no experiment");
    files
}

/// The tree of a text that must have no syntax error.
fn tree(name: &str, text: &str) -> File {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let parsed = parse(file, text);
    assert!(
        parsed.diagnostics.is_empty(),
        "{}",
        render_all(&parsed.diagnostics, &sources, Style::Plain)
    );
    parsed.file
}

/// The fenced blocks of a page in that language, each with the line it starts at.
fn blocks(page: &str, language: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in page.lines().enumerate() {
        match &mut open {
            None if line == format!("```{language}") => open = Some((number + 2, String::new())),
            None => {}
            Some(_) if line == "```" => found.extend(open.take()),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    assert!(open.is_none(), "a block without its end");
    found
}

/// Every page at the top and in `docs/`, with its text.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    for folder in ["", "docs"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "md") {
                let text = std::fs::read_to_string(&path).unwrap();
                pages.push((path.display().to_string(), text));
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn everything_shipped_parses() {
    for folder in ["stdlib", "experiments"] {
        for path in exp_files(folder) {
            let text = std::fs::read_to_string(&path).unwrap();
            tree(&path.display().to_string(), &text);
        }
    }
}

#[test]
fn every_example_and_fragment_of_the_documentation_parses() {
    let mut examples = 0;
    for (page, text) in pages() {
        for (line, example) in blocks(&text, "exp") {
            tree(&format!("{page}:{line}"), &example);
            examples += 1;
        }
        for (line, fragment) in blocks(&text, "exp-fragment") {
            let first = fragment.split(['\n', ' ']).next().unwrap_or_default();
            let whole = if ItemKind::KEYWORDS.contains(&first) {
                fragment
            } else {
                format!("trial \"fragment\" {{\n{fragment}}}\n")
            };
            tree(&format!("{page}:{line}"), &whole);
            examples += 1;
        }
    }
    assert!(examples > 10, "the documentation has lost its examples");
}

/// Checks a file; it must have nothing to say. Whether it is an experiment.
fn checks(name: &str, path: &Path) -> bool {
    let checked = persist_lab::check::check(path, &persist_lab::check::Disk);
    assert!(
        checked.diagnostics.is_empty(),
        "{name}:\n{}",
        render_all(&checked.diagnostics, &checked.sources, Style::Plain)
    );
    checked.experiment.is_some()
}

/// Runs an experiment once at a small size; every answer must agree.
fn runs(name: &str, path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let out = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_persist-lab"));
    command
        .arg("run")
        .arg(path)
        .args(["--quick", "--runs", "1"]);
    // As few objects as still match something.
    for (variable, values) in [("n", "n=300"), ("journal", "journal=wal,delete")] {
        let named = |kind: &str| {
            text.lines()
                .any(|line| line.split_whitespace().take(2).eq([kind, variable]))
        };
        if named("sweep") || named("param") {
            command.args(["--set", values]);
        }
    }
    let output = command
        .args(["--format", "json", "--out"])
        .arg(out.path().join("archive"))
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["good"], true, "{name}");
    let rows = report["tables"].as_array().into_iter().flatten();
    let rows = rows.flat_map(|table| table["rows"].as_array().into_iter().flatten());
    let mut measured = 0;
    for row in rows {
        match row["state"]["state"].as_str() {
            Some("missing") => {}
            Some("measured") => {
                measured += 1;
                assert_eq!(row["answers"], "ok", "{name}: {}", row["job"]);
            }
            other => panic!("{name}: {} is {other:?}", row["job"]),
        }
    }
    assert!(measured > 0, "{name} measured nothing");
}

#[test]
fn every_module_checks() {
    for path in exp_files("stdlib") {
        let name = path.display().to_string();
        assert!(!checks(&name, &path), "{name} is a module");
    }
}

#[test]
fn every_experiment_checks_and_runs() {
    for path in exp_files("experiments") {
        let name = path.display().to_string();
        assert!(checks(&name, &path), "{name} is an experiment");
        runs(&name, &path);
    }
}

#[test]
fn every_example_of_the_documentation_checks_and_runs() {
    let directory = tempfile::tempdir().unwrap();
    for (page, text) in pages() {
        for (line, example) in blocks(&text, "exp") {
            let name = format!("{page}:{line}");
            let path = directory.path().join(format!("example_{line}.exp"));
            std::fs::write(&path, &example).unwrap();
            if checks(&name, &path) {
                runs(&name, &path);
            }
        }
    }
}

/// The entries of a pool of the standard library.
fn pool(module: &str, name: &str) -> Vec<String> {
    let path = root().join("stdlib").join(format!("{module}.exp"));
    let file = tree(module, &std::fs::read_to_string(path).unwrap());
    let pools = pools(&file);
    let found = pools.into_iter().find(|(pool, _)| pool == name);
    found.unwrap_or_else(|| panic!("no pool {module}.{name}")).1
}

fn pools(file: &File) -> Vec<(String, Vec<String>)> {
    file.items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Pool(pool) => Some(pool),
            _ => None,
        })
        .map(|pool| {
            let PoolSource::List(entries) = &pool.source else {
                panic!("{} is read from a file", pool.name);
            };
            let texts = entries.iter().map(|entry| match &entry.kind {
                ExprKind::Text(text) => text.plain().expect("a plain text").to_owned(),
                other => panic!("{other:?} in {}", pool.name),
            });
            (pool.name.name.clone(), texts.collect())
        })
        .collect()
}

#[test]
fn pools_have_no_entry_twice_and_none_that_is_odd() {
    for path in exp_files("stdlib") {
        let file = tree("stdlib", &std::fs::read_to_string(&path).unwrap());
        for (name, entries) in pools(&file) {
            let place = format!("{} {name}", path.display());
            let mut seen = std::collections::BTreeSet::new();
            for entry in &entries {
                assert!(seen.insert(entry), "{place}: {entry:?} twice");
                assert_eq!(entry.trim(), entry, "{place}");
                assert!(!entry.is_empty(), "{place}");
                assert!(!entry.chars().any(char::is_control), "{place}: {entry:?}");
            }
        }
    }
}

#[test]
fn every_item_of_the_standard_library_is_documented_with_its_true_size() {
    for path in exp_files("stdlib") {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = tree("stdlib", &text);
        for item in &file.items {
            let place = format!("{} at {:?}", path.display(), item.span);
            assert!(!item.trivia.leading.is_empty(), "{place} has no comment");
            let ItemKind::Pool(_) = &item.kind else {
                continue;
            };
            let words: Vec<&str> = item
                .trivia
                .leading
                .iter()
                .flat_map(|comment| comment.text.split_whitespace())
                .collect();
            let one = File {
                items: vec![item.clone()],
                ..file.clone()
            };
            let size = pools(&one)[0].1.len();
            assert!(
                size < 10 || words.contains(&size.to_string().as_str()),
                "{place} has {size} entries, and its comment says otherwise"
            );
        }
    }
}

#[test]
fn pools_hold_what_the_experiments_ask_for() {
    let first_names = pool("people", "first_name");
    assert_eq!(first_names.len(), 400);
    assert!(
        ["Jane", "Wendy"]
            .iter()
            .all(|n| first_names.contains(&(*n).to_owned()))
    );
    assert_eq!(pool("people", "last_name").len(), 400);

    let subjects = pool("schools", "subject");
    assert_eq!(subjects.len(), 14);
    assert!(
        ["physics", "maths"]
            .iter()
            .all(|s| subjects.contains(&(*s).to_owned()))
    );
    let grades = pool("schools", "letter_grade");
    assert_eq!(grades, ["A*", "A", "B", "C", "D", "E", "F", "U"]);
    assert_eq!(pool("schools", "exam_board").len(), 3);
    let schools = pool("schools", "school_name");
    assert_eq!(
        (schools.len(), schools[0].as_str()),
        (100, "Falconwood College")
    );

    assert!(pool("words", "noun").iter().any(|w| w.starts_with("sh")));
    assert!(pool("words", "adjective").contains(&"red".to_owned()));
}
