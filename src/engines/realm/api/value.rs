//! Values on their way in.

use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::error::misuse;
use crate::engines::realm::ffi::types::{Bytes, Link, Moment, Payload, RealmValue, kind};

/// A borrowed form that is valid as long as `value` is.
#[inline]
pub fn encode(value: &Value) -> Result<RealmValue, EngineError> {
    Ok(match value {
        Value::Null => RealmValue::NULL,
        Value::Int(int) => int_value(*int),
        Value::Text(text) | Value::Json(text) => bytes(kind::STRING, text.as_bytes()),
        Value::Bool(boolean) => RealmValue {
            payload: Payload { boolean: *boolean },
            kind: kind::BOOL,
        },
        Value::Float(double) => RealmValue {
            payload: Payload { double: *double },
            kind: kind::DOUBLE,
        },
        Value::Uuid(uuid) => RealmValue {
            payload: Payload { uuid: *uuid },
            kind: kind::UUID,
        },
        Value::Timestamp(ms) => RealmValue {
            payload: Payload {
                moment: moment(*ms),
            },
            kind: kind::TIMESTAMP,
        },
        Value::Blob(blob) => bytes(kind::BINARY, blob),
        Value::List(_) => return Err(misuse("a list where a scalar belongs")),
    })
}

/// An int.
#[inline]
pub fn int_value(integer: i64) -> RealmValue {
    RealmValue {
        payload: Payload { integer },
        kind: kind::INT,
    }
}

/// A link.
#[inline]
pub fn link_value(link: Link) -> RealmValue {
    RealmValue {
        payload: Payload { link },
        kind: kind::LINK,
    }
}

/// An empty slice's pointer dangles but is not null, which would be no value.
fn bytes(kind: u32, slice: &[u8]) -> RealmValue {
    RealmValue {
        payload: Payload {
            bytes: Bytes {
                data: slice.as_ptr(),
                size: slice.len(),
            },
        },
        kind,
    }
}

/// Both parts have the sign of the moment.
fn moment(ms: i64) -> Moment {
    Moment {
        seconds: ms / 1000,
        nanoseconds: (ms % 1000) as i32 * 1_000_000,
    }
}
