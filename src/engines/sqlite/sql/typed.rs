//! A piece of SQL with what is known of it.

use crate::base::Value;
use crate::plan::Scalar;

/// Static type of an expression: how its value is bound, checked and delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// 0 or 1.
    Bool,
    /// An integer; also an identity.
    Int,
    /// A real.
    Float,
    /// A text, enum cases included.
    Text,
    /// A blob of 16 bytes.
    Uuid,
    /// An integer, milliseconds.
    Timestamp,
    /// A blob.
    Blob,
    /// A JSON text.
    Json,
    /// JSON text of a value inside a JSON field, as `->` gives it.
    JsonPart,
    /// Known only when it is there: an argument, a part of a JSON field, a hook's result.
    Any,
}

impl Type {
    /// The type of a scalar.
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

    /// The type of a constant.
    pub fn of_value(value: &Value) -> Type {
        match value {
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Float(_) => Type::Float,
            Value::Text(_) => Type::Text,
            Value::Uuid(_) => Type::Uuid,
            Value::Timestamp(_) => Type::Timestamp,
            Value::Blob(_) => Type::Blob,
            Value::Json(_) => Type::Json,
            Value::Null | Value::List(_) => Type::Any,
        }
    }

    /// Whether it is computed in 64-bit integers.
    pub fn is_whole(self) -> bool {
        matches!(self, Type::Int | Type::Timestamp)
    }
}

/// How tightly an expression binds; lower is tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Names, constants, calls, parentheses.
    Atom,
    /// `-> ->>`
    Arrow,
    /// `* / %`
    Product,
    /// `+ -`
    Sum,
    /// `= < IS IN BETWEEN GLOB …`
    Comparison,
    /// `NOT`
    Not,
    /// `AND`
    And,
    /// `OR`
    Or,
}

/// Whether an integer expression can overflow, which SQLite answers by going
/// on in floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overflow {
    /// It cannot.
    Never,
    /// In its last operation: the result is a real of at least 2^63, which no
    /// INTEGER column of a STRICT table takes.
    Outside,
    /// Before its last operation: the result is a real that may lie back in range.
    Inside,
}

/// A piece of SQL.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The text.
    pub sql: String,
    /// Its type.
    pub ty: Type,
    /// Whether it can be NULL; as a condition, NULL stands for false.
    pub nullable: bool,
    /// How tightly it binds.
    pub level: Level,
    /// Whether it can overflow.
    pub overflow: Overflow,
}

impl Typed {
    /// A name, constant or call.
    pub fn atom(sql: impl Into<String>, ty: Type, nullable: bool) -> Typed {
        Typed {
            sql: sql.into(),
            ty,
            nullable,
            level: Level::Atom,
            overflow: Overflow::Never,
        }
    }

    /// A condition.
    pub fn condition(sql: impl Into<String>, level: Level, nullable: bool) -> Typed {
        Typed {
            sql: sql.into(),
            ty: Type::Bool,
            nullable,
            level,
            overflow: Overflow::Never,
        }
    }

    /// The text, in parentheses unless it binds at least as tightly as `level`.
    pub fn at(&self, level: Level) -> String {
        if self.level <= level {
            self.sql.clone()
        } else {
            format!("({})", self.sql)
        }
    }

    /// As an operand of a comparison: what overflowed is an error there.
    pub fn operand(&self) -> String {
        if self.overflow > Overflow::Never && self.ty.is_whole() {
            format!("whole({})", self.sql)
        } else {
            self.at(Level::Sum)
        }
    }

    /// As a value of its own: a condition that can be NULL is made false.
    pub fn settled(self) -> Typed {
        if self.ty == Type::Bool && self.level >= Level::Comparison && self.nullable {
            Typed::condition(format!("({}) IS TRUE", self.sql), Level::Comparison, false)
        } else {
            self
        }
    }
}
