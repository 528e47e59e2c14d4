//! Values between the laboratory and rhai.
//!
//! | value | in a hook | | returned from a hook | value |
//! | --- | --- | --- | --- | --- |
//! | null | `()` | | `()` | null |
//! | bool, int, float | the same | | the same; a float is finite | bool, int, float |
//! | text, enum | string | | string, character | text |
//! | uuid | its 36 characters | | | |
//! | timestamp | int, milliseconds | | | |
//! | blob | blob | | blob | blob |
//! | json | map, array or scalar | | map | json, keys sorted |
//! | list | array | | array | list |

use rhai::{Dynamic, Map};
use serde_json::Value as Json;

use crate::base::{Value, ValueRef};

/// A value as a hook sees it.
pub(super) fn to_dynamic(value: ValueRef<'_>) -> Dynamic {
    match value {
        ValueRef::Null => Dynamic::UNIT,
        ValueRef::Bool(b) => Dynamic::from_bool(b),
        ValueRef::Int(i) | ValueRef::Timestamp(i) => Dynamic::from_int(i),
        ValueRef::Float(f) => Dynamic::from_float(f),
        ValueRef::Text(t) => t.into(),
        ValueRef::Uuid(u) => {
            let mut buffer = uuid::Uuid::encode_buffer();
            let text: &str = uuid::Uuid::from_bytes(u)
                .hyphenated()
                .encode_lower(&mut buffer);
            text.into()
        }
        ValueRef::Blob(b) => Dynamic::from_blob(b.to_vec()),
        // Stored JSON is canonical; what is not JSON can only be looked at as text.
        ValueRef::Json(j) => {
            serde_json::from_str::<Json>(j).map_or_else(|_| j.into(), json_to_dynamic)
        }
        ValueRef::List(items) => {
            Dynamic::from_array(items.iter().copied().map(to_dynamic).collect())
        }
    }
}

/// An owned value as a hook sees it.
pub(super) fn owned_to_dynamic(value: &Value) -> Dynamic {
    match value {
        Value::List(items) => Dynamic::from_array(items.iter().map(owned_to_dynamic).collect()),
        scalar => to_dynamic(scalar.scalar_ref()),
    }
}

/// A record as a hook sees it: a map of its fields.
pub(super) fn record_to_dynamic<'a>(
    fields: impl IntoIterator<Item = (&'a str, Dynamic)>,
) -> Dynamic {
    let map: Map = fields
        .into_iter()
        .map(|(name, value)| (name.into(), value))
        .collect();
    Dynamic::from_map(map)
}

fn json_to_dynamic(json: Json) -> Dynamic {
    match json {
        Json::Null => Dynamic::UNIT,
        Json::Bool(b) => Dynamic::from_bool(b),
        Json::Number(n) => match (n.as_i64(), n.as_f64()) {
            (Some(i), _) => Dynamic::from_int(i),
            (None, Some(f)) => Dynamic::from_float(f),
            (None, None) => Dynamic::UNIT,
        },
        Json::String(s) => s.into(),
        Json::Array(items) => Dynamic::from_array(items.into_iter().map(json_to_dynamic).collect()),
        Json::Object(entries) => Dynamic::from_map(
            entries
                .into_iter()
                .map(|(name, value)| (name.into(), json_to_dynamic(value)))
                .collect::<Map>(),
        ),
    }
}

/// What a hook returned; an error in words if it is no value.
pub(super) fn from_dynamic(result: Dynamic) -> Result<Value, String> {
    if result.is_unit() {
        return Ok(Value::Null);
    }
    if let Ok(b) = result.as_bool() {
        return Ok(Value::Bool(b));
    }
    if let Ok(i) = result.as_int() {
        return Ok(Value::Int(i));
    }
    if let Ok(f) = result.as_float() {
        return finite(f).map(Value::Float);
    }
    if let Ok(c) = result.as_char() {
        return Ok(Value::Text(c.to_string()));
    }
    if result.is_string() {
        return Ok(Value::Text(result.into_string()?));
    }
    if result.is_array() {
        let items = result.into_array()?;
        let items: Result<_, _> = items.into_iter().map(from_dynamic).collect();
        return Ok(Value::List(items?));
    }
    if result.is_blob() {
        return Ok(Value::Blob(result.into_blob()?));
    }
    if result.is_map() {
        return dynamic_to_json(&result).map(|json| Value::Json(json.to_string()));
    }
    Err(not_a_value(&result))
}

fn dynamic_to_json(value: &Dynamic) -> Result<Json, String> {
    if value.is_unit() {
        return Ok(Json::Null);
    }
    if let Ok(b) = value.as_bool() {
        return Ok(b.into());
    }
    if let Ok(i) = value.as_int() {
        return Ok(i.into());
    }
    if let Ok(f) = value.as_float() {
        return finite(f).map(Json::from);
    }
    if let Ok(c) = value.as_char() {
        return Ok(c.to_string().into());
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(text.as_str().into());
    }
    if let Ok(items) = value.as_array_ref() {
        return items.iter().map(dynamic_to_json).collect();
    }
    if let Ok(map) = value.as_map_ref() {
        let entries: Result<serde_json::Map<_, _>, String> = map
            .iter()
            .map(|(name, value)| Ok((name.to_string(), dynamic_to_json(value)?)))
            .collect();
        return entries.map(Json::Object);
    }
    Err(not_a_value(value))
}

fn not_a_value(result: &Dynamic) -> String {
    let what = if result.is_fnptr() {
        "function"
    } else {
        result.type_name()
    };
    format!("returns a {what}, which is no value")
}

fn finite(f: f64) -> Result<f64, String> {
    if f.is_finite() {
        Ok(f)
    } else {
        Err(format!("returns the number {f}, which no field can hold"))
    }
}
