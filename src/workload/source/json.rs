//! Canonical JSON text: no white space, keys as declared.

use super::spell::{spell, spell_float};
use crate::base::Value;

/// Appends a value as JSON. Uuids, timestamps and blobs become strings, as
/// [`spell`] has them, but timestamps numbers; a float that is not finite, null.
pub fn write_json(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Int(int) | Value::Timestamp(int) => text.push_str(&int.to_string()),
        Value::Float(float) if float.is_finite() => spell_float(*float, text),
        Value::Float(_) => text.push_str("null"),
        Value::Text(inner) => write_string(inner, text),
        Value::Json(inner) => text.push_str(inner),
        Value::Uuid(_) | Value::Blob(_) => {
            text.push('"');
            spell(value, text);
            text.push('"');
        }
        Value::List(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write_json(item, text);
            }
            text.push(']');
        }
    }
}

fn write_string(inner: &str, text: &mut String) {
    text.push('"');
    for c in inner.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c < ' ' => text.push_str(&format!("\\u{:04x}", c as u32)),
            c => text.push(c),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_reads_back(text: String, float: f64, int: i64) {
            let list = Value::List(vec![
                Value::Text(text.clone()),
                Value::Float(float),
                Value::Int(int),
            ]);
            let mut written = String::new();
            write_json(&list, &mut written);
            let read: serde_json::Value = serde_json::from_str(&written).expect("JSON");
            prop_assert_eq!(read[0].as_str(), Some(&*text));
            prop_assert_eq!(read[2].as_i64(), Some(int));
            prop_assert!(read[1].is_null() != float.is_finite());
        }
    }
}
