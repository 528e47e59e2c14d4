//! Values of expressions that need no record: over params, axes and the row.

use std::cmp::Ordering;

use crate::base::Value;
use crate::plan::{ArithOp, CompareOp, Expr};

/// What names stand for, and the row where there is one.
pub trait Names {
    /// Value of a param or axis.
    fn value(&self, name: &str) -> Option<Value>;

    /// The row.
    fn row(&self) -> Option<i64> {
        None
    }
}

impl Names for std::collections::BTreeMap<String, Value> {
    fn value(&self, name: &str) -> Option<Value> {
        self.get(name).cloned()
    }
}

/// The value; `None` where it needs a record or a draw, or has none
/// (overflow, wrong types).
pub fn evaluate(expr: &Expr, names: &dyn Names) -> Option<Value> {
    match expr {
        Expr::Literal(value) => Some(value.clone()),
        Expr::Name(name) => names.value(name),
        Expr::Row => names.row().map(Value::Int),
        Expr::Neg(inner) => match evaluate(inner, names)? {
            Value::Int(i) => i.checked_neg().map(Value::Int),
            Value::Float(f) => Some(Value::Float(-f)),
            Value::Null => Some(Value::Null),
            _ => None,
        },
        Expr::Arith { op, left, right } => {
            arithmetic(*op, &evaluate(left, names)?, &evaluate(right, names)?)
        }
        Expr::Compare {
            op, left, right, ..
        } => Some(Value::Bool(holds(
            *op,
            &evaluate(left, names)?,
            &evaluate(right, names)?,
        ))),
        Expr::And(all) => every(all, names, true),
        Expr::Or(all) => every(all, names, false),
        Expr::Not(inner) => match evaluate(inner, names)? {
            Value::Bool(b) => Some(Value::Bool(!b)),
            _ => None,
        },
        Expr::In { needle, among, .. } => {
            let needle = evaluate(needle, names)?;
            let mut found = false;
            for one in among {
                found |= holds(CompareOp::Equal, &needle, &evaluate(one, names)?);
            }
            Some(Value::Bool(found))
        }
        Expr::Between { value, low, high } => {
            let value = evaluate(value, names)?;
            let inside = holds(CompareOp::GreaterOrEqual, &value, &evaluate(low, names)?)
                && holds(CompareOp::LessOrEqual, &value, &evaluate(high, names)?);
            Some(Value::Bool(inside))
        }
        Expr::IsNull(inner) => Some(Value::Bool(evaluate(inner, names)?.is_null())),
        Expr::If {
            condition,
            then,
            otherwise,
        } => match evaluate(condition, names)? {
            Value::Bool(true) => evaluate(then, names),
            Value::Bool(false) => evaluate(otherwise, names),
            _ => None,
        },
        _ => None,
    }
}

/// `and` (neutral true) or `or` (neutral false): decided by one that differs.
fn every(all: &[Expr], names: &dyn Names, neutral: bool) -> Option<Value> {
    let mut open = false;
    for one in all {
        match evaluate(one, names) {
            Some(Value::Bool(b)) if b != neutral => return Some(Value::Bool(b)),
            Some(Value::Bool(_)) => {}
            _ => open = true,
        }
    }
    (!open).then_some(Value::Bool(neutral))
}

fn arithmetic(op: ArithOp, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Some(Value::Null),
        (Value::Int(a), Value::Int(b)) => match op {
            ArithOp::Add => a.checked_add(*b),
            ArithOp::Subtract => a.checked_sub(*b),
            ArithOp::Multiply => a.checked_mul(*b),
            ArithOp::Divide | ArithOp::Remainder if *b == 0 => return Some(Value::Null),
            ArithOp::Divide => a.checked_div(*b),
            ArithOp::Remainder => a.checked_rem(*b),
        }
        .map(Value::Int),
        (Value::Timestamp(a), Value::Int(b)) => match op {
            ArithOp::Add => a.checked_add(*b).map(Value::Timestamp),
            ArithOp::Subtract => a.checked_sub(*b).map(Value::Timestamp),
            _ => None,
        },
        (Value::Timestamp(a), Value::Timestamp(b)) if op == ArithOp::Subtract => {
            a.checked_sub(*b).map(Value::Int)
        }
        _ => {
            let (a, b) = (number(left)?, number(right)?);
            Some(match op {
                ArithOp::Add => Value::Float(a + b),
                ArithOp::Subtract => Value::Float(a - b),
                ArithOp::Multiply => Value::Float(a * b),
                ArithOp::Divide if b == 0.0 => Value::Null,
                ArithOp::Divide => Value::Float(a / b),
                ArithOp::Remainder => return None,
            })
        }
    }
}

/// The value as a float, if it is a number.
#[allow(clippy::cast_precision_loss)]
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) | Value::Timestamp(i) => Some(*i as f64),
        Value::Float(f) => Some(*f),
        _ => None,
    }
}

/// The order of two values of one kind, numbers mixed.
pub fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Int(b)) | (Value::Timestamp(a), Value::Timestamp(b)) => {
            Some(a.cmp(b))
        }
        (Value::Text(a), Value::Text(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
        (Value::Uuid(a), Value::Uuid(b)) => Some(a.cmp(b)),
        (Value::Blob(a), Value::Blob(b)) => Some(a.cmp(b)),
        _ => number(left)?.partial_cmp(&number(right)?),
    }
}

/// Whether a comparison holds; with null only `!=` with a value does.
pub fn holds(op: CompareOp, left: &Value, right: &Value) -> bool {
    if left.is_null() || right.is_null() {
        return op == CompareOp::NotEqual && left.is_null() != right.is_null();
    }
    let order = order(left, right);
    match op {
        CompareOp::Equal => order == Some(Ordering::Equal),
        CompareOp::NotEqual => order != Some(Ordering::Equal),
        CompareOp::Less => order == Some(Ordering::Less),
        CompareOp::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Greater => order == Some(Ordering::Greater),
        CompareOp::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// A value as an author would write it.
pub fn words(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => int_words(*i),
        Value::Float(f) => format!("{f:?}"),
        Value::Text(t) => t.clone(),
        Value::Timestamp(t) => format!("{t} ms"),
        other => format!("{other:?}"),
    }
}

fn int_words(i: i64) -> String {
    if i != 0 && i % 1_000_000 == 0 {
        format!("{}M", i / 1_000_000)
    } else if i != 0 && i % 1_000 == 0 {
        format!("{}k", i / 1_000)
    } else {
        i.to_string()
    }
}
