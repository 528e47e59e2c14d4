//! The order of values: total, null first.

use std::cmp::Ordering;

use crate::base::{Value, ValueRef};

/// Compares two values in the one order that all engines are held to.
///
/// Null comes first. Ints, floats and timestamps compare as the numbers they
/// are, exactly: no int is rounded to a float. `-0.0` equals `0.0`; NaN, which
/// no generator makes, comes after every number. Texts, uuids and blobs
/// compare by bytes, JSON by its text, lists element by element. Between kinds
/// that do not compare, the order is null, bool, number, text and JSON, uuid,
/// blob, list.
pub fn compare(a: ValueRef<'_>, b: ValueRef<'_>) -> Ordering {
    use ValueRef::*;
    match (a, b) {
        (Null, Null) => Ordering::Equal,
        (Bool(a), Bool(b)) => a.cmp(&b),
        (Int(a) | Timestamp(a), Int(b) | Timestamp(b)) => a.cmp(&b),
        (Float(a), Float(b)) => floats(a, b),
        (Int(a) | Timestamp(a), Float(b)) => int_and_float(a, b),
        (Float(a), Int(b) | Timestamp(b)) => int_and_float(b, a).reverse(),
        (Text(a) | Json(a), Text(b) | Json(b)) => a.as_bytes().cmp(b.as_bytes()),
        (Uuid(a), Uuid(b)) => a.cmp(&b),
        (Blob(a), Blob(b)) => a.cmp(b),
        (List(a), List(b)) => {
            let pairs = a.iter().zip(b).map(|(a, b)| compare(*a, *b));
            pairs
                .into_iter()
                .find(|order| order.is_ne())
                .unwrap_or(a.len().cmp(&b.len()))
        }
        (a, b) => rank(a).cmp(&rank(b)),
    }
}

/// As [`compare`], of owned values.
pub fn compare_values(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::List(a), Value::List(b)) => {
            let pairs = a.iter().zip(b).map(|(a, b)| compare_values(a, b));
            pairs
                .into_iter()
                .find(|order| order.is_ne())
                .unwrap_or(a.len().cmp(&b.len()))
        }
        // A list against anything else is decided by rank alone.
        _ => compare(a.scalar_ref(), b.scalar_ref()),
    }
}

/// A value under the order of [`compare`], for sorted structures.
#[derive(Clone, Debug)]
pub struct Ordered(pub Value);

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        compare_values(&self.0, &other.0)
    }
}

fn floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b)
        .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn int_and_float(a: i64, b: f64) -> Ordering {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if b.is_nan() || b >= LIMIT {
        return Ordering::Less;
    }
    if b < -LIMIT {
        return Ordering::Greater;
    }
    // Inside the range truncation is exact; the fraction decides a tie.
    let whole = b.trunc();
    a.cmp(&(whole as i64)).then(floats(0.0, b - whole))
}

fn rank(value: ValueRef<'_>) -> u8 {
    match value {
        ValueRef::Null => 0,
        ValueRef::Bool(_) => 1,
        ValueRef::Int(_) | ValueRef::Float(_) | ValueRef::Timestamp(_) => 2,
        ValueRef::Text(_) | ValueRef::Json(_) => 3,
        ValueRef::Uuid(_) => 4,
        ValueRef::Blob(_) => 5,
        ValueRef::List(_) => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<i64>().prop_map(Value::Int),
            (-4i64..4).prop_map(Value::Int),
            (-8i32..8).prop_map(|x| Value::Float(f64::from(x) / 2.0)),
            any::<i64>().prop_map(|x| Value::Float(x as f64)),
            any::<i64>().prop_map(Value::Timestamp),
            Just(Value::Null),
            "[a-cA-C]{0,3}".prop_map(Value::Text),
            prop::collection::vec((-2i64..2).prop_map(Value::Int), 0..3).prop_map(Value::List),
        ]
    }

    proptest! {
        #[test]
        fn the_order_is_total(a in numbers(), b in numbers(), c in numbers()) {
            prop_assert_eq!(compare_values(&a, &b), compare_values(&b, &a).reverse());
            if compare_values(&a, &b).is_le() && compare_values(&b, &c).is_le() {
                prop_assert!(compare_values(&a, &c).is_le());
            }
            let borrowed = a.with_ref(|a| b.with_ref(|b| compare(a, b)));
            prop_assert_eq!(borrowed, compare_values(&a, &b));
        }
    }

    #[test]
    fn large_ints_are_not_rounded() {
        let float = ValueRef::Float(9_007_199_254_740_992.0);
        assert_eq!(
            compare(ValueRef::Int(9_007_199_254_740_993), float),
            Ordering::Greater
        );
        assert_eq!(
            compare(ValueRef::Int(9_007_199_254_740_992), float),
            Ordering::Equal
        );
        assert_eq!(
            compare(ValueRef::Int(i64::MAX), ValueRef::Float(i64::MAX as f64)),
            Ordering::Less
        );
        assert_eq!(
            compare(ValueRef::Int(-1), ValueRef::Float(-1.5)),
            Ordering::Greater
        );
    }
}
