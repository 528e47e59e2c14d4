//! Doubles.

use super::condition::{Check, Condition, Operand};
use super::leaf::Leaf;
use crate::base::Value;
use crate::plan::CompareOp;
use crate::workload::compare::compare_values;

/// A double compared with a number. An int that no double is lies between
/// two, and the nearer one decides.
pub fn compared(leaf: &Leaf<'_>, op: CompareOp, value: &Value) -> Option<Condition> {
    use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let (op, float) = match value {
        Value::Float(float) if !float.is_nan() => (op, *float),
        Value::Int(int) | Value::Timestamp(int) => {
            let near = *int as f64;
            // The double nearest to it, against the int itself.
            let op = match (compare_values(&Value::Float(near), &Value::Int(*int)), op) {
                (std::cmp::Ordering::Equal, op) => op,
                (_, Equal) => return Some(Condition::Never),
                (_, NotEqual) => return Some(leaf.not_null()),
                (std::cmp::Ordering::Less, Less | LessOrEqual) => LessOrEqual,
                (std::cmp::Ordering::Less, Greater | GreaterOrEqual) => Greater,
                (std::cmp::Ordering::Greater, Less | LessOrEqual) => Less,
                (std::cmp::Ordering::Greater, Greater | GreaterOrEqual) => GreaterOrEqual,
            };
            (op, near)
        }
        _ => return None,
    };
    let test = |op| leaf.test(Check::Double(op, Operand::Value(float)));
    Some(match op {
        NotEqual => Condition::Any(vec![test(Less), test(Greater)]),
        op => test(op),
    })
}
