//! Names of classes and properties.
//!
//! Realm takes up to 57 bytes for a class and 63 for a property; some words
//! cannot stand in a query.

/// Words of the query language that are no names there, whatever their case
/// (`query_flex.ll`, `query_bison.yy`).
const RESERVED: &[&str] = &[
    "all",
    "and",
    "any",
    "false",
    "falsepredicate",
    "inf",
    "infinity",
    "length",
    "nan",
    "nil",
    "none",
    "not",
    "null",
    "obj",
    "or",
    "some",
    "subquery",
    "true",
    "truepredicate",
];

/// Name of a model's class; `at` tells long ones apart.
pub fn class_name(name: &str, at: usize) -> String {
    if name.len() <= 57 && name.is_ascii() {
        return name.to_owned();
    }
    let start: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(40)
        .collect();
    format!("{start}_{at}_")
}

/// Name of a field's property: none that is taken.
pub fn property_name(name: &str, taken: &[String]) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let mut wanted: String = name.chars().filter(plain).take(50).collect();
    if RESERVED.contains(&wanted.to_ascii_lowercase().as_str()) {
        wanted.push('_');
    }
    let free = |name: &String| !taken.iter().any(|taken| taken == name) && !name.is_empty();
    if free(&wanted) {
        return wanted;
    }
    (0..)
        .map(|at| format!("{wanted}_{at}"))
        .find(free)
        .unwrap_or(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_stand_in_a_query() {
        assert_eq!(property_name("first_name", &[]), "first_name");
        assert_eq!(property_name("none", &[]), "none_");
        assert_eq!(property_name("none_", &["none_".into()]), "none__0");
        assert_eq!(property_name(&"x".repeat(70), &[]).len(), 50);
        assert_eq!(class_name("Student", 3), "Student");
        assert_eq!(
            class_name(&"X".repeat(60), 3),
            format!("{}_3_", "X".repeat(40))
        );
    }
}
