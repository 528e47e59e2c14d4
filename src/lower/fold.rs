//! Constant expressions: params, axes, quantities, conditions.

use std::collections::BTreeMap;

use crate::base::Value;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::{ArithOp, CompareOp, Expr};

/// Values of params and axes at one point; `engine` is the row's label.
pub type Names = BTreeMap<String, Value>;

/// The value of an expression that names nothing but params and axes.
pub fn fold(expr: &Expr, names: &Names) -> Result<Value, Diagnostic> {
    match expr {
        Expr::Literal(value) => Ok(value.clone()),
        Expr::Name(name) => names
            .get(name)
            .cloned()
            .ok_or_else(|| bad(format!("`{name}` has no value here"))),
        Expr::Neg(inner) => match fold(inner, names)? {
            Value::Int(i) => i.checked_neg().map(Value::Int).ok_or_else(overflow),
            Value::Float(f) => Ok(Value::Float(-f)),
            other => Err(bad(format!("{} cannot be negated", words(&other)))),
        },
        Expr::Arith { op, left, right } => arith(*op, fold(left, names)?, fold(right, names)?),
        Expr::Compare {
            op, left, right, ..
        } => compare(*op, &fold(left, names)?, &fold(right, names)?).map(Value::Bool),
        Expr::And(all) => Ok(Value::Bool(try_all(all, names)?)),
        Expr::Or(all) => {
            for each in all {
                if holds(each, names)? {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        Expr::Not(inner) => Ok(Value::Bool(!holds(inner, names)?)),
        Expr::In { needle, among, .. } => {
            let needle = fold(needle, names)?;
            for each in among {
                if compare(CompareOp::Equal, &needle, &fold(each, names)?)? {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        Expr::Between { value, low, high } => {
            let value = fold(value, names)?;
            let above = compare(CompareOp::GreaterOrEqual, &value, &fold(low, names)?)?;
            let below = compare(CompareOp::LessOrEqual, &value, &fold(high, names)?)?;
            Ok(Value::Bool(above && below))
        }
        Expr::If {
            condition,
            then,
            otherwise,
        } => {
            if holds(condition, names)? {
                fold(then, names)
            } else {
                fold(otherwise, names)
            }
        }
        _ => Err(bad("this is not a constant".into())),
    }
}

/// Whether a constant condition holds.
pub fn holds(expr: &Expr, names: &Names) -> Result<bool, Diagnostic> {
    match fold(expr, names)? {
        Value::Bool(held) => Ok(held),
        other => Err(bad(format!("{} is no condition", words(&other)))),
    }
}

/// A whole number that is not negative: sizes, limits, repetitions.
pub fn quantity(expr: &Expr, names: &Names, what: &str) -> Result<u64, Diagnostic> {
    match fold(expr, names)? {
        Value::Int(i) => u64::try_from(i).map_err(|_| {
            Diagnostic::general(Code::BadQuantity, format!("{what} is {i} here"))
                .help("a quantity is 0 or more at every point; `skip when …` leaves points out")
        }),
        other => Err(Diagnostic::general(
            Code::BadQuantity,
            format!("{what} is {} here, not a whole number", words(&other)),
        )),
    }
}

/// The expression with every param and axis filled in, and constants folded.
pub fn close(expr: &Expr, names: &Names) -> Result<Expr, Diagnostic> {
    expr.try_map(&|inner| match &inner {
        Expr::Name(_) => fold(&inner, names).map(Expr::Literal),
        // Only arithmetic on ints: floats stay as written, for the engine to round.
        Expr::Arith { left, right, .. } if is_int(left) && is_int(right) => {
            match fold(&inner, names)? {
                Value::Null => Ok(inner),
                value => Ok(Expr::Literal(value)),
            }
        }
        Expr::Neg(negated)
            if matches!(
                **negated,
                Expr::Literal(Value::Int(_)) | Expr::Literal(Value::Float(_))
            ) =>
        {
            fold(&inner, names).map(Expr::Literal)
        }
        _ => Ok(inner),
    })
}

fn is_int(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Value::Int(_)))
}

fn try_all(all: &[Expr], names: &Names) -> Result<bool, Diagnostic> {
    for each in all {
        if !holds(each, names)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn arith(op: ArithOp, left: Value, right: Value) -> Result<Value, Diagnostic> {
    let (a, b) = match (&left, &right) {
        (Value::Int(a), Value::Int(b)) => return ints(op, *a, *b),
        (Value::Timestamp(a), Value::Int(b)) => {
            return match ints(op, *a, *b)? {
                Value::Int(ms) => Ok(Value::Timestamp(ms)),
                other => Ok(other),
            };
        }
        (Value::Int(a), Value::Float(b)) => (*a as f64, *b),
        (Value::Float(a), Value::Int(b)) => (*a, *b as f64),
        (Value::Float(a), Value::Float(b)) => (*a, *b),
        _ => {
            return Err(bad(format!(
                "{} and {} do not calculate",
                words(&left),
                words(&right)
            )));
        }
    };
    Ok(match op {
        ArithOp::Add => Value::Float(a + b),
        ArithOp::Subtract => Value::Float(a - b),
        ArithOp::Multiply => Value::Float(a * b),
        ArithOp::Divide if b == 0.0 => Value::Null,
        ArithOp::Divide => Value::Float(a / b),
        ArithOp::Remainder => return Err(bad("`mod` takes ints".into())),
    })
}

fn ints(op: ArithOp, a: i64, b: i64) -> Result<Value, Diagnostic> {
    let result = match op {
        ArithOp::Add => a.checked_add(b),
        ArithOp::Subtract => a.checked_sub(b),
        ArithOp::Multiply => a.checked_mul(b),
        ArithOp::Divide | ArithOp::Remainder if b == 0 => return Ok(Value::Null),
        ArithOp::Divide => a.checked_div(b),
        ArithOp::Remainder => a.checked_rem(b),
    };
    result.map(Value::Int).ok_or_else(overflow)
}

fn compare(op: CompareOp, a: &Value, b: &Value) -> Result<bool, Diagnostic> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Int(a), Value::Float(b)) => (*a as f64).total_cmp(b),
        (Value::Float(a), Value::Int(b)) => a.total_cmp(&(*b as f64)),
        (Value::Float(a), Value::Float(b)) => a.total_cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Timestamp(a), Value::Timestamp(b)) => a.cmp(b),
        // Unlike kinds are merely not equal: `indexed == 3` selects nothing.
        _ if op == CompareOp::Equal => return Ok(false),
        _ if op == CompareOp::NotEqual => return Ok(true),
        _ => {
            return Err(bad(format!("{} and {} do not compare", words(a), words(b))));
        }
    };
    Ok(match op {
        CompareOp::Equal => order == Equal,
        CompareOp::NotEqual => order != Equal,
        CompareOp::Less => order == Less,
        CompareOp::LessOrEqual => order != Greater,
        CompareOp::Greater => order == Greater,
        CompareOp::GreaterOrEqual => order != Less,
    })
}

/// A value as people read it in a point or a message.
pub fn words(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => f.to_string(),
        Value::Text(t) | Value::Json(t) => t.clone(),
        Value::Timestamp(ms) => format!("{ms} ms"),
        Value::Uuid(_) => "a uuid".into(),
        Value::Blob(_) => "bytes".into(),
        Value::List(_) => "a list".into(),
    }
}

fn bad(message: String) -> Diagnostic {
    Diagnostic::general(Code::BadPoint, message)
}

fn overflow() -> Diagnostic {
    bad("this is larger than 64 bits hold".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(i: i64) -> Box<Expr> {
        Box::new(Expr::Literal(Value::Int(i)))
    }

    #[test]
    fn a_name_is_filled_in_and_ints_fold() {
        let names = Names::from([("n".into(), Value::Int(10))]);
        let expr = Expr::Arith {
            op: ArithOp::Subtract,
            left: Box::new(Expr::Name("n".into())),
            right: int(100),
        };
        assert_eq!(
            close(&expr, &names).unwrap(),
            Expr::Literal(Value::Int(-90))
        );
        assert_eq!(
            quantity(&expr, &names, "`limit`").unwrap_err().code,
            Code::BadQuantity
        );
    }

    #[test]
    fn overflow_and_unlike_kinds_are_errors() {
        let names = Names::new();
        let expr = Expr::Arith {
            op: ArithOp::Multiply,
            left: int(i64::MAX),
            right: int(2),
        };
        assert_eq!(fold(&expr, &names).unwrap_err().code, Code::BadPoint);
        let less = |right: Value| Expr::Compare {
            op: CompareOp::Less,
            left: int(1),
            right: Box::new(Expr::Literal(right)),
            ignoring_case: false,
        };
        assert!(holds(&less(Value::Text("x".into())), &names).is_err());
        assert!(holds(&less(Value::Float(1.5)), &names).unwrap());
    }
}
