//! Arguments of a query: `$0` and so on.

use crate::base::Value;
use crate::plan::{Scalar, TextOp};

use super::text_match;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// Known.
    Literal(Value),
    /// Bound at each execution.
    Argument(usize),
}

/// One `$n`.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// Its value.
    pub operand: Operand,
    /// What an argument must be for the text to mean what it should.
    pub wanted: Wanted,
}

/// What is asked of an argument; one that does not fit makes the request be
/// compiled anew with the value in place.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// A value of that type.
    Exactly(Scalar),
    /// A pattern of that operation.
    Pattern {
        /// Which.
        op: TextOp,
        /// Matched after lower-casing.
        ignoring_case: bool,
    },
}

impl Slot {
    /// The value for an execution; `None` where the argument does not fit.
    pub fn bind(&self, arguments: &[Value]) -> Option<Value> {
        let value = match &self.operand {
            Operand::Literal(value) => return Some(value.clone()),
            Operand::Argument(at) => arguments.get(*at)?,
        };
        match &self.wanted {
            // The ends of the range are said in other words.
            Wanted::Exactly(_) if matches!(value, Value::Int(i64::MIN | i64::MAX)) => None,
            Wanted::Exactly(scalar) => fits(value, scalar).then(|| value.clone()),
            Wanted::Pattern { op, ignoring_case } => match value {
                Value::Text(pattern) if !pattern.is_empty() => {
                    text_match::pattern(*op, pattern, *ignoring_case).map(Value::Text)
                }
                _ => None,
            },
        }
    }
}

/// Whether a value is of a type as Realm keeps it.
pub fn fits(value: &Value, scalar: &Scalar) -> bool {
    matches!(
        (value, scalar),
        (Value::Bool(_), Scalar::Bool)
            | (Value::Int(_), Scalar::Int)
            | (
                Value::Text(_),
                Scalar::Text | Scalar::Enum(_) | Scalar::Json
            )
            | (Value::Json(_), Scalar::Json)
            | (Value::Uuid(_), Scalar::Uuid)
            | (Value::Timestamp(_), Scalar::Timestamp)
            | (Value::Blob(_), Scalar::Blob)
    ) || matches!((value, scalar), (Value::Float(f), Scalar::Float) if !f.is_nan())
}
