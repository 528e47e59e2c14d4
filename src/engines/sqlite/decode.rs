//! Columns of a row as values of their static type, and values as parameters.

use super::error::misuse;
use super::sql::Type;
use super::statement::{Cell, Execution};
use crate::base::{Value, ValueRef};
use crate::engines::{EngineError, ErrorKind};

/// A column of the current row.
#[inline]
pub fn value<'e>(
    row: &'e Execution<'_, '_>,
    column: usize,
    ty: Type,
) -> Result<ValueRef<'e>, EngineError> {
    typed(row.cell(column)?, ty)
}

/// A stored value as one of its static type.
#[inline]
pub fn typed(cell: Cell<'_>, ty: Type) -> Result<ValueRef<'_>, EngineError> {
    Ok(match (cell, ty) {
        (Cell::Integer(i), Type::Int | Type::Any) => ValueRef::Int(i),
        (Cell::Text(t), Type::Text | Type::Any) => ValueRef::Text(t),
        (Cell::Integer(i), Type::Bool) => ValueRef::Bool(i != 0),
        (Cell::Integer(i), Type::Timestamp) => ValueRef::Timestamp(i),
        (Cell::Real(f), Type::Float | Type::Any) => ValueRef::Float(f),
        (Cell::Null, _) => ValueRef::Null,
        (Cell::Blob(b), Type::Uuid) => {
            let uuid = b.try_into().map_err(|_| misuse("a uuid is not 16 bytes"))?;
            ValueRef::Uuid(uuid)
        }
        (Cell::Text(t), Type::Json | Type::JsonPart) => ValueRef::Json(t),
        (Cell::Blob(b), Type::Blob | Type::Any) => ValueRef::Blob(b),
        (Cell::Integer(i), Type::Float) => ValueRef::Float(i as f64),
        (Cell::Real(_), Type::Int | Type::Timestamp) => {
            return Err(EngineError::new(ErrorKind::Overflow, "integer overflow"));
        }
        (cell, ty) => {
            return Err(misuse(&format!("a column is {cell:?}, expected {ty:?}")));
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
