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
            (mine, theirs) => Some(format!("computed {mine:?}, expected {theirs:?}")),
        }
    }
}

fn agree(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => {
            a == b || (a - b).abs() <= FLOAT_TOLERANCE * a.abs().max(b.abs())
        }
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        _ => a == b,
    }
}
