//! The evaluator.

use std::borrow::Cow;

use super::arithmetic::{arithmetic, negate};
use super::context::{Context, Elements};
use super::error::EvalError;
use super::text::{fold, matches};
use crate::base::Value;
use crate::plan::{CompareOp, Expr, Path, Quantifier};
use crate::workload::compare::compare_values;

/// The value of an expression.
pub fn evaluate<'a, C: Context + ?Sized>(
    context: &'a C,
    expr: &'a Expr,
) -> Result<Cow<'a, Value>, EvalError> {
    let value = match expr {
        Expr::Literal(value) => return Ok(Cow::Borrowed(value)),
        Expr::Path(path) => return context.path(path),
        Expr::It => {
            return context
                .it()
                .map(Cow::Borrowed)
                .ok_or_else(|| EvalError::wrong("`it` outside a quantifier over a list"));
        }
        Expr::Arg(at) => {
            return context
                .argument(*at)
                .map(Cow::Borrowed)
                .ok_or_else(|| EvalError::wrong(format!("argument {at} is not bound")));
        }
        Expr::Name(name) => return Err(EvalError::wrong(format!("`{name}` is still open"))),
        Expr::Row => match context.row() {
            Some(row) => Value::Int(i64::try_from(row).map_err(|_| EvalError::Overflow)?),
            None => return Err(EvalError::wrong("`row` outside a generator")),
        },
        Expr::Generate(generator) => context.draw(generator)?,
        Expr::Neg(inner) => negate(&*evaluate(context, inner)?)?,
        Expr::Arith { op, left, right } => {
            let left = evaluate(context, left)?;
            arithmetic(*op, &left, &*evaluate(context, right)?)?
        }
        Expr::If {
            condition,
            then,
            otherwise,
        } => {
            let branch = if holds(context, condition)? {
                then
            } else {
                otherwise
            };
            return evaluate(context, branch);
        }
        Expr::Hook {
            hook,
            args,
            with_record,
        } => {
            let args = args
                .iter()
                .map(|arg| Ok(evaluate(context, arg)?.into_owned()))
                .collect::<Result<Vec<_>, EvalError>>()?;
            context.hook(*hook, *with_record, &args)?
        }
        Expr::CountOf { over, predicate } => count(context, over, predicate.as_deref())?,
        predicate => Value::Bool(test(context, predicate)?),
    };
    Ok(Cow::Owned(value))
}

/// Whether an expression that is no comparison holds: a bool field, a hook.
fn decided<C: Context + ?Sized>(context: &C, condition: &Expr) -> Result<bool, EvalError> {
    let value = evaluate(context, condition)?;
    match (&*value, condition) {
        (Value::Bool(held), _) => Ok(*held),
        (Value::Null, _) => Ok(false),
        (value, Expr::Hook { hook, .. }) => context.held(*hook, value),
        (value, _) => Err(EvalError::wrong(format!(
            "{} is no condition",
            value.kind()
        ))),
    }
}

/// Whether a condition holds; a null does not.
pub fn holds<C: Context + ?Sized>(context: &C, condition: &Expr) -> Result<bool, EvalError> {
    match condition {
        Expr::Compare { .. }
        | Expr::And(_)
        | Expr::Or(_)
        | Expr::Not(_)
        | Expr::In { .. }
        | Expr::Between { .. }
        | Expr::TextMatch { .. }
        | Expr::IsNull(_)
        | Expr::IsEmpty(_)
        | Expr::Quantified { .. } => test(context, condition),
        other => decided(context, other),
    }
}

fn test<C: Context + ?Sized>(context: &C, predicate: &Expr) -> Result<bool, EvalError> {
    match predicate {
        Expr::Compare {
            op,
            left,
            right,
            ignoring_case,
        } => {
            let left = folded(evaluate(context, left)?, *ignoring_case);
            let right = folded(evaluate(context, right)?, *ignoring_case);
            Ok(compared(*op, &left, &right))
        }
        Expr::And(all) => {
            for each in all {
                if !holds(context, each)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Expr::Or(some) => {
            for each in some {
                if holds(context, each)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Expr::Not(inner) => Ok(!holds(context, inner)?),
        Expr::In {
            needle,
            among,
            ignoring_case,
        } => {
            let needle = folded(evaluate(context, needle)?, *ignoring_case);
            for candidate in among {
                let candidate = folded(evaluate(context, candidate)?, *ignoring_case);
                if compared(CompareOp::Equal, &needle, &candidate) {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Expr::Between { value, low, high } => {
            let value = evaluate(context, value)?;
            Ok(
                compared(CompareOp::GreaterOrEqual, &value, &*evaluate(context, low)?)
                    && compared(CompareOp::LessOrEqual, &value, &*evaluate(context, high)?),
            )
        }
        Expr::TextMatch {
            op,
            value,
            pattern,
            ignoring_case,
        } => {
            let value = evaluate(context, value)?;
            let pattern = evaluate(context, pattern)?;
            match (&*value, &*pattern) {
                (
                    Value::Text(text) | Value::Json(text),
                    Value::Text(pattern) | Value::Json(pattern),
                ) => Ok(matches(*op, text, pattern, *ignoring_case)),
                (Value::Null, _) | (_, Value::Null) => Ok(false),
                (other, _) => Err(EvalError::wrong(format!("{other:?} is not a text"))),
            }
        }
        Expr::IsNull(inner) => Ok(evaluate(context, inner)?.is_null()),
        Expr::IsEmpty(path) => is_empty(context, path),
        Expr::Quantified {
            quantifier,
            over,
            predicate,
        } => {
            // Each quantifier ends at the first element that decides it.
            let wanted = *quantifier != Quantifier::All;
            let mut found = false;
            context.elements(over, &mut |element| {
                found = context.about(element, predicate)? == wanted;
                Ok(!found)
            })?;
            Ok(found == (*quantifier == Quantifier::Any))
        }
        other => decided(context, other),
    }
}

/// A comparison of two values; false where one is null, except that `!=` holds
/// where exactly one is.
pub fn compared(op: CompareOp, left: &Value, right: &Value) -> bool {
    if left.is_null() || right.is_null() {
        return op == CompareOp::NotEqual && left.is_null() != right.is_null();
    }
    let order = compare_values(left, right);
    match op {
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessOrEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterOrEqual => order.is_ge(),
    }
}

fn folded(value: Cow<'_, Value>, ignoring_case: bool) -> Cow<'_, Value> {
    match &*value {
        Value::Text(text) if ignoring_case => Cow::Owned(Value::Text(fold(text))),
        _ => value,
    }
}

fn is_empty<C: Context + ?Sized>(context: &C, path: &Path) -> Result<bool, EvalError> {
    let mut empty = true;
    let found = context.elements(path, &mut |_| {
        empty = false;
        Ok(false)
    })?;
    match found {
        Elements::Listed => Ok(empty),
        Elements::Null => Ok(false),
        Elements::Scalar => match &*context.path(path)? {
            Value::Text(text) => Ok(text.is_empty()),
            Value::Blob(bytes) => Ok(bytes.is_empty()),
            Value::Null => Ok(false),
            other => Err(EvalError::wrong(format!("{other:?} has no length"))),
        },
    }
}

fn count<C: Context + ?Sized>(
    context: &C,
    over: &Path,
    predicate: Option<&Expr>,
) -> Result<Value, EvalError> {
    let mut count = 0;
    context.elements(over, &mut |element| {
        let counted = match predicate {
            Some(predicate) => context.about(element, predicate)?,
            None => true,
        };
        count += i64::from(counted);
        Ok(true)
    })?;
    Ok(Value::Int(count))
}
