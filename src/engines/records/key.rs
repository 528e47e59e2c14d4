//! Keys of records.
//!
//! A record lies under the value of its key field; one of a model without a
//! key under its row. Byte order is the order of the values, so that an
//! ordered engine keeps records in the order of their keys:
//!
//! | key | bytes |
//! | --- | --- |
//! | row | 8, big-endian |
//! | int, timestamp | 8, big-endian, sign bit flipped |
//! | float | 8, big-endian bits, all flipped where negative, else the sign bit; −0 as 0 |
//! | bool | 1 |
//! | uuid | 16 |
//! | text, enum, json, blob | `=` and its bytes (a key may not be empty) |

use crate::base::{Value, ValueRef};
use crate::plan::Scalar;
use crate::plan::schema::{FieldId, FieldKind, Model};

/// How a model's keys are made.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyForm {
    /// Of the record's row.
    Row,
    /// Of the value of a field.
    Field(FieldId, Scalar),
}

const SIGN: u64 = 1 << 63;
const BYTES: u8 = b'=';

impl KeyForm {
    /// The form of a model's keys.
    pub fn of(model: &Model) -> KeyForm {
        let key = model
            .key
            .and_then(|key| Some((key, model.fields.get(key)?)));
        match key {
            Some((field, declared)) => match &declared.kind {
                FieldKind::Scalar(scalar) => KeyForm::Field(field, scalar.clone()),
                _ => KeyForm::Row,
            },
            None => KeyForm::Row,
        }
    }

    /// Appends the key of the record that has this identity; false, with
    /// nothing appended, where no record can have it.
    ///
    /// Numbers of another type find the key that they equal.
    pub fn write(&self, identity: &Value, into: &mut Vec<u8>) -> bool {
        let scalar = match self {
            KeyForm::Row => {
                let row = whole(identity).and_then(|row| u64::try_from(row).ok());
                into.extend(row.map(u64::to_be_bytes).into_iter().flatten());
                return row.is_some();
            }
            KeyForm::Field(_, scalar) => scalar,
        };
        match (scalar, identity) {
            (Scalar::Int | Scalar::Timestamp, value) => match whole(value) {
                Some(int) => into.extend((int as u64 ^ SIGN).to_be_bytes()),
                None => return false,
            },
            (Scalar::Float, Value::Float(float)) => into.extend(float_bytes(*float)),
            (Scalar::Float, Value::Int(int) | Value::Timestamp(int)) => {
                // Only where the int is a float exactly.
                let float = *int as f64;
                if float as i128 != i128::from(*int) {
                    return false;
                }
                into.extend(float_bytes(float));
            }
            (Scalar::Bool, Value::Bool(bool)) => into.push(u8::from(*bool)),
            (Scalar::Uuid, Value::Uuid(uuid)) => into.extend(uuid),
            (
                Scalar::Text | Scalar::Enum(_) | Scalar::Json,
                Value::Text(text) | Value::Json(text),
            ) => {
                into.push(BYTES);
                into.extend(text.as_bytes());
            }
            (Scalar::Blob, Value::Blob(bytes)) => {
                into.push(BYTES);
                into.extend(bytes);
            }
            _ => return false,
        }
        true
    }

    /// The identity that a key was made of; null where the bytes are no key.
    pub fn read<'k>(&self, key: &'k [u8]) -> ValueRef<'k> {
        let word = || key.try_into().ok().map(u64::from_be_bytes);
        let bytes = || key.strip_prefix(&[BYTES]);
        let text = || std::str::from_utf8(bytes()?).ok();
        let value = match self {
            KeyForm::Row => word().map(|row| ValueRef::Int(row as i64)),
            KeyForm::Field(_, scalar) => match scalar {
                Scalar::Int => word().map(|bits| ValueRef::Int((bits ^ SIGN) as i64)),
                Scalar::Timestamp => word().map(|bits| ValueRef::Timestamp((bits ^ SIGN) as i64)),
                Scalar::Float => word().map(|bits| {
                    let bits = if bits & SIGN == 0 { !bits } else { bits ^ SIGN };
                    ValueRef::Float(f64::from_bits(bits))
                }),
                Scalar::Bool => key.first().map(|byte| ValueRef::Bool(*byte != 0)),
                Scalar::Uuid => key.try_into().ok().map(ValueRef::Uuid),
                Scalar::Text | Scalar::Enum(_) => text().map(ValueRef::Text),
                Scalar::Json => text().map(ValueRef::Json),
                Scalar::Blob => bytes().map(ValueRef::Blob),
            },
        };
        value.unwrap_or(ValueRef::Null)
    }
}

fn float_bytes(float: f64) -> [u8; 8] {
    let bits = (float + 0.0).to_bits();
    let ordered = if bits & SIGN == 0 { bits | SIGN } else { !bits };
    ordered.to_be_bytes()
}

/// The int that a number equals.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int(int) | Value::Timestamp(int) => Some(*int),
        Value::Float(float) if float.fract() == 0.0 => {
            let int = *float as i64;
            (i128::from(int) == *float as i128).then_some(int)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::compare::compare_values;
    use proptest::prelude::*;

    fn of(scalar: Scalar) -> KeyForm {
        KeyForm::Field(0, scalar)
    }

    fn written(form: &KeyForm, value: &Value) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        form.write(value, &mut bytes).then_some(bytes)
    }

    fn pairs() -> impl Strategy<Value = (Scalar, Value, Value)> {
        let float = || {
            prop_oneof![
                -4.0..4.0,
                any::<f64>().prop_filter("no number", |f| !f.is_nan())
            ]
        };
        prop_oneof![
            (any::<i64>(), any::<i64>()).prop_map(|(a, b)| (
                Scalar::Int,
                Value::Int(a),
                Value::Int(b)
            )),
            (float(), float()).prop_map(|(a, b)| (Scalar::Float, Value::Float(a), Value::Float(b))),
            (".{0,3}", ".{0,3}").prop_map(|(a, b)| (Scalar::Text, Value::Text(a), Value::Text(b))),
            (any::<[u8; 16]>(), any::<[u8; 16]>()).prop_map(|(a, b)| (
                Scalar::Uuid,
                Value::Uuid(a),
                Value::Uuid(b)
            )),
        ]
    }

    proptest! {
        #[test]
        fn bytes_are_in_the_order_of_the_values((scalar, a, b) in pairs()) {
            let form = of(scalar);
            let (one, other) = (written(&form, &a).unwrap(), written(&form, &b).unwrap());
            prop_assert_eq!(one.cmp(&other), compare_values(&a, &b));
            prop_assert!(!one.is_empty());
            prop_assert_eq!(compare_values(&form.read(&one).to_value(), &a), std::cmp::Ordering::Equal);
        }
    }

    #[test]
    fn numbers_find_what_they_equal() {
        let ints = of(Scalar::Int);
        assert_eq!(
            written(&ints, &Value::Float(5.0)),
            written(&ints, &Value::Int(5))
        );
        assert_eq!(written(&ints, &Value::Float(5.5)), None);
        assert_eq!(written(&ints, &Value::Float(9.3e18)), None);
        assert_eq!(written(&ints, &Value::Text("5".into())), None);
        let floats = of(Scalar::Float);
        assert_eq!(
            written(&floats, &Value::Int(2)),
            written(&floats, &Value::Float(2.0))
        );
        assert_eq!(written(&floats, &Value::Int(i64::MAX)), None);
        assert_eq!(
            written(&floats, &Value::Float(-0.0)),
            written(&floats, &Value::Float(0.0))
        );
        assert_eq!(written(&KeyForm::Row, &Value::Int(-1)), None);
    }
}
