//! Columns of a row as values of their static type, and values as parameters.

use super::error::misuse;
use super::sql::Type;
use super::statement::{Class, Execution};
use crate::base::{Value, ValueRef};
use crate::engines::{EngineError, ErrorKind};

/// A column of the current row.
#[inline]
pub fn value<'e>(
    row: &'e Execution<'_, '_>,
    column: usize,
    ty: Type,
) -> Result<ValueRef<'e>, EngineError> {
    Ok(match (row.class(column), ty) {
        (Class::Integer, Type::Int | Type::Any) => ValueRef::Int(row.get_int(column)),
        (Class::Text, Type::Text | Type::Any) => ValueRef::Text(row.get_text(column)?),
        (Class::Integer, Type::Bool) => ValueRef::Bool(row.get_int(column) != 0),
        (Class::Integer, Type::Timestamp) => ValueRef::Timestamp(row.get_int(column)),
        (Class::Real, Type::Float | Type::Any) => ValueRef::Float(row.get_float(column)),
        (Class::Integer, Type::Float) => ValueRef::Float(row.get_int(column) as f64),
        (Class::Null, _) => ValueRef::Null,
        (Class::Text, Type::Json | Type::JsonPart) => ValueRef::Json(row.get_text(column)?),
        (Class::Blob, Type::Uuid) => {
            let bytes = row.get_blob(column)?;
            let uuid = bytes
                .try_into()
                .map_err(|_| misuse("a uuid is not 16 bytes"))?;
            ValueRef::Uuid(uuid)
        }
        (Class::Blob, Type::Blob | Type::Any) => ValueRef::Blob(row.get_blob(column)?),
        (Class::Real, Type::Int | Type::Timestamp) => {
            return Err(EngineError::new(ErrorKind::Overflow, "integer overflow"));
        }
        (class, ty) => {
            return Err(misuse(&format!(
                "column {column} is {class:?}, expected {ty:?}"
            )));
        }
    })
}

/// Binds a value to the next parameter.
#[inline]
pub fn bind<'v>(row: &mut Execution<'_, 'v>, value: &'v Value) -> Result<(), EngineError> {
    match value {
        Value::Null => row.null(),
        Value::Bool(b) => row.int(i64::from(*b)),
        Value::Int(i) | Value::Timestamp(i) => row.int(*i),
        Value::Float(f) => row.float(*f),
        Value::Text(t) | Value::Json(t) => row.text(t),
        Value::Uuid(u) => row.blob(u),
        Value::Blob(b) => row.blob(b),
        Value::List(_) => Err(misuse("a list cannot be bound")),
    }
}

/// Binds the arguments that the statement has parameters for.
pub fn bind_arguments<'v>(
    row: &mut Execution<'_, 'v>,
    parameters: usize,
    arguments: &'v [Value],
) -> Result<(), EngineError> {
    let bound = arguments
        .get(..parameters)
        .ok_or_else(|| misuse("an argument is missing"))?;
    bound.iter().try_for_each(|argument| bind(row, argument))
}

/// An empty vector with the room of an old one, for values of another lifetime.
#[inline]
pub fn recycle<'b>(mut values: Vec<ValueRef<'_>>) -> Vec<ValueRef<'b>> {
    values.clear();
    // Nothing is mapped; collecting in place keeps the allocation.
    values.into_iter().map(|_| ValueRef::Null).collect()
}
