//! Names and constants as SQL text.

use std::fmt::Write as _;

use crate::base::Value;

/// A name, quoted: `"first_name"`.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text constant.
///
/// SQL text ends at a zero byte; such texts, and those with other control
/// characters, are spelled in hex.
pub fn text(value: &str) -> String {
    if value.chars().any(|c| c.is_control()) {
        format!("CAST({} AS TEXT)", blob(value.as_bytes()))
    } else {
        format!("'{}'", value.replace('\'', "''"))
    }
}

/// A blob constant: `x'01ff'`.
pub fn blob(value: &[u8]) -> String {
    let mut sql = String::with_capacity(value.len() * 2 + 3);
    sql.push_str("x'");
    for byte in value {
        let _ = write!(sql, "{byte:02x}");
    }
    sql.push('\'');
    sql
}

/// A float constant that SQLite reads back as the same double.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        "NULL".into()
    } else if value.is_infinite() {
        if value > 0.0 { "9e999" } else { "-9e999" }.into()
    } else {
        format!("{value:?}")
    }
}

/// A constant; lists have no SQL form.
pub fn constant(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "NULL".into(),
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Int(i) | Value::Timestamp(i) => i.to_string(),
        Value::Float(f) => float(*f),
        Value::Text(t) | Value::Json(t) => text(t),
        Value::Uuid(u) => blob(u),
        Value::Blob(b) => blob(b),
        Value::List(_) => return None,
    })
}

/// The smallest text above every text that starts with `prefix`; `None` where
/// there is no such text. UTF-8 sorts by code point, so counting the last
/// character up is exact.
pub fn successor(prefix: &str) -> Option<String> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        let next = match last {
            '\u{d7ff}' => Some('\u{e000}'),
            other => char::from_u32(other as u32 + 1),
        };
        if let Some(next) = next {
            chars.push(next);
            return Some(chars.into_iter().collect());
        }
    }
    None
}

/// A `like` pattern as a GLOB pattern: SQLite's LIKE ignores the case of ASCII
/// letters, GLOB does not, and can use an index.
pub fn glob(like: &str) -> String {
    let mut pattern = String::with_capacity(like.len() + 4);
    let mut chars = like.chars();
    while let Some(c) = chars.next() {
        match c {
            '%' => pattern.push('*'),
            '_' => pattern.push('?'),
            '\\' => literally(&mut pattern, chars.next().unwrap_or('\\')),
            other => literally(&mut pattern, other),
        }
    }
    pattern
}

fn literally(pattern: &mut String, c: char) {
    if matches!(c, '*' | '?' | '[') {
        let _ = write!(pattern, "[{c}]");
    } else {
        pattern.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_or_spelled_in_hex() {
        assert_eq!(text("O'Neil"), "'O''Neil'");
        assert_eq!(text("a\0b"), "CAST(x'610062' AS TEXT)");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }

    #[test]
    fn successor_bounds_exactly_the_prefix() {
        assert_eq!(successor("sh").as_deref(), Some("si"));
        assert_eq!(successor("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(successor("\u{d7ff}").as_deref(), Some("\u{e000}"));
        assert_eq!(successor("\u{10ffff}"), None);
    }

    #[test]
    fn like_becomes_glob() {
        assert_eq!(glob(r"a%b_c\%*[?\_"), "a*b?c%[*][[][?]_");
        assert_eq!(glob("trailing\\"), "trailing\\");
    }

    #[test]
    fn sqlite_reads_floats_back_exactly() {
        let db = rusqlite::Connection::open_in_memory().unwrap();
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let value = f64::from_bits(bits);
            let value = if bits.is_multiple_of(2) {
                value
            } else {
                (bits >> 11) as f64 / (1u64 << 53) as f64
            };
            if value.is_finite() {
                let sql = format!("SELECT {}", float(value));
                let read: f64 = db.query_row(&sql, [], |r| r.get(0)).unwrap();
                assert_eq!(read, value, "{sql}");
            }
        }
    }
}
