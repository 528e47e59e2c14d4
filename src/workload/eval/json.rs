//! Values inside JSON text.

use crate::base::Value;

/// The value behind `keys` in a JSON text, outermost key first; null where a
/// key is missing or the text is no JSON.
///
/// Numbers without fraction or exponent are ints where they fit, all others
/// floats; objects and arrays stay JSON.
pub fn json_value(text: &str, keys: &[String]) -> Value {
    let Ok(root) = serde_json::from_str::<serde_json::Value>(text) else {
        return Value::Null;
    };
    let mut at = &root;
    for key in keys {
        match at.get(key) {
            Some(inner) => at = inner,
            None => return Value::Null,
        }
    }
    match at {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(b) => Value::Bool(*b),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(int), _) => Value::Int(int),
            (None, Some(float)) => Value::Float(float),
            (None, None) => Value::Null,
        },
        serde_json::Value::String(text) => Value::Text(text.clone()),
        inner => Value::Json(inner.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_kinds() {
        let text = r#"{"a":{"b":1,"c":1.0,"d":"x"},"e":null,"f":true}"#;
        let at = |keys: &[&str]| {
            let keys: Vec<String> = keys.iter().map(|k| k.to_string()).collect();
            json_value(text, &keys)
        };
        assert_eq!(at(&["a", "b"]), Value::Int(1));
        assert_eq!(at(&["a", "c"]), Value::Float(1.0));
        assert_eq!(at(&["a", "d"]), Value::Text("x".into()));
        assert_eq!(at(&["e"]), Value::Null);
        assert_eq!(at(&["a", "b", "z"]), Value::Null);
        assert_eq!(at(&["f"]), Value::Bool(true));
    }
}
