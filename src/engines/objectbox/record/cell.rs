//! One property's value on its way into an object.

use uuid::Uuid;

use super::row::Row;
use super::vector::Vector;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::objectbox::api::{constraint, misuse};
use crate::engines::objectbox::layout::{Property, Storage};

/// A value as it is stored, borrowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Null: the field is not there.
    Absent,
    /// A byte, 0 or 1.
    Bool(bool),
    /// 32 bits.
    Int(i32),
    /// 64 bits: ints, moments, ids.
    Long(i64),
    /// A double.
    Double(f64),
    /// A text.
    Text(&'a str),
    /// A text of 36 characters.
    Uuid([u8; 16]),
    /// Bytes.
    Bytes(&'a [u8]),
    /// 16 bytes.
    Sixteen([u8; 16]),
    /// A vector.
    Vector(Vector<'a>),
}

impl<'a> Cell<'a> {
    /// A value for a property.
    ///
    /// # Errors
    /// Where it is of another type, or none of the cases of an enum.
    pub fn of(property: &Property, value: &'a Value) -> Result<Cell<'a>, EngineError> {
        Ok(match (&property.storage, value) {
            (Storage::ToOne(_), Value::Null) => Cell::Long(0),
            (_, Value::Null) => Cell::Absent,
            (Storage::Bool, Value::Bool(b)) => Cell::Bool(*b),
            (Storage::Long, Value::Int(int)) | (Storage::Date, Value::Timestamp(int)) => {
                Cell::Long(*int)
            }
            (Storage::Double, Value::Float(float)) => Cell::Double(*float),
            (Storage::Text, Value::Text(text)) | (Storage::Json, Value::Json(text)) => {
                Cell::Text(text)
            }
            (Storage::UuidText, Value::Uuid(uuid)) => Cell::Uuid(*uuid),
            (Storage::UuidBytes, Value::Uuid(uuid)) => Cell::Sixteen(*uuid),
            (Storage::Bytes, Value::Blob(bytes)) => Cell::Bytes(bytes),
            (Storage::Enum(cases), Value::Text(text)) => match cases.binary_search(text) {
                Ok(case) => Cell::Int(case as i32),
                Err(_) => {
                    let name = &property.name;
                    return Err(constraint(format!("{name}: `{text}` is none of its cases")));
                }
            },
            (Storage::Vector(element), Value::List(values)) => {
                Cell::Vector(Vector::of(*element, values))
            }
            (storage, value) => {
                return Err(misuse(format!("{} for {storage:?}", value.kind())));
            }
        })
    }

    /// What an object has in a property.
    pub fn stored(property: &Property, row: &Row<'a>) -> Cell<'a> {
        let slot = property.slot();
        let cell = match &property.storage {
            Storage::Bool => row.bool(slot).map(Cell::Bool),
            Storage::Id | Storage::Long | Storage::Date | Storage::ToOne(_) => {
                row.i64(slot).map(Cell::Long)
            }
            Storage::Double => row.f64(slot).map(Cell::Double),
            Storage::Enum(_) => row.i32(slot).map(Cell::Int),
            Storage::Text | Storage::Json => row
                .bytes(slot)
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .map(Cell::Text),
            Storage::UuidText => row
                .bytes(slot)
                .and_then(|text| Uuid::try_parse_ascii(text).ok())
                .map(|uuid| Cell::Uuid(uuid.into_bytes())),
            Storage::UuidBytes | Storage::Bytes => row.bytes(slot).map(Cell::Bytes),
            Storage::Vector(element) => Vector::stored(*element, row, slot).map(Cell::Vector),
        };
        cell.unwrap_or(Cell::Absent)
    }
}
