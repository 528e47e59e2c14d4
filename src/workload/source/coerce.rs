//! From what an expression gave to what its field holds.

use super::spell::spell_uuid;
use crate::base::Value;
use crate::plan::Scalar;
use crate::workload::eval::EvalError;

/// The value as a field of that type holds it: ints become floats or
/// timestamps where those are declared, uuids become text.
pub fn coerce(value: Value, scalar: &Scalar) -> Result<Value, EvalError> {
    Ok(match (value, scalar) {
        (Value::Null, _) => Value::Null,
        (Value::Float(float), Scalar::Float) if float.is_nan() => Value::Null,
        (value @ Value::Bool(_), Scalar::Bool)
        | (value @ Value::Int(_), Scalar::Int)
        | (value @ Value::Float(_), Scalar::Float)
        | (value @ Value::Text(_), Scalar::Text | Scalar::Enum(_))
        | (value @ Value::Uuid(_), Scalar::Uuid)
        | (value @ Value::Timestamp(_), Scalar::Timestamp)
        | (value @ Value::Blob(_), Scalar::Blob)
        | (value @ Value::Json(_), Scalar::Json) => value,
        (Value::Int(int), Scalar::Float) => Value::Float(int as f64),
        (Value::Int(int), Scalar::Timestamp) => Value::Timestamp(int),
        (Value::Timestamp(ms), Scalar::Int) => Value::Int(ms),
        (Value::Uuid(uuid), Scalar::Text) => {
            let mut text = String::with_capacity(36);
            spell_uuid(&uuid, &mut text);
            Value::Text(text)
        }
        (Value::Json(text), Scalar::Text) => Value::Text(text),
        (value, scalar) => {
            return Err(EvalError::wrong(format!(
                "{value:?} in a field of {scalar:?}"
            )));
        }
    })
}
