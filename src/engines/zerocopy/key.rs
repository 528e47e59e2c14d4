//! Values as bytes that compare as the values do.
//!
//! Of a column that may be null, a byte 0 stands for null and a byte 1 before
//! every other value. Ints, timestamps and links: 8 bytes, big-endian, the sign
//! turned. Floats: their bits, big-endian, the sign turned, all bits of
//! negative ones turned. Bools: one byte. Uuids: as they are. Texts and bytes:
//! each 0 becomes 0 255, and 0 1 ends them, so that no key begins another.
//! Descending: all bits turned.

use super::block::Type;
use crate::base::ValueRef;

/// Appends a value as it stands in an index whose column may be null or not.
pub fn put(key: &mut Vec<u8>, value: ValueRef<'_>, optional: bool, descending: bool) {
    let from = key.len();
    if optional {
        key.push(u8::from(value != ValueRef::Null));
    }
    match value {
        ValueRef::Null | ValueRef::List(_) => {}
        ValueRef::Bool(bool) => key.push(u8::from(bool)),
        ValueRef::Int(int) | ValueRef::Timestamp(int) => {
            key.extend((int as u64 ^ 1 << 63).to_be_bytes());
        }
        ValueRef::Float(float) => {
            // Both zeros are one value.
            let bits = (float + 0.0).to_bits();
            let turned = if bits >> 63 == 1 {
                !bits
            } else {
                bits | 1 << 63
            };
            key.extend(turned.to_be_bytes());
        }
        ValueRef::Text(text) | ValueRef::Json(text) => put_bytes(key, text.as_bytes()),
        ValueRef::Blob(bytes) => put_bytes(key, bytes),
        ValueRef::Uuid(uuid) => key.extend(uuid),
    }
    if descending {
        for byte in &mut key[from..] {
            *byte = !*byte;
        }
    }
}

/// Appends a row that a link leads to, as the key of an index of back-links.
pub fn put_row(key: &mut Vec<u8>, row: u64) {
    key.extend(row.to_be_bytes());
}

fn put_bytes(key: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        key.push(*byte);
        if *byte == 0 {
            key.push(255);
        }
    }
    key.extend([0, 1]);
}

/// Whether a value is one of that column, so that its key can be sought.
pub fn fits(value: ValueRef<'_>, kind: Type) -> bool {
    matches!(
        (value, kind),
        (ValueRef::Bool(_), Type::Bool)
            | (ValueRef::Int(_), Type::Int)
            | (ValueRef::Timestamp(_), Type::Timestamp)
            | (ValueRef::Float(_), Type::Float)
            | (ValueRef::Text(_), Type::Text)
            | (ValueRef::Json(_), Type::Json)
            | (ValueRef::Blob(_), Type::Blob)
            | (ValueRef::Uuid(_), Type::Uuid)
    )
}

/// The first key after all that begin with this one; `None` if there is none.
pub fn after(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != 255)?;
    let mut next = prefix[..=last].to_vec();
    next[last] += 1;
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Value;
    use crate::workload::compare::compare_values;
    use proptest::prelude::*;

    fn pairs() -> impl Strategy<Value = (Value, Value)> {
        fn two(one: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = (Value, Value)> {
            let one = prop_oneof![1 => Just(Value::Null), 5 => one];
            (one.clone(), one)
        }
        prop_oneof![
            two(any::<i64>().prop_map(Value::Int)),
            two((-3i64..3).prop_map(Value::Timestamp)),
            two(any::<f64>()
                .prop_filter("a number", |f| !f.is_nan())
                .prop_map(Value::Float)),
            two(prop::sample::select(vec![0.0, -0.0, 1.0, -1.0]).prop_map(Value::Float)),
            two("[\u{0}ab]{0,3}".prop_map(Value::Text)),
            two(
                prop::collection::vec(prop::sample::select(vec![0u8, 1, 255]), 0..4)
                    .prop_map(Value::Blob)
            ),
            two(any::<[u8; 16]>().prop_map(Value::Uuid)),
            two(any::<bool>().prop_map(Value::Bool)),
        ]
    }

    proptest! {
        #[test]
        fn keys_compare_as_values((a, b) in pairs(), (c, d) in pairs(), descending: bool) {
            let key = |first: &Value, second: &Value| {
                let mut key = Vec::new();
                put(&mut key, first.scalar_ref(), true, descending);
                put(&mut key, second.scalar_ref(), true, false);
                key
            };
            let first = compare_values(&a, &b);
            let first = if descending { first.reverse() } else { first };
            prop_assert_eq!(key(&a, &c).cmp(&key(&b, &d)), first.then(compare_values(&c, &d)));
        }

        #[test]
        fn what_follows_a_prefix(prefix in prop::collection::vec(prop::sample::select(vec![0u8, 7, 255]), 0..4), rest in prop::collection::vec(any::<u8>(), 0..3)) {
            let mut key = prefix.clone();
            key.extend(rest);
            match after(&prefix) {
                Some(next) => prop_assert!(key < next),
                None => prop_assert!(prefix.iter().all(|b| *b == 255)),
            }
        }
    }
}
