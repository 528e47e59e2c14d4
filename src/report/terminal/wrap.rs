//! Lines that fit.

/// Adds `text` as lines of at most `width` characters, broken at spaces; lines
/// after the first stand `hang` spaces in. A longer word stays whole.
pub fn wrap(text: &str, hang: usize, width: usize, out: &mut String) {
    let words = text.trim_start_matches(' ');
    let indent = text.len() - words.len();
    out.push_str(&text[..indent]);
    let mut length = indent;
    for (at, word) in words.split(' ').enumerate() {
        let word_length = word.chars().count();
        if at > 0 && length + 1 + word_length > width {
            out.push('\n');
            out.push_str(&" ".repeat(hang));
            length = hang;
        } else if at > 0 {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += word_length;
    }
    out.push('\n');
}

/// `text`, cut with `…` to `width` characters.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars()
        .take(width.saturating_sub(1))
        .chain(['…'])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_longer_than_asked() {
        let mut out = String::new();
        wrap("! one two three four five six", 2, 12, &mut out);
        assert_eq!(out, "! one two\n  three four\n  five six\n");
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abc", 4), "abc");
    }
}
