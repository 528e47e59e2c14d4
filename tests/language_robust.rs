//! Whatever the text, parsing ends, does not panic, and points into the text.

mod exp_generator;

use exp_generator::{lay_out, tokens};
use persist_lab::base::span::FileId;
use persist_lab::diagnostics::{Sources, Style, json, render_all};
use persist_lab::syntax::{format, parse};
use proptest::prelude::*;

/// Everything that is done with a text, in a thread with a small stack.
fn survives(text: String) {
    let worker = std::thread::Builder::new().stack_size(2 << 20);
    let handle = worker.spawn(move || {
        let parsed = parse(FileId(0), &text);
        for diagnostic in &parsed.diagnostics {
            let span = diagnostic.span.expect("a place");
            assert!(span.start <= span.end && span.end as usize <= text.len());
            assert!(!diagnostic.message.is_empty());
            // Names of rules never reach the author.
            for rule in ["piece_", "kw_", "op_", "EOI", "WHITESPACE"] {
                assert!(!diagnostic.message.contains(rule) || text.contains(rule));
            }
        }
        let mut sources = Sources::new();
        sources.add("file.exp", text);
        render_all(&parsed.diagnostics, &sources, Style::Plain);
        json(&parsed.diagnostics, &sources);
        format(&parsed.file);
        serde_json::to_value(&parsed.file).expect("a tree");
    });
    handle.expect("a thread").join().expect("no panic");
}

fn examples() -> Vec<String> {
    let mut all = Vec::new();
    for folder in ["ok", "parse_error"] {
        for entry in std::fs::read_dir(format!("tests/golden/{folder}")).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ext| ext == "exp") {
                all.push(std::fs::read_to_string(path).expect("a text"));
            }
        }
    }
    all
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    "//",
    "\n",
    ":",
    "=",
    "==",
    ",",
    ".",
    "..",
    "@",
    "`",
    "'",
    "#",
    "&&",
    "%",
    "null when",
    "repeat",
    "hook f(",
    "model",
    "trial \"",
    "where",
    "in one",
    "setup {",
    "-",
    "0",
    "1_",
    "9k",
    "\u{30d1}",
    "\u{0}",
    "${",
    "/*",
    "any",
    "not",
    "claim",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_text(text in "\\PC*") {
        survives(text);
    }

    #[test]
    fn pieces_of_the_language(at in prop::collection::vec(0..PIECES.len(), 0..120), space: bool) {
        let pieces: Vec<_> = at.into_iter().map(|at| PIECES[at]).collect();
        survives(pieces.join(if space { " " } else { "" }));
    }

    /// Examples with parts cut out, put in and doubled.
    #[test]
    fn mutated_examples(
        which: prop::sample::Index,
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), 0usize..12, 0..PIECES.len(), 0u8..4), 1..6),
    ) {
        let examples = examples();
        let mut text = which.get(&examples).clone();
        for (place, length, piece, kind) in edits {
            if text.is_empty() {
                break;
            }
            let start = text.floor_char_boundary(place.index(text.len()));
            let end = text.floor_char_boundary((start + length).min(text.len())).max(start);
            match kind {
                0 => text.replace_range(start..end, ""),
                1 => text.insert_str(start, PIECES[piece]),
                2 => text.replace_range(start..end, PIECES[piece]),
                _ => {
                    let copy = text[start..end].to_owned();
                    text.insert_str(start, &copy);
                }
            }
        }
        survives(text);
    }

    /// One token of a valid file gone: at most a few messages, never a flood.
    #[test]
    fn one_token_missing(seed: u64, at: prop::sample::Index) {
        let mut tokens = tokens(seed);
        tokens.remove(at.index(tokens.len()));
        let (text, _) = lay_out(&tokens, seed, true);
        survives(text);
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{ a: ", "}"),
        ("f(", ")"),
        ("\"{", "}\""),
    ] {
        for depth in [40, 49, 100, 20_000] {
            let text = format!("param a = {}1{}", open.repeat(depth), close.repeat(depth));
            survives(text);
            survives(format!("param a = {}", open.repeat(depth)));
        }
    }
    for prefix in [
        "- ",
        "not ",
        "null when a else ",
        "60% null else ",
        "Employee at ",
    ] {
        survives(format!("param a = {}1", prefix.repeat(20_000)));
    }
    for infix in ["+", "and", "or", "==", "..", ".", "of", "in", "is null and"] {
        survives(format!(
            "param a = 1 {}",
            format!(" {infix} 1").repeat(20_000)
        ));
    }
    survives("trial \"a\" { ".repeat(2_000));
    survives("repeat 3 with p at random User { ".repeat(2_000));
    survives(format!(
        "trial \"a\" {{ {}",
        "repeat 3 with p at random User { ".repeat(2_000)
    ));
    survives(format!("hook f() {{ {}", "`${".repeat(20_000)));
}

/// Time grows with the text, not with its square: a square would keep this test
/// running for hours.
#[test]
fn long_texts_come_to_an_end() {
    let long = [
        "param a = (1\n".repeat(20_000),
        "a: ".repeat(50_000),
        format!(
            "trial \"a\" {{\n{}",
            "    a: read User where (x\n".repeat(10_000)
        ),
        format!("trial \"a\" {{\n{}}}", "    raed User\n".repeat(10_000)),
        format!("model A {{\n{}}}", "    a: int = f(g(1\n".repeat(10_000)),
        "} ".repeat(100_000),
        "{ ".repeat(100_000),
        "( ".repeat(100_000),
        format!(
            "claim \"a\" {{\n{}}}",
            "    time(a, b.c) <\n".repeat(10_000)
        ),
        format!("experiment \"a\" {{\n{}}}", "    sead 1\n".repeat(10_000)),
        "\"".repeat(100_000),
        "modle A {}\n".repeat(20_000),
    ];
    for text in long {
        let parsed = parse(FileId(0), &text);
        assert!(!parsed.diagnostics.is_empty());
    }
}

/// Rough tokens of a text: words with digits, texts, comments, and single signs.
fn rough_tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() && !rest.starts_with("//") {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}

/// One token gone, doubled or garbled is one mistake: it gives one message,
/// seldom a second one.
#[test]
fn one_mistake_gives_one_message() {
    let mut mistakes = 0;
    let mut messages = 0;
    let mut noisy = Vec::new();
    for name in [
        "hooks",
        "realm_vs_swiftdata",
        "shop",
        "mobile_storage_showdown",
        "tuning",
    ] {
        let path = format!("tests/golden/ok/{name}.exp");
        let text = std::fs::read_to_string(path).expect("an example");
        for (at, token) in rough_tokens(&text).into_iter().enumerate() {
            // All three at every token would take a while.
            let instead = ["", "%", "="][at % 3];
            let mut broken = text.clone();
            broken.replace_range(token.clone(), instead);
            let count = parse(FileId(0), &broken).diagnostics.len();
            if count == 0 {
                continue;
            }
            mistakes += 1;
            messages += count;
            if count > 2 {
                let line = text[..token.start].lines().count();
                noisy.push(format!(
                    "{name}:{line} {:?} → {instead:?}: {count}",
                    &text[token]
                ));
            }
        }
    }
    assert!(mistakes > 1000);
    let per_mistake = f64::from(messages as u32) / f64::from(mistakes as u32);
    assert!(
        per_mistake < 1.1 && noisy.is_empty(),
        "{per_mistake} messages each; {noisy:#?}"
    );
}
