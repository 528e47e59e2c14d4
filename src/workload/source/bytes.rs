//! How much data a record is, without any engine's overhead.

use crate::base::Value;
use crate::workload::{Content, Record};

/// Bytes of a record's values, owned objects included: numbers and timestamps
/// 8, bools 1, uuids 16, texts, JSON and blobs their length, null 0; a link
/// counts as the key it carries, or 8.
pub fn logical_bytes(record: &Record) -> u64 {
    record.fields.iter().map(content_bytes).sum()
}

/// How many objects a record is: itself and all that it owns.
pub fn objects(record: &Record) -> u64 {
    let owned = |content: &Content| match content {
        Content::Children(children) => children.iter().map(objects).sum(),
        _ => 0,
    };
    1 + record.fields.iter().map(owned).sum::<u64>()
}

fn content_bytes(content: &Content) -> u64 {
    let link = |key: &Option<Value>| key.as_ref().map_or(8, value_bytes);
    match content {
        Content::Value(value) => value_bytes(value),
        Content::Link(target) => target.as_ref().map_or(0, |target| link(&target.key)),
        Content::Links(targets) => targets.iter().map(|target| link(&target.key)).sum(),
        Content::Children(children) => children.iter().map(logical_bytes).sum(),
        Content::Owner => 0,
    }
}

/// Bytes of one value, as [`logical_bytes`] counts them.
pub fn value_bytes(value: &Value) -> u64 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Int(_) | Value::Float(_) | Value::Timestamp(_) => 8,
        Value::Uuid(_) => 16,
        Value::Text(text) | Value::Json(text) => text.len() as u64,
        Value::Blob(bytes) => bytes.len() as u64,
        Value::List(items) => items.iter().map(value_bytes).sum(),
    }
}
