//! Ints, moments and int keys.

use super::condition::{Check, Condition, Operand};
use super::leaf::{Leaf, id_of};
use crate::base::Value;
use crate::engines::objectbox::keys::{self, LAST_POSITIVE};
use crate::plan::CompareOp;

/// An int or moment, compared with a number.
pub fn compared(leaf: &Leaf<'_>, op: CompareOp, value: &Value) -> Option<Condition> {
    Some(match whole(op, value)? {
        Bound::Int(op, int) => leaf.test(Check::Int(op, Operand::Value(int))),
        Bound::All => leaf.not_null(),
        Bound::Nothing => Condition::Never,
    })
}

/// A comparison with a number, as one with an int.
enum Bound {
    Int(CompareOp, i64),
    /// It holds of every int.
    All,
    /// Of none.
    Nothing,
}

fn whole(op: CompareOp, value: &Value) -> Option<Bound> {
    use CompareOp::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    let float = match value {
        Value::Int(int) | Value::Timestamp(int) => return Some(Bound::Int(op, *int)),
        Value::Float(float) if !float.is_nan() => *float,
        _ => return None,
    };
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if !(-LIMIT..LIMIT).contains(&float) {
        let below = float >= LIMIT;
        return Some(match op {
            Equal => Bound::Nothing,
            NotEqual => Bound::All,
            Less | LessOrEqual if below => Bound::All,
            Greater | GreaterOrEqual if !below => Bound::All,
            _ => Bound::Nothing,
        });
    }
    if float.fract() == 0.0 {
        return Some(Bound::Int(op, float as i64));
    }
    // Between two ints: the one below decides.
    let below = float.floor() as i64;
    Some(match op {
        Equal => Bound::Nothing,
        NotEqual => Bound::All,
        Less | LessOrEqual => Bound::Int(LessOrEqual, below),
        Greater | GreaterOrEqual => Bound::Int(Greater, below),
    })
}

/// An int key, which is the id. The engine compares ids without sign, and
/// negative keys lie above all others.
pub fn keys(leaf: &Leaf<'_>, op: CompareOp, value: &Value) -> Option<Condition> {
    let (op, key) = match whole(op, value)? {
        Bound::Int(op, key) => (op, key),
        Bound::All => return Some(Condition::Always),
        Bound::Nothing => return Some(Condition::Never),
    };
    let test = |op, id: i64| leaf.test(Check::Int(op, Operand::Value(id)));
    let last = LAST_POSITIVE as i64;
    let Some(id) = id_of(key) else {
        // No record can have this key, nor a smaller one.
        return Some(match op {
            CompareOp::Equal | CompareOp::Less | CompareOp::LessOrEqual => Condition::Never,
            _ => Condition::Always,
        });
    };
    debug_assert_eq!(keys::key_of(id as u64), key);
    Some(match (op, key < 0) {
        (CompareOp::Equal | CompareOp::NotEqual, _) => test(op, id),
        (CompareOp::Less | CompareOp::LessOrEqual, false) => {
            Condition::Any(vec![test(op, id), test(CompareOp::Greater, last)])
        }
        (CompareOp::Less | CompareOp::LessOrEqual, true) => {
            Condition::All(vec![test(op, id), test(CompareOp::Greater, last)])
        }
        (CompareOp::Greater | CompareOp::GreaterOrEqual, false) => {
            Condition::All(vec![test(op, id), test(CompareOp::LessOrEqual, last)])
        }
        (CompareOp::Greater | CompareOp::GreaterOrEqual, true) => {
            Condition::Any(vec![test(op, id), test(CompareOp::LessOrEqual, last)])
        }
    })
}
