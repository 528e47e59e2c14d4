//! Where the script of a hook ends: at the brace that closes it, with strings,
//! characters, comments, raw and back-quoted strings skipped over.

/// Bytes before the closing brace of a script whose opening brace stands just
/// before `text`; `None` if it is never closed.
pub(super) fn length(text: &str) -> Option<usize> {
    closing_brace(text.as_bytes(), 0, 0)
}

/// Strings within strings deeper than this are not followed.
const MAX_NESTING: u32 = 32;

fn closing_brace(bytes: &[u8], start: usize, nesting: u32) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            b'"' => at = after_quoted(bytes, at, b'"'),
            b'\'' => at = after_quoted(bytes, at, b'\''),
            b'`' => at = after_back_quoted(bytes, at, nesting),
            b'#' => at = after_raw(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = after_line(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = after_comment(bytes, at),
            _ => {}
        }
        at += 1;
    }
    None
}

// Each of these gives the position of the last byte of what it skips.

fn after_quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            // A character or string ends on its line; a line may be continued
            // by a backslash, which the arm above has skipped.
            b'\n' => return at,
            byte if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// `` `text ${expr} text` ``: an expression may hold strings and braces.
fn after_back_quoted(bytes: &[u8], start: usize, nesting: u32) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'`' if bytes.get(at + 1) == Some(&b'`') => at += 1,
            b'`' => return at,
            b'$' if bytes.get(at + 1) == Some(&b'{') && nesting < MAX_NESTING => {
                match closing_brace(bytes, at + 2, nesting + 1) {
                    Some(end) => at = end,
                    None => return bytes.len(),
                }
            }
            _ => {}
        }
        at += 1;
    }
    at
}

/// `#"raw"#`, with as many signs at both ends; a lone `#{` is an object map.
fn after_raw(bytes: &[u8], start: usize) -> usize {
    let signs = bytes[start..].iter().take_while(|b| **b == b'#').count();
    if bytes.get(start + signs) != Some(&b'"') {
        return start + signs - 1;
    }
    let mut at = start + signs + 1;
    while at < bytes.len() {
        let closing = &bytes[at + 1..];
        if bytes[at] == b'"' && closing.iter().take(signs).filter(|b| **b == b'#').count() == signs
        {
            return at + signs;
        }
        at += 1;
    }
    at
}

fn after_line(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() && bytes[at] != b'\n' {
        at += 1;
    }
    at
}

/// Block comments nest.
fn after_comment(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut at = start;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                depth += 1;
                at += 1;
            }
            (b'*', Some(b'/')) => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn braces_in_strings_and_comments_are_skipped() {
        for script in [
            "",
            " 1 ",
            "if a { 1 } else { 2 }",
            r#" "}" "#,
            r#" "\"}" "#,
            " '}' ",
            " '\\'' ",
            " `}` ",
            " `a ${ if x { \"}\" } else { `}` } } b` ",
            " ##\"}\"# \"##  ",
            " #{ a: 1 } ",
            " // }\n 1 ",
            " /* } /* } */ } */ 2 ",
            " a / b ",
        ] {
            let text = format!("{script}}} rest }}");
            assert_eq!(length(&text), Some(script.len()), "{script}");
        }
        assert_eq!(length(" { 1 "), None);
        assert_eq!(length(" \"} "), None);
    }
}
