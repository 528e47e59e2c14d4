//! Core Data's names: `ZSTUDENT`, `ZFIRST_NAME`, `Z_3COURSES`.

use crate::engines::sqlite::sql::names::quoted;

/// Name of an entity's table, or of a property's column.
pub fn z(name: &str) -> String {
    format!("Z{}", name.to_uppercase())
}

/// A name as it stands in SQL: bare where that is a name to SQLite.
pub fn spelled(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A name that is not taken, by a number at its end; SQLite ignores the case
/// of ASCII letters in names.
pub fn free(wanted: String, taken: &mut Vec<String>) -> String {
    let mut name = wanted.clone();
    let mut number = 0;
    while taken.iter().any(|t| t.eq_ignore_ascii_case(&name)) {
        number += 1;
        name = format!("{wanted}{number}");
    }
    taken.push(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_upper_case_and_their_own() {
        assert_eq!(z("first_name"), "ZFIRST_NAME");
        assert_eq!(spelled("ZÄRA"), "\"ZÄRA\"");
        let mut taken = vec!["Z_PK".to_owned()];
        assert_eq!(free(z("_pk"), &mut taken), "Z_PK1");
        assert_eq!(free(z("a"), &mut taken), "ZA");
        assert_eq!(free(z("A"), &mut taken), "ZA1");
    }
}
