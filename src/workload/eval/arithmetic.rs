//! `+ - * / mod` and the minus sign.

use super::error::EvalError;
use crate::base::Value;
use crate::plan::ArithOp;

/// The result of an operation. Null with null; ints stay ints, an int and a
/// float give a float; a timestamp moved by an int is a timestamp, two
/// timestamps differ by an int.
pub fn arithmetic(op: ArithOp, left: &Value, right: &Value) -> Result<Value, EvalError> {
    use Value::{Float, Int, Null, Timestamp};
    match (left, right) {
        (Null, _) | (_, Null) => Ok(Null),
        (Int(a), Int(b)) => Ok(ints(op, *a, *b)?.map_or(Null, Int)),
        (Timestamp(a), Timestamp(b)) => Ok(ints(op, *a, *b)?.map_or(Null, Int)),
        (Timestamp(a), Int(b)) | (Int(a), Timestamp(b)) => {
            let moved = matches!(op, ArithOp::Add | ArithOp::Subtract);
            let wrap = if moved { Timestamp } else { Int };
            Ok(ints(op, *a, *b)?.map_or(Null, wrap))
        }
        (Int(a) | Timestamp(a), Float(b)) => floats(op, *a as f64, *b),
        (Float(a), Int(b) | Timestamp(b)) => floats(op, *a, *b as f64),
        (Float(a), Float(b)) => floats(op, *a, *b),
        (a, b) => Err(EvalError::wrong(format!(
            "no arithmetic on {a:?} and {b:?}"
        ))),
    }
}

/// The opposite of a number.
pub fn negate(value: &Value) -> Result<Value, EvalError> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Int(i) => Ok(Value::Int(i.checked_neg().ok_or(EvalError::Overflow)?)),
        Value::Float(f) => Ok(Value::Float(-f)),
        other => Err(EvalError::wrong(format!("{other:?} has no opposite"))),
    }
}

/// `None` for a division by zero.
fn ints(op: ArithOp, a: i64, b: i64) -> Result<Option<i64>, EvalError> {
    let result = match op {
        ArithOp::Add => a.checked_add(b),
        ArithOp::Subtract => a.checked_sub(b),
        ArithOp::Multiply => a.checked_mul(b),
        ArithOp::Divide | ArithOp::Remainder if b == 0 => return Ok(None),
        ArithOp::Divide => a.checked_div(b),
        // `MIN mod -1` is 0, though the division beside it overflows.
        ArithOp::Remainder => Some(a.wrapping_rem(b)),
    };
    result.map(Some).ok_or(EvalError::Overflow)
}

fn floats(op: ArithOp, a: f64, b: f64) -> Result<Value, EvalError> {
    let result = match op {
        ArithOp::Add => a + b,
        ArithOp::Subtract => a - b,
        ArithOp::Multiply => a * b,
        ArithOp::Divide if b == 0.0 => return Ok(Value::Null),
        ArithOp::Divide => a / b,
        ArithOp::Remainder => return Err(EvalError::wrong("`mod` is for ints")),
    };
    Ok(if result.is_nan() {
        Value::Null
    } else {
        Value::Float(result)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_truncates_and_zero_gives_null() {
        let divide = |a, b| arithmetic(ArithOp::Divide, &Value::Int(a), &Value::Int(b));
        let modulo = |a, b| arithmetic(ArithOp::Remainder, &Value::Int(a), &Value::Int(b));
        assert_eq!(divide(-7, 2), Ok(Value::Int(-3)));
        assert_eq!(modulo(-7, 2), Ok(Value::Int(-1)));
        assert_eq!(divide(1, 0), Ok(Value::Null));
        assert_eq!(modulo(1, 0), Ok(Value::Null));
        assert_eq!(divide(i64::MIN, -1), Err(EvalError::Overflow));
        assert_eq!(modulo(i64::MIN, -1), Ok(Value::Int(0)));
        assert_eq!(negate(&Value::Int(i64::MIN)), Err(EvalError::Overflow));
    }

    #[test]
    fn kinds_mix_as_declared() {
        let add = |a: Value, b: Value| arithmetic(ArithOp::Add, &a, &b);
        assert_eq!(add(Value::Int(1), Value::Float(0.5)), Ok(Value::Float(1.5)));
        assert_eq!(
            add(Value::Timestamp(1), Value::Int(2)),
            Ok(Value::Timestamp(3))
        );
        assert_eq!(add(Value::Null, Value::Int(2)), Ok(Value::Null));
        assert_eq!(
            add(Value::Int(i64::MAX), Value::Int(1)),
            Err(EvalError::Overflow)
        );
        let difference = arithmetic(
            ArithOp::Subtract,
            &Value::Timestamp(5),
            &Value::Timestamp(3),
        );
        assert_eq!(difference, Ok(Value::Int(2)));
    }
}
