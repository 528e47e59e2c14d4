//! Where two values differ, by name.

use serde::Serialize;
use serde_json::Value;

/// The first `most` places at which the JSON forms of two values differ, as
/// `name.of.place: before -> after`.
pub fn differences<T: Serialize>(before: &T, after: &T, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    if let (Ok(before), Ok(after)) = (serde_json::to_value(before), serde_json::to_value(after)) {
        walk("", &before, &after, most, &mut found);
    }
    found
}

fn walk(place: &str, before: &Value, after: &Value, most: usize, found: &mut Vec<String>) {
    if found.len() >= most || before == after {
        return;
    }
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            let mut names: Vec<&String> = left.keys().chain(right.keys()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names {
                let inner = join(place, name);
                let get = |map: &serde_json::Map<String, Value>| {
                    map.get(name).cloned().unwrap_or(Value::Null)
                };
                walk(&inner, &get(left), &get(right), most, found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() != right.len() => {
            found.push(format!(
                "{place}: {} entries -> {} entries",
                left.len(),
                right.len()
            ));
        }
        (Value::Array(left), Value::Array(right)) => {
            for (at, (left, right)) in left.iter().zip(right).enumerate() {
                walk(&format!("{place}[{at}]"), left, right, most, found);
            }
        }
        _ => found.push(format!("{place}: {} -> {}", short(before), short(after))),
    }
}

fn join(place: &str, name: &str) -> String {
    if place.is_empty() {
        name.into()
    } else {
        format!("{place}.{name}")
    }
}

fn short(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_are_named_and_bounded() {
        let before = json!({"a": {"b": [1, 2]}, "c": "x", "d": [1], "e": 1});
        let after = json!({"a": {"b": [1, 3]}, "c": "y", "d": [1, 2]});
        assert_eq!(
            differences(&before, &after, 9),
            [
                "a.b[1]: 2 -> 3",
                "c: \"x\" -> \"y\"",
                "d: 1 entries -> 2 entries",
                "e: 1 -> null"
            ]
        );
        assert_eq!(differences(&before, &after, 1).len(), 1);
        assert!(differences(&before, &before, 9).is_empty());
    }
}
