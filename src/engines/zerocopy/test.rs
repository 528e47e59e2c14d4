//! Conditions on one value.

use std::borrow::Cow;

use super::block::Type;
use crate::base::{Value, ValueRef};
use crate::plan::{CompareOp, TextOp};
use crate::workload::compare::compare;
use crate::workload::eval::text::{fold, matches};

/// A condition on one value, with all constants known. It never fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// A comparison; where `fold` is set, both texts are lower-cased first.
    Compare {
        op: CompareOp,
        to: Value,
        fold: bool,
    },
    /// Equal to one of these.
    In { among: Vec<Value>, fold: bool },
    /// From one to the other, both included.
    Between { low: Value, high: Value },
    /// A match of a text; null matches nothing.
    Match {
        op: TextOp,
        pattern: String,
        fold: bool,
    },
    /// Null.
    Null,
    /// `true`.
    True,
}

/// As [`crate::workload::eval::compared`], of borrowed values.
pub fn compared(op: CompareOp, left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    let (left_null, right_null) = (left == ValueRef::Null, right == ValueRef::Null);
    if left_null || right_null {
        return op == CompareOp::NotEqual && left_null != right_null;
    }
    let order = compare(left, right);
    match op {
        CompareOp::Equal => order.is_eq(),
        CompareOp::NotEqual => order.is_ne(),
        CompareOp::Less => order.is_lt(),
        CompareOp::LessOrEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterOrEqual => order.is_ge(),
    }
}

/// A value as `ignoring case` compares it.
pub fn folded(value: Value) -> Value {
    match value {
        Value::Text(text) => Value::Text(fold(&text)),
        other => other,
    }
}

impl Test {
    /// Whether a value meets it.
    pub fn holds(&self, value: ValueRef<'_>) -> bool {
        let own = |folds: bool| match value {
            ValueRef::Text(text) if folds => Cow::Owned(fold(text)),
            ValueRef::Text(text) => Cow::Borrowed(text),
            _ => Cow::Borrowed(""),
        };
        let against = |op: CompareOp, to: &Value, folds: bool| match value {
            ValueRef::Text(_) if folds => compared(op, ValueRef::Text(&own(true)), to.scalar_ref()),
            value => compared(op, value, to.scalar_ref()),
        };
        match self {
            Test::Compare { op, to, fold } => against(*op, to, *fold),
            Test::In { among, fold } => among.iter().any(|to| against(CompareOp::Equal, to, *fold)),
            Test::Between { low, high } => {
                compared(CompareOp::GreaterOrEqual, value, low.scalar_ref())
                    && compared(CompareOp::LessOrEqual, value, high.scalar_ref())
            }
            Test::Match { op, pattern, fold } => match value {
                ValueRef::Text(text) | ValueRef::Json(text) => matches(*op, text, pattern, *fold),
                _ => false,
            },
            Test::Null => value == ValueRef::Null,
            Test::True => value == ValueRef::Bool(true),
        }
    }

    /// Whether null meets it.
    pub fn on_null(&self) -> bool {
        self.holds(ValueRef::Null)
    }

    /// The integers that meet it, where they are a range or all but a range:
    /// low, high (none where low is above), and whether those are the ones
    /// that do not.
    pub fn range(&self, kind: Type) -> Option<(i64, i64, bool)> {
        let int = |value: &Value| match (value, kind) {
            (Value::Bool(bool), Type::Bool) => Some(i64::from(*bool)),
            (Value::Int(int) | Value::Timestamp(int), Type::Int | Type::Timestamp | Type::Link) => {
                Some(*int)
            }
            _ => None,
        };
        const NOTHING: (i64, i64, bool) = (1, 0, false);
        Some(match self {
            Test::Compare { op, to, .. } => {
                let to = int(to)?;
                match op {
                    CompareOp::Equal => (to, to, false),
                    CompareOp::NotEqual => (to, to, true),
                    CompareOp::Less => match to.checked_sub(1) {
                        Some(high) => (i64::MIN, high, false),
                        None => NOTHING,
                    },
                    CompareOp::LessOrEqual => (i64::MIN, to, false),
                    CompareOp::Greater => match to.checked_add(1) {
                        Some(low) => (low, i64::MAX, false),
                        None => NOTHING,
                    },
                    CompareOp::GreaterOrEqual => (to, i64::MAX, false),
                }
            }
            Test::Between { low, high } => (int(low)?, int(high)?, false),
            Test::True if kind == Type::Bool => (1, 1, false),
            _ => return None,
        })
    }

    /// The only text or bytes that meet it.
    pub fn only(&self) -> Option<&[u8]> {
        match self {
            Test::Compare {
                op: CompareOp::Equal,
                to,
                fold: false,
            } => match to {
                Value::Text(text) | Value::Json(text) => Some(text.as_bytes()),
                Value::Blob(bytes) => Some(bytes),
                _ => None,
            },
            _ => None,
        }
    }

    /// How dear it is beside others, roughly.
    pub fn cost(&self) -> u32 {
        match self {
            Test::Null | Test::True => 1,
            Test::Compare { fold: false, .. } | Test::Between { .. } => 2,
            Test::In { fold: false, .. } => 4,
            _ => 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_the_test_holds() {
        let values = [i64::MIN, i64::MIN + 1, -1, 0, 1, 5, i64::MAX - 1, i64::MAX];
        use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        for op in [Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual] {
            for to in values {
                let test = Test::Compare {
                    op,
                    to: Value::Int(to),
                    fold: false,
                };
                let (low, high, turned) = test.range(Type::Int).expect("a range");
                for value in values {
                    let inside = (low..=high).contains(&value) != turned;
                    assert_eq!(
                        inside,
                        test.holds(ValueRef::Int(value)),
                        "{value} {op:?} {to}"
                    );
                }
            }
        }
    }
}
