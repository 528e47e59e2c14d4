//! Golden files: what parses, and what every syntax error says.

use persist_lab::base::span::FileId;
use persist_lab::diagnostics::{Code, Sources, Style, render_all};
use persist_lab::syntax::{self, ast::ItemKind};
use serde_json::Value;

fn read(path: &std::path::Path) -> String {
    std::fs::read_to_string(path).expect("a golden file")
}

/// Json on as few lines as can be read.
fn tree(value: &Value, indent: usize) -> String {
    let flat = value.to_string();
    let pad = " ".repeat(indent + 1);
    let lines: Vec<String> = match value {
        Value::Object(map) if flat.len() + indent > 110 => map
            .iter()
            .map(|(key, value)| format!("{pad}{key}:{}", tree(value, indent + 1)))
            .collect(),
        Value::Array(items) if flat.len() + indent > 110 => items
            .iter()
            .map(|item| format!("{pad}-{}", tree(item, indent + 1)))
            .collect(),
        _ => return format!(" {flat}"),
    };
    format!("\n{}", lines.join("\n"))
}

/// Every file of `golden/ok` parses without a word, to the recorded tree.
#[test]
fn ok() {
    insta::glob!("golden/ok/*.exp", |path| {
        let text = read(path);
        let parsed = syntax::parse(FileId(0), &text);
        let mut sources = Sources::new();
        sources.add("file.exp", text);
        let messages = render_all(&parsed.diagnostics, &sources, Style::Plain);
        assert_eq!(messages, "", "{}", path.display());
        insta::assert_snapshot!(tree(&syntax::ast::shape(&parsed.file), 0));
    });
}

/// Every file of `golden/parse_error` gives exactly the recorded messages.
#[test]
fn parse_error() {
    insta::glob!("golden/parse_error/*.exp", |path| {
        let text = read(path);
        let parsed = syntax::parse(FileId(0), &text);
        assert!(!parsed.diagnostics.is_empty(), "{}", path.display());
        let mut sources = Sources::new();
        let name = path.file_name().map(|name| name.to_string_lossy());
        sources.add(name.unwrap_or_default(), text);
        insta::assert_snapshot!(render_all(&parsed.diagnostics, &sources, Style::Plain));
    });
}

/// Every syntax code has a golden file.
#[test]
fn every_syntax_code_is_covered() {
    let mut seen = Vec::new();
    for entry in std::fs::read_dir("tests/golden/parse_error").expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ext| ext == "exp") {
            let parsed = syntax::parse(FileId(0), &read(&path));
            seen.extend(parsed.diagnostics.iter().map(|d| d.code));
        }
    }
    let syntax = Code::ALL.iter().filter(|code| code.number() < 20);
    let missing: Vec<_> = syntax
        // A file of 16 MiB is not kept here; `too_large` covers it.
        .filter(|code| **code != Code::FileTooLarge && !seen.contains(code))
        .collect();
    assert!(missing.is_empty(), "no golden file for {missing:?}");
}

#[test]
fn too_large() {
    let text = " ".repeat(syntax::MAX_BYTES + 1);
    let parsed = syntax::parse(FileId(0), &text);
    assert_eq!(parsed.diagnostics[0].code, Code::FileTooLarge);
}

/// What a broken part would have declared is known, so that `check` need not
/// call it unknown.
#[test]
fn broken_parts_keep_their_names() {
    let text = read(std::path::Path::new(
        "tests/golden/parse_error/twenty_mistakes.exp",
    ));
    let file = syntax::parse(FileId(0), &text).file;
    assert!(file.may_declare("Other") && file.may_declare("n"));
    assert!(!file.may_declare("User") && !file.may_declare("users"));
    let mut seen = 0;
    for item in &file.items {
        match &item.kind {
            ItemKind::Model(model) if model.name.name == "User" => {
                assert!(model.members.may_declare("grade"));
                assert!(!model.members.may_declare("name"));
                assert_eq!(model.fields().count(), 3);
                seen += 1;
            }
            ItemKind::Trial(trial) => {
                for broken in ["a", "b", "c", "d", "e", "i"] {
                    assert!(trial.members.may_declare(broken), "{broken}");
                }
                assert!(!trial.members.may_declare("f"));
                assert_eq!(trial.steps().count(), 3);
                assert!(trial.setup().is_some());
                seen += 1;
            }
            _ => {}
        }
    }
    assert_eq!(seen, 2);
}
