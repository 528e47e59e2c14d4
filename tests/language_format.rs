//! Formatting keeps the tree and the comments, and settles at once.

use persist_lab::base::span::FileId;
use persist_lab::diagnostics::{Diagnostic, Sources, Style, render_all};
use persist_lab::syntax::ast::{comments, shape};
use persist_lab::syntax::{format_text, parse};

fn rendered(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut sources = Sources::new();
    sources.add("file.exp", text);
    render_all(diagnostics, &sources, Style::Plain)
}

fn check(text: &str) -> String {
    let once = format_text(FileId(0), text).unwrap_or_else(|d| panic!("{}", rendered(text, &d)));
    let before = parse(FileId(0), text).file;
    let parsed = parse(FileId(0), &once);
    assert_eq!(rendered(&once, &parsed.diagnostics), "", "{text}");
    assert_eq!(shape(&before), shape(&parsed.file), "{text}\n---\n{once}");
    assert_eq!(
        comments(&before),
        comments(&parsed.file),
        "{text}\n---\n{once}"
    );
    let twice = format_text(FileId(0), &once).expect("formatted text");
    assert_eq!(once, twice);
    once
}

#[test]
fn golden_files_survive() {
    insta::glob!("golden/ok/*.exp", |path| {
        let text = std::fs::read_to_string(path).expect("a golden file");
        insta::assert_snapshot!(check(&text));
    });
}

/// What is shipped is laid out as `fmt` would.
#[test]
fn shipped_files_are_formatted() {
    let mut count = 0;
    for folder in ["experiments", "stdlib"] {
        for entry in std::fs::read_dir(folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ext| ext == "exp") {
                let text = std::fs::read_to_string(&path).expect("a text");
                assert!(text == check(&text), "{} is not formatted", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 0);
}

mod exp_generator;

use exp_generator::{lay_out, tokens};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Line breaks carry no meaning: any layout gives the same tree.
    #[test]
    fn any_layout_means_the_same(seed: u64, layout: u64) {
        let tokens = tokens(seed);
        let plain = tokens.join(" ");
        let reference = parse(FileId(0), &plain);
        prop_assert!(reference.diagnostics.is_empty(), "{}\n{plain}", rendered(&plain, &reference.diagnostics));
        let (text, _) = lay_out(&tokens, layout, true);
        let parsed = parse(FileId(0), &text);
        prop_assert!(parsed.diagnostics.is_empty(), "{}\n{text}", rendered(&text, &parsed.diagnostics));
        prop_assert_eq!(shape(&reference.file), shape(&parsed.file), "{}", text);
    }

    /// Formatting keeps the tree and every comment, and settles at once.
    #[test]
    fn formatting_loses_nothing(seed: u64, layout: u64) {
        let (text, written) = lay_out(&tokens(seed), layout, true);
        check(&text);
        prop_assert_eq!(comments(&parse(FileId(0), &text).file), written, "{}", text);
        check(&text);
    }
}
