//! Two trees compared by what they say, not by where it stands.

use serde_json::Value;

use super::File;

/// The tree without places, comments and layout. Formatting never changes it.
pub fn shape(file: &File) -> Value {
    let mut value = serde_json::to_value(file).unwrap_or(Value::Null);
    strip(&mut value);
    value
}

/// The texts of all comments of a file, sorted.
pub type Comments = Vec<String>;

/// Every comment that the tree holds (those in hook bodies are script).
pub fn comments(file: &File) -> Comments {
    let value = serde_json::to_value(file).unwrap_or(Value::Null);
    let mut found = Vec::new();
    collect(&value, &mut found);
    found.sort();
    found
}

const NOT_SHAPE: &[&str] = &["span", "trivia", "opening", "closing", "layout", "id"];

fn strip(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !NOT_SHAPE.contains(&key.as_str()));
            map.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn collect(value: &Value, found: &mut Comments) {
    match value {
        Value::Object(map) => {
            if let (Some(Value::String(text)), true) =
                (map.get("text"), map.contains_key("blank_before"))
            {
                found.push(text.clone());
            }
            map.values().for_each(|inside| collect(inside, found));
        }
        Value::Array(items) => items.iter().for_each(|inside| collect(inside, found)),
        _ => {}
    }
}
