//! Matching texts.

use std::borrow::Cow;

use crate::plan::TextOp;

/// A text with every character lower-cased, as `ignoring case` compares it.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Whether `text` matches `pattern`; both folded first if `ignoring_case`.
pub fn matches(op: TextOp, text: &str, pattern: &str, ignoring_case: bool) -> bool {
    let folded = |text| {
        if ignoring_case {
            Cow::Owned(fold(text))
        } else {
            Cow::Borrowed(text)
        }
    };
    let (text, pattern) = (folded(text), folded(pattern));
    match op {
        TextOp::Contains => text.contains(&*pattern),
        TextOp::StartsWith => text.starts_with(&*pattern),
        TextOp::EndsWith => text.ends_with(&*pattern),
        TextOp::Like => like(&text, &pattern),
    }
}

enum Piece {
    One,
    Any,
    Exactly(char),
}

/// Whether the whole text matches: `%` is any run of characters, `_` one
/// character, `\` takes the next character literally (at the end: itself).
pub fn like(text: &str, pattern: &str) -> bool {
    let pieces = pieces(pattern);
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut piece) = (0, 0);
    // Where the last `%` stood and how far it reaches: the only place that
    // ever needs trying again.
    let mut retry = None;
    while at < text.len() {
        match pieces.get(piece) {
            Some(Piece::Any) => {
                retry = Some((piece, at));
                piece += 1;
                continue;
            }
            Some(Piece::One) => {
                (at, piece) = (at + 1, piece + 1);
                continue;
            }
            Some(Piece::Exactly(c)) if *c == text[at] => {
                (at, piece) = (at + 1, piece + 1);
                continue;
            }
            _ => {}
        }
        let Some((any, reach)) = retry else {
            return false;
        };
        retry = Some((any, reach + 1));
        (at, piece) = (reach + 1, any + 1);
    }
    pieces[piece..].iter().all(|p| matches!(p, Piece::Any))
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        pieces.push(match c {
            '%' => Piece::Any,
            '_' => Piece::One,
            '\\' => Piece::Exactly(characters.next().unwrap_or('\\')),
            other => Piece::Exactly(other),
        });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, by recursion.
    fn slow(text: &[char], pieces: &[Piece]) -> bool {
        match pieces.first() {
            None => text.is_empty(),
            Some(Piece::Any) => (0..=text.len()).any(|skip| slow(&text[skip..], &pieces[1..])),
            Some(Piece::One) => !text.is_empty() && slow(&text[1..], &pieces[1..]),
            Some(Piece::Exactly(c)) => text.first() == Some(c) && slow(&text[1..], &pieces[1..]),
        }
    }

    proptest! {
        #[test]
        fn like_is_its_definition(text in "[ab%_\\\\é]{0,7}", pattern in "[ab%_\\\\é]{0,7}") {
            let characters: Vec<char> = text.chars().collect();
            prop_assert_eq!(like(&text, &pattern), slow(&characters, &pieces(&pattern)));
        }
    }

    #[test]
    fn escapes_and_characters() {
        assert!(like("50%", r"50\%") && !like("505", r"50\%"));
        assert!(like(r"a\b", r"a\\b"));
        assert!(like("né", "n_"), "one character, not one byte");
        assert!(!like("Jane", "jane") && matches(TextOp::Like, "JANE", "ja%", true));
        assert!(matches(TextOp::Contains, "ÀÉ", "é", true));
    }
}
