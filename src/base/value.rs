//! The values that a field can hold, owned and borrowed.

use serde::{Deserialize, Serialize};

/// An owned value: what a generator makes, an argument carries, an answer holds.
///
/// Enum cases are `Text`; timestamps are milliseconds since the epoch, UTC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// No value; sorts before every other.
    Null,
    /// `false` sorts before `true`.
    Bool(bool),
    /// 64 bits, signed; overflow is an error everywhere.
    Int(i64),
    /// IEEE 754 double; never NaN in generated data. JSON has no infinite
    /// numbers: they are written as texts.
    Float(#[serde(with = "double")] f64),
    /// UTF-8, compared by bytes.
    Text(String),
    /// 16 bytes, compared as bytes.
    Uuid([u8; 16]),
    /// Milliseconds since 1970-01-01T00:00Z.
    Timestamp(i64),
    /// Bytes, compared as bytes.
    Blob(Vec<u8>),
    /// Canonical JSON text: keys in the order declared, no white space.
    Json(String),
    /// The elements of a scalar list, in order.
    List(Vec<Value>),
}

/// A borrowed value: what an engine hands to a sink, without copying.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRef<'a> {
    /// See [`Value::Null`].
    Null,
    /// See [`Value::Bool`].
    Bool(bool),
    /// See [`Value::Int`].
    Int(i64),
    /// See [`Value::Float`].
    Float(f64),
    /// See [`Value::Text`].
    Text(&'a str),
    /// See [`Value::Uuid`].
    Uuid([u8; 16]),
    /// See [`Value::Timestamp`].
    Timestamp(i64),
    /// See [`Value::Blob`].
    Blob(&'a [u8]),
    /// See [`Value::Json`].
    Json(&'a str),
    /// See [`Value::List`].
    List(&'a [ValueRef<'a>]),
}

impl ValueRef<'_> {
    /// A copy that outlives the borrow.
    pub fn to_value(&self) -> Value {
        match *self {
            ValueRef::Null => Value::Null,
            ValueRef::Bool(b) => Value::Bool(b),
            ValueRef::Int(i) => Value::Int(i),
            ValueRef::Float(f) => Value::Float(f),
            ValueRef::Text(t) => Value::Text(t.to_owned()),
            ValueRef::Uuid(u) => Value::Uuid(u),
            ValueRef::Timestamp(t) => Value::Timestamp(t),
            ValueRef::Blob(b) => Value::Blob(b.to_vec()),
            ValueRef::Json(j) => Value::Json(j.to_owned()),
            ValueRef::List(l) => Value::List(l.iter().map(ValueRef::to_value).collect()),
        }
    }
}

impl Value {
    /// Whether this is [`Value::Null`].
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// What kind of value this is, as an author says it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a bool",
            Value::Int(_) => "an int",
            Value::Float(_) => "a float",
            Value::Text(_) => "a text",
            Value::Uuid(_) => "a uuid",
            Value::Timestamp(_) => "a timestamp",
            Value::Blob(_) => "a blob",
            Value::Json(_) => "json",
            Value::List(_) => "a list",
        }
    }

    /// Runs `f` with a borrowed form of this value.
    ///
    /// A callback, because the elements of a list need a place to live while
    /// they are borrowed.
    pub fn with_ref<R>(&self, f: impl FnOnce(ValueRef<'_>) -> R) -> R {
        match self {
            Value::List(items) => with_refs(items, Vec::with_capacity(items.len()), |refs| {
                f(ValueRef::List(refs))
            }),
            other => f(other.scalar_ref()),
        }
    }

    /// The borrowed form of anything but a list; a list gives an empty one,
    /// since its elements need [`Value::with_ref`].
    pub fn scalar_ref(&self) -> ValueRef<'_> {
        match self {
            Value::Null => ValueRef::Null,
            Value::Bool(b) => ValueRef::Bool(*b),
            Value::Int(i) => ValueRef::Int(*i),
            Value::Float(f) => ValueRef::Float(*f),
            Value::Text(t) => ValueRef::Text(t),
            Value::Uuid(u) => ValueRef::Uuid(*u),
            Value::Timestamp(t) => ValueRef::Timestamp(*t),
            Value::Blob(b) => ValueRef::Blob(b),
            Value::Json(j) => ValueRef::Json(j),
            Value::List(_) => ValueRef::List(&[]),
        }
    }
}

mod double {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Word(String),
    }

    pub fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            value.serialize(to)
        } else {
            value.to_string().serialize(to)
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        match Written::deserialize(from)? {
            Written::Number(number) => Ok(number),
            Written::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}

fn with_refs<'a, R>(
    items: &'a [Value],
    mut refs: Vec<ValueRef<'a>>,
    f: impl FnOnce(&[ValueRef<'_>]) -> R,
) -> R {
    refs.extend(items.iter().map(Value::scalar_ref));
    f(&refs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_double_survives_json() {
        for float in [0.0, -0.0, 0.1, 1e308, f64::INFINITY, f64::NEG_INFINITY] {
            let json = serde_json::to_string(&Value::Float(float)).unwrap();
            assert_eq!(
                serde_json::from_str::<Value>(&json).unwrap(),
                Value::Float(float),
                "{json}"
            );
        }
        let old: Value = serde_json::from_str(r#"{"float":2}"#).unwrap();
        assert_eq!(old, Value::Float(2.0));
    }
}
