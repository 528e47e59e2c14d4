//! The colours in `editors/` know every keyword of the grammar.

use std::path::Path;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The words of `kw_word = @{ "word" ~ … }`.
fn keywords(grammar: &str) -> Vec<&str> {
    grammar
        .lines()
        .filter(|line| line.starts_with("kw_"))
        .filter_map(|line| line.split('"').nth(1))
        .collect()
}

fn holds_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|found| found == word)
}

#[test]
fn editors_know_every_keyword() {
    let grammar = read("grammar/exp.pest");
    let words = keywords(&grammar);
    assert!(words.len() > 50, "keywords not found in the grammar");
    for file in [
        "editors/vscode/syntaxes/exp.tmLanguage.json",
        "editors/vim/syntax/exp.vim",
    ] {
        let colours = read(file);
        let missing: Vec<_> = words
            .iter()
            .filter(|word| !holds_word(&colours, word))
            .collect();
        assert!(missing.is_empty(), "{file} lacks {missing:?}");
    }
}

#[test]
fn the_extension_is_json() {
    for file in [
        "editors/vscode/package.json",
        "editors/vscode/language-configuration.json",
        "editors/vscode/syntaxes/exp.tmLanguage.json",
    ] {
        let value: Result<serde_json::Value, _> = serde_json::from_str(&read(file));
        assert!(value.is_ok_and(|v| v.is_object()), "{file}");
    }
}
