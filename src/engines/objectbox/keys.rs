//! Ids of objects.
//!
//! An app that knows its objects' numbers assigns their ids itself. Ids are
//! unsigned and neither 0 nor the largest number, so that row r is object
//! r + 1. An int key is the id: 0 and up are 1 and up, and what is below 0
//! lies in the upper half, in order, ending one before the end.

use crate::base::Value;

/// Id of a row; `None` past the end.
pub fn of_row(row: u64) -> Option<u64> {
    row.checked_add(1).filter(|id| *id != u64::MAX)
}

/// Id of an int key; `None` for the two smallest, which have none.
pub fn of_key(key: i64) -> Option<u64> {
    if key >= 0 {
        return Some(key as u64 + 1);
    }
    let id = (key as u64).wrapping_sub(1);
    (id > FIRST_NEGATIVE_LESS_ONE).then_some(id)
}

/// The largest id of a key that is not negative.
pub const LAST_POSITIVE: u64 = 1 << 63;
const FIRST_NEGATIVE_LESS_ONE: u64 = LAST_POSITIVE;

/// The int key of an id.
pub fn key_of(id: u64) -> i64 {
    if id <= LAST_POSITIVE {
        id.wrapping_sub(1) as i64
    } else {
        id.wrapping_add(1) as i64
    }
}

/// An id as a value: the engine's own name for a record.
pub fn identity(id: u64) -> Value {
    Value::Int(id as i64)
}

/// The id that a value names.
pub fn named(value: &Value) -> Option<u64> {
    match value {
        Value::Int(id) => Some(*id as u64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_come_back_and_keep_their_order(a in any::<i64>(), b in any::<i64>()) {
            let ids = (of_key(a), of_key(b));
            let (Some(x), Some(y)) = ids else { return Ok(()) };
            prop_assert_eq!(key_of(x), a);
            if (a < 0) == (b < 0) {
                prop_assert_eq!(a.cmp(&b), x.cmp(&y));
            } else {
                prop_assert_eq!(a < 0, x > y);
            }
        }
    }

    #[test]
    fn the_ends() {
        assert_eq!(of_key(0), Some(1));
        assert_eq!(of_key(-1), Some(u64::MAX - 1));
        assert_eq!(of_key(i64::MAX), Some(LAST_POSITIVE));
        assert_eq!(of_key(i64::MIN), None);
        assert_eq!(of_key(i64::MIN + 1), None);
        assert_eq!(of_key(i64::MIN + 2), Some(LAST_POSITIVE + 1));
        assert_eq!(of_row(0), Some(1));
        assert_eq!(of_row(u64::MAX), None);
        assert_eq!(of_row(u64::MAX - 1), None);
    }
}
