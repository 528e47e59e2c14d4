//! Values of stored objects.

use uuid::Uuid;

use super::row::Row;
use super::vector::Vector;
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::objectbox::api::corrupt;
use crate::engines::objectbox::keys;
use crate::engines::objectbox::layout::{Property, Storage};

/// A scalar of an object, as it lies there; of a to-one link, its target's
/// identity. An int key where the property is the id and `key` is set.
#[inline]
pub fn scalar<'a>(
    property: &'a Property,
    row: &Row<'a>,
    key: bool,
) -> Result<ValueRef<'a>, EngineError> {
    let slot = property.slot();
    let value = match &property.storage {
        Storage::Long => return Ok(long(row, slot)),
        Storage::Text => return text_at(row, slot),
        Storage::Date => return Ok(date(row, slot)),
        Storage::Double => return Ok(double(row, slot)),
        Storage::Bool => row.bool(slot).map(ValueRef::Bool),
        Storage::Enum(cases) => match row.i32(slot) {
            Some(case) => {
                let case = usize::try_from(case).ok().and_then(|case| cases.get(case));
                Some(ValueRef::Text(
                    case.ok_or_else(|| corrupt("an enum without that case"))?,
                ))
            }
            None => None,
        },
        Storage::Json => match row.bytes(slot) {
            Some(bytes) => Some(ValueRef::Json(text(bytes)?)),
            None => None,
        },
        Storage::UuidText => match row.bytes(slot) {
            Some(bytes) => Some(ValueRef::Uuid(
                Uuid::try_parse_ascii(bytes)
                    .map_err(|_| corrupt("a uuid that is none"))?
                    .into_bytes(),
            )),
            None => None,
        },
        Storage::UuidBytes => row
            .bytes(slot)
            .and_then(|bytes| bytes.try_into().ok())
            .map(ValueRef::Uuid),
        Storage::Bytes => row.bytes(slot).map(ValueRef::Blob),
        Storage::Id if key => row.u64(slot).map(|id| ValueRef::Int(keys::key_of(id))),
        Storage::Id => row.i64(slot).map(ValueRef::Int),
        Storage::ToOne(_) => match row.i64(slot) {
            Some(0) | None => None,
            Some(id) => Some(ValueRef::Int(id)),
        },
        Storage::Vector(_) => return Err(corrupt("a list where one value should be")),
    };
    Ok(value.unwrap_or(ValueRef::Null))
}

/// An int.
#[inline]
pub fn long<'a>(row: &Row<'a>, slot: usize) -> ValueRef<'a> {
    row.i64(slot).map_or(ValueRef::Null, ValueRef::Int)
}

/// A moment.
#[inline]
pub fn date<'a>(row: &Row<'a>, slot: usize) -> ValueRef<'a> {
    row.i64(slot).map_or(ValueRef::Null, ValueRef::Timestamp)
}

/// A double.
#[inline]
pub fn double<'a>(row: &Row<'a>, slot: usize) -> ValueRef<'a> {
    row.f64(slot).map_or(ValueRef::Null, ValueRef::Float)
}

/// A text.
#[inline]
pub fn text_at<'a>(row: &Row<'a>, slot: usize) -> Result<ValueRef<'a>, EngineError> {
    match row.bytes(slot) {
        Some(bytes) => text(bytes).map(ValueRef::Text),
        None => Ok(ValueRef::Null),
    }
}

/// A scalar or list of an object.
pub fn value(property: &Property, row: &Row<'_>, key: bool) -> Result<Value, EngineError> {
    match &property.storage {
        Storage::Vector(element) => match Vector::stored(*element, row, property.slot()) {
            Some(vector) => vector.values().map(Value::List),
            None => Ok(Value::Null),
        },
        _ => scalar(property, row, key).map(|value| value.to_value()),
    }
}

/// UTF-8, checked: the file may be damaged.
#[inline]
fn text(bytes: &[u8]) -> Result<&str, EngineError> {
    std::str::from_utf8(bytes).map_err(|_| corrupt("a text is no UTF-8"))
}
