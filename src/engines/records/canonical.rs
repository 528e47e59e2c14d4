//! Bytes that are equal exactly where values are.

use crate::base::Value;

/// Appends bytes that two values share exactly where the order of values calls
/// them equal: ints, floats and timestamps by the number they are, texts and
/// JSON by their bytes. Several values may follow one another.
pub fn canonical(value: &Value, into: &mut Vec<u8>) {
    match value {
        Value::Null => into.push(0),
        Value::Bool(bool) => into.extend([1, u8::from(*bool)]),
        Value::Int(int) | Value::Timestamp(int) => number(*int, into),
        Value::Float(float) => {
            let int = *float as i64;
            if int as f64 == *float && i128::from(int) == *float as i128 {
                return number(int, into);
            }
            into.push(3);
            let nan = float.is_nan();
            let bits = if nan {
                f64::NAN.to_bits()
            } else {
                float.to_bits()
            };
            into.extend(bits.to_be_bytes());
        }
        Value::Text(text) | Value::Json(text) => bytes(4, text.as_bytes(), into),
        Value::Uuid(uuid) => {
            into.push(5);
            into.extend(uuid);
        }
        Value::Blob(blob) => bytes(6, blob, into),
        Value::List(items) => {
            into.push(7);
            into.extend((items.len() as u64).to_be_bytes());
            items.iter().for_each(|item| canonical(item, into));
        }
    }
}

fn number(int: i64, into: &mut Vec<u8>) {
    into.push(2);
    into.extend(int.to_be_bytes());
}

fn bytes(tag: u8, bytes: &[u8], into: &mut Vec<u8>) {
    into.push(tag);
    into.extend((bytes.len() as u64).to_be_bytes());
    into.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::compare::compare_values;
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = Value> {
        let one = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            prop_oneof![-2i64..3, any::<i64>()].prop_map(Value::Int),
            (-2i64..3).prop_map(Value::Timestamp),
            prop_oneof![(-4i8..4).prop_map(|x| f64::from(x) / 2.0), any::<f64>()]
                .prop_map(Value::Float),
            any::<i64>().prop_map(|x| Value::Float(x as f64)),
            "[ab]{0,2}".prop_map(Value::Text),
            "[ab]{0,2}".prop_map(Value::Json),
            prop::collection::vec(0u8..2, 0..3).prop_map(Value::Blob),
        ];
        prop_oneof![
            one.clone(),
            prop::collection::vec(one, 0..3).prop_map(Value::List)
        ]
    }

    proptest! {
        #[test]
        fn equal_bytes_are_equal_values(a in values(), b in values()) {
            let bytes = |value: &Value| {
                let mut bytes = Vec::new();
                canonical(value, &mut bytes);
                bytes
            };
            prop_assert_eq!(bytes(&a) == bytes(&b), compare_values(&a, &b).is_eq());
        }
    }
}
