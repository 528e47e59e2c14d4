use super::*;
use crate::base::span::{FileId, Span};

fn sources() -> (Sources, FileId, FileId) {
    let mut sources = Sources::new();
    let a = sources.add("a.exp", "param n = 3\nパ param m = n\n");
    let b = sources.add("lib/b.exp", "param n = 4\n");
    (sources, a, b)
}

fn diagnostic(a: FileId, b: FileId) -> Diagnostic {
    Diagnostic::error(Code::BadName, Span::new(a, 22, 23), "`m` is taken")
        .label("declared again")
        .help("take another name")
        .related(Span::new(a, 6, 7), "like this one")
        .related(Span::new(b, 6, 7), "and this one")
}

#[test]
fn text_marks_every_place() {
    let (sources, a, b) = sources();
    let text = render(&diagnostic(a, b), &sources, Style::Plain);
    let expected = [
        "error[E008]: `m` is taken",
        " --> a.exp:2:9",
        "  |",
        "1 | param n = 3",
        "  |       - like this one",
        "2 | パ param m = n",
        "  |          ^ declared again",
        "  |",
        " ::: lib/b.exp:1:7",
        "  |",
        "1 | param n = 4",
        "  |       - and this one",
        "  |",
        "  = help: take another name",
    ];
    assert_eq!(text, expected.join("\n"));
    assert!(render(&diagnostic(a, b), &sources, Style::Colour).contains('\u{1b}'));
}

#[test]
fn text_needs_no_place() {
    let general = Diagnostic::general(Code::FileTooLarge, "too much").help("less");
    let text = render(&general, &Sources::new(), Style::Plain);
    assert_eq!(text, "error[E016]: too much\n = help: less");
    // A place in no text is not a reason to fail.
    let lost = Diagnostic::warning(Code::BadName, Span::new(FileId(9), 4, 99), "lost");
    assert!(render(&lost, &Sources::new(), Style::Plain).contains("warning[E008]: lost"));
}

#[test]
fn data_says_the_same_as_the_text() {
    let (sources, a, b) = sources();
    let expected = serde_json::json!([{
        "code": "E008", "severity": "error",
        "file": "a.exp", "line": 2, "column": 9, "end_line": 2, "end_column": 10,
        "message": "`m` is taken", "label": "declared again", "help": "take another name",
        "related": [
            { "file": "a.exp", "line": 1, "column": 7, "message": "like this one" },
            { "file": "lib/b.exp", "line": 1, "column": 7, "message": "and this one" },
        ],
    }]);
    let found = serde_json::to_value(json(&[diagnostic(a, b)], &sources));
    assert_eq!(found.expect("data"), expected);
}

#[test]
fn sorted_by_file_and_position() {
    let (_, a, b) = sources();
    let at = |file, start| Diagnostic::error(Code::BadName, Span::new(file, start, start), "x");
    let general = Diagnostic::general(Code::BadName, "x");
    let mut all = vec![at(b, 0), at(a, 9), at(a, 2), general];
    sort(&mut all);
    let places: Vec<_> = all
        .iter()
        .map(|d| d.span.map(|s| (s.file.0, s.start)))
        .collect();
    assert_eq!(places, [None, Some((0, 2)), Some((0, 9)), Some((1, 0))]);
    assert!(has_errors(&all));
}
