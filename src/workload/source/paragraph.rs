//! Text that looks like English, of an exact length.

use super::words::{LONGEST, words_of, words_up_to};
use crate::workload::random::Stream;
use crate::workload::random::range::below;

/// Sentences of `length` characters in all, ending with a full stop (a single
/// character is a letter). All ASCII.
pub fn paragraph(stream: &mut Stream, length: u64) -> String {
    let mut text = String::with_capacity(length as usize);
    if length == 1 {
        text.push('A');
    }
    if length < 2 {
        return text;
    }
    // Without the last full stop.
    let mut left = length - 1;
    let mut sentence_words = 0;
    loop {
        let last = left <= LONGEST;
        let choices = if last {
            words_of(left)
        } else {
            // Leaves room for a full stop, a space and one more letter.
            words_up_to((left - 3).min(LONGEST))
        };
        let word = choices[below(stream, choices.len() as u64) as usize];
        push_word(&mut text, word, sentence_words == 0);
        sentence_words += 1;
        left -= word.len() as u64;
        if last {
            break;
        }
        // A sentence has 4 words or more, 11 on average.
        if sentence_words >= 4 && below(stream, 8) == 0 {
            text.push('.');
            left -= 1;
            sentence_words = 0;
        }
        text.push(' ');
        left -= 1;
    }
    text.push('.');
    text
}

fn push_word(text: &mut String, word: &str, capital: bool) {
    let start = text.len();
    text.push_str(word);
    if capital && let Some(first) = text.get_mut(start..=start) {
        first.make_ascii_uppercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_exact() {
        for length in 0..400 {
            for key in 0..20 {
                let text = paragraph(&mut Stream::new(key), length);
                assert_eq!(text.chars().count() as u64, length, "{text}");
                assert!(length < 2 || text.ends_with('.'));
                assert!(!text.contains("  ") && !text.contains(".."));
            }
        }
    }
}
