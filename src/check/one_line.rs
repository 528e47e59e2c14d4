//! Source text on one line.

/// The text with blanks folded and comments left out; texts stay as they are.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut gap = false;
    while let Some(c) = chars.next() {
        if c == '/' && chars.peek() == Some(&'/') {
            for c in chars.by_ref() {
                if c == '\n' {
                    break;
                }
            }
            gap = true;
        } else if c.is_whitespace() {
            gap = true;
        } else {
            if gap && !folded.is_empty() {
                folded.push(' ');
            }
            gap = false;
            folded.push(c);
            if c == '"' {
                text_rest(&mut chars, &mut folded);
            }
        }
    }
    folded
}

/// The rest of a text, up to its closing quote.
fn text_rest(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, folded: &mut String) {
    while let Some(c) = chars.next() {
        folded.push(c);
        match c {
            '\\' => folded.extend(chars.next()),
            '"' | '\n' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn blanks_fold_and_comments_go() {
        assert_eq!(
            fold("a:  read User // all\n    where x == \"a  // \\\" b\"\n"),
            "a: read User where x == \"a  // \\\" b\""
        );
    }
}
