//! What a step answered, so that engines can be held against the oracle.

use serde::{Deserialize, Serialize};

use crate::base::Value;

/// Count, digest and computed value of one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Records delivered, counted, stored or matched, over all repetitions.
    pub count: u64,
    /// Multiset digest of the verifying pass, 32 hex digits; absent where the step has none.
    pub digest: Option<String>,
    /// Digest of the sequence of sort keys; absent without `order by`.
    pub order: Option<String>,
    /// The computed value (aggregate or hook).
    pub value: Option<Value>,
}

/// Relative tolerance within which two computed floats agree, sums being compensated.
pub const FLOAT_TOLERANCE: f64 = 1e-9;

impl Answer {
    /// What differs between this answer and the oracle's, in words; `None` when they agree.
    pub fn difference(&self, oracle: &Answer) -> Option<String> {
        if self.count != oracle.count {
            return Some(format!("{} records, expected {}", self.count, oracle.count));
        }
        if self.digest != oracle.digest {
            return Some("same count, but other contents than expected".into());
        }
        if self.order != oracle.order {
            return Some("right records, but in another order than asked".into());
        }
        match (&self.value, &oracle.value) {
            (None, None) => None,
            (Some(mine), Some(theirs)) if agree(mine, theirs) => None,
            (mine, theirs) => Some(format!(
                "computed {}, expected {}",
                shown(mine.as_ref()),
                shown(theirs.as_ref())
            )),
        }
    }
}

fn agree(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => {
            let tolerance = FLOAT_TOLERANCE * a.abs().max(b.abs());
            a == b || (tolerance.is_finite() && (a - b).abs() <= tolerance)
        }
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        _ => a == b,
    }
}

/// The beginning of a computed value: a hook's can be of any length.
fn shown(value: Option<&Value>) -> String {
    const MOST_CHARS: usize = 80;
    let Some(value) = value else {
        return "nothing".into();
    };
    let mut text = String::new();
    spell(value, &mut text);
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn spell(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(&b.to_string()),
        Value::Int(i) => out.push_str(&i.to_string()),
        Value::Timestamp(ms) => out.push_str(&format!("{ms} ms")),
        Value::Float(f) => out.push_str(&format!("{f:?}")),
        Value::Text(text) => out.push_str(&format!("\"{text}\"")),
        Value::Json(text) => out.push_str(text),
        Value::Uuid(bytes) => out.push_str(&uuid::Uuid::from_bytes(*bytes).to_string()),
        Value::Blob(bytes) => out.push_str(&format!("{} bytes", bytes.len())),
        Value::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                spell(item, out);
            }
            out.push(']');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: Value) -> Answer {
        Answer {
            value: Some(value),
            ..Answer::default()
        }
    }

    #[test]
    fn floats_agree_within_the_tolerance_and_the_infinite_only_with_itself() {
        let float = |f| of(Value::Float(f));
        assert_eq!(float(1.0).difference(&float(1.0 + 1e-12)), None);
        assert_eq!(float(f64::INFINITY).difference(&float(f64::INFINITY)), None);
        assert_eq!(
            float(f64::INFINITY).difference(&float(5.0)).as_deref(),
            Some("computed inf, expected 5.0")
        );
    }

    #[test]
    fn long_values_are_told_by_their_beginning() {
        let long = of(Value::List(vec![Value::Text("ß".into()); 1_000]));
        let words = long.difference(&of(Value::Null)).unwrap();
        assert!(words.starts_with("computed [\"ß\", \"ß\""), "{words}");
        assert!(words.chars().count() < 130, "{words}");
    }
}
