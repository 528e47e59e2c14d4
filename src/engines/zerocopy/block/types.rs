//! What a column holds.

use crate::plan::schema::Scalar;

/// What one value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int,
    Timestamp,
    /// The row of another record.
    Link,
    Float,
    Text,
    Json,
    Blob,
    Uuid,
}

impl Type {
    /// How a scalar is kept; the cases of an enum are texts, which a
    /// dictionary makes small.
    pub fn of(scalar: &Scalar) -> Type {
        match scalar {
            Scalar::Bool => Type::Bool,
            Scalar::Int => Type::Int,
            Scalar::Float => Type::Float,
            Scalar::Text | Scalar::Enum(_) => Type::Text,
            Scalar::Uuid => Type::Uuid,
            Scalar::Timestamp => Type::Timestamp,
            Scalar::Blob => Type::Blob,
            Scalar::Json => Type::Json,
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnType {
    /// Type of a value, or of an element.
    pub element: Type,
    /// Whether each row holds a list.
    pub list: bool,
}

impl ColumnType {
    /// One value a row.
    pub fn one(element: Type) -> Self {
        ColumnType {
            element,
            list: false,
        }
    }

    /// A list a row.
    pub fn list(element: Type) -> Self {
        ColumnType {
            element,
            list: true,
        }
    }
}
