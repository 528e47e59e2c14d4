//! Names as Room writes them into SQL.

/// A name in backticks. A layout's names come in double quotes.
pub fn ticked(name: &str) -> String {
    let bare = bare(name);
    format!("`{}`", bare.replace('`', "``"))
}

/// A layout's name without its quotes.
pub fn bare(name: &str) -> String {
    match name.strip_prefix('"').and_then(|n| n.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => name.to_owned(),
    }
}

/// `?,?,?`
pub fn places(count: usize) -> String {
    let mut places = "?,".repeat(count);
    places.pop();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_quotes() {
        assert_eq!(ticked("\"User\""), "`User`");
        assert_eq!(ticked("\"a\"\"b\""), "`a\"b`");
        assert_eq!(ticked("a`b"), "`a``b`");
        assert_eq!((places(3), places(0)), ("?,?,?".into(), String::new()));
    }
}
