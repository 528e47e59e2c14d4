//! Texts, and uuids that are kept as such.

use uuid::Uuid;

use super::TextCheck;
use super::condition::{Check, Condition, Operand};
use super::leaf::Leaf;
use super::predicate::Exactly;
use crate::base::Value;
use crate::engines::objectbox::ffi::types::flag;
use crate::engines::objectbox::layout::{Property, Storage};
use crate::plan::{CompareOp, TextOp};

/// A text compared by bytes, or folded where that means the same.
pub fn compared(
    leaf: &Leaf<'_>,
    op: CompareOp,
    value: &Value,
    ignoring_case: bool,
) -> Option<Exactly> {
    let check = |op, text, sensitive| {
        leaf.test(Check::Text(
            TextCheck::Compare(op),
            Operand::Value(text),
            sensitive,
        ))
    };
    if leaf.property.storage == Storage::UuidText {
        let Value::Uuid(uuid) = value else {
            return None;
        };
        return Some((check(op, spelled(uuid), true), true));
    }
    let text = plain(value)?;
    let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
    if ignoring_case {
        let folds = equality && folds_alike(&text, &['k']);
        return folds.then(|| (check(op, text, false), true));
    }
    if leaf.insensitive && op == CompareOp::Equal {
        return Some((check(op, text, false), false));
    }
    if by_value(leaf.property)
        && let Some(wider) = wider(op)
    {
        let unequal = check(CompareOp::NotEqual, text.clone(), true);
        let both = vec![check(wider, text, true), unequal];
        return Some((Condition::All(both), true));
    }
    Some((check(op, text, true), true))
}

/// Whether it has an index over the texts themselves. Such an index holds
/// only the beginnings of long texts (from about 480 bytes on), and `<`, `>`
/// and `in` take these for the whole: seen with version 5.3.2, see also
/// <https://github.com/objectbox/objectbox-dart/issues/318>. All others, `<=`
/// and `>=` too, look at the text itself.
pub fn by_value(property: &Property) -> bool {
    property.indexed && property.flags & flag::INDEXED != 0
}

/// The comparison that also holds of equals.
pub fn wider(op: CompareOp) -> Option<CompareOp> {
    match op {
        CompareOp::Less => Some(CompareOp::LessOrEqual),
        CompareOp::Greater => Some(CompareOp::GreaterOrEqual),
        _ => None,
    }
}

/// A text matched with a pattern.
pub fn matched(
    leaf: &Leaf<'_>,
    op: TextOp,
    pattern: &Value,
    ignoring_case: bool,
) -> Option<Exactly> {
    let pattern = plain(pattern)?;
    let (check, text) = match op {
        TextOp::Like => simple_like(&pattern)?,
        op => (check(op)?, pattern),
    };
    let unlike = if check == TextCheck::Compare(CompareOp::Equal) {
        &['k'][..]
    } else if text.is_empty() {
        return Some((leaf.not_null(), true));
    } else {
        &['k', 'i']
    };
    if ignoring_case && !folds_alike(&text, unlike) {
        return None;
    }
    let sensitive = !(ignoring_case || leaf.insensitive);
    let exact = sensitive || ignoring_case;
    let check = Check::Text(check, Operand::Value(text), sensitive);
    Some((leaf.test(check), exact))
}

/// The engine's way of matching.
pub fn check(op: TextOp) -> Option<TextCheck> {
    match op {
        TextOp::Contains => Some(TextCheck::Contains),
        TextOp::StartsWith => Some(TextCheck::StartsWith),
        TextOp::EndsWith => Some(TextCheck::EndsWith),
        TextOp::Like => None,
    }
}

/// `abc%`, `%abc`, `%abc%` and `abc`, where `abc` has nothing special in it.
fn simple_like(pattern: &str) -> Option<(TextCheck, String)> {
    let (before, inner) = match pattern.strip_prefix('%') {
        Some(inner) => (true, inner),
        None => (false, pattern),
    };
    let (after, inner) = match inner.strip_suffix('%') {
        Some(inner) => (true, inner),
        None => (false, inner),
    };
    if inner.contains(['%', '_', '\\']) {
        return None;
    }
    let check = match (before, after) {
        (true, true) => TextCheck::Contains,
        (false, true) => TextCheck::StartsWith,
        (true, false) => TextCheck::EndsWith,
        (false, false) => TextCheck::Compare(CompareOp::Equal),
    };
    Some((check, inner.to_owned()))
}

/// A text without zeros, which end a text of the C API.
pub fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.contains('\0') => Some(text.clone()),
        _ => None,
    }
}

/// Whether folding ASCII alone, as the engine does, finds the same: the text
/// is ASCII, and nothing else is lower-cased into what it is made of. That are
/// the Kelvin sign (`k`) and, followed by a dot above, the Turkish `İ` (`i`).
fn folds_alike(text: &str, unlike: &[char]) -> bool {
    text.is_ascii()
        && !text
            .chars()
            .any(|c| unlike.contains(&c.to_ascii_lowercase()))
}

/// A uuid as it is kept.
pub fn spelled(uuid: &[u8; 16]) -> String {
    Uuid::from_bytes(*uuid).hyphenated().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_k_and_i_come_from_elsewhere() {
        let foreign = ('\u{80}'..=char::MAX)
            .flat_map(|c| c.to_lowercase().filter(char::is_ascii))
            .collect::<std::collections::BTreeSet<char>>();
        assert_eq!(foreign.into_iter().collect::<String>(), "ik");
        let whole: String = ('\u{80}'..=char::MAX)
            .filter(|c| c.to_lowercase().all(|l| l.is_ascii()))
            .collect();
        assert_eq!(whole, "\u{212a}");
    }

    #[test]
    fn simple_patterns() {
        let (check, text) = simple_like("ab%").expect("simple");
        assert_eq!((check, text.as_str()), (TextCheck::StartsWith, "ab"));
        assert_eq!(simple_like("a_%"), None);
        assert_eq!(simple_like("50\\%"), None);
        assert_eq!(simple_like("%"), Some((TextCheck::EndsWith, String::new())));
    }
}
