//! Values that are decoded into again and again: what they hold is given back
//! to the allocator as rarely as possible.

use crate::base::Value;

/// Makes it this text.
pub fn set_text(slot: &mut Value, text: &str) {
    match slot {
        Value::Text(own) => {
            own.clear();
            own.push_str(text);
        }
        other => *other = Value::Text(text.to_owned()),
    }
}

/// Makes it this JSON.
pub fn set_json(slot: &mut Value, text: &str) {
    match slot {
        Value::Json(own) => {
            own.clear();
            own.push_str(text);
        }
        other => *other = Value::Json(text.to_owned()),
    }
}

/// Makes it a blob that `fill` appends to.
pub fn set_blob<E>(
    slot: &mut Value,
    fill: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
) -> Result<(), E> {
    if !matches!(slot, Value::Blob(_)) {
        *slot = Value::Blob(Vec::new());
    }
    match slot {
        Value::Blob(own) => {
            own.clear();
            fill(own)
        }
        _ => Ok(()),
    }
}

/// Makes it a list of so many values as `fill` sets, one by one, until it says
/// that there are no more.
pub fn set_list<E>(
    slot: &mut Value,
    mut fill: impl FnMut(&mut Value) -> Result<bool, E>,
) -> Result<(), E> {
    if !matches!(slot, Value::List(_)) {
        *slot = Value::List(Vec::new());
    }
    let Value::List(items) = slot else {
        return Ok(());
    };
    let mut at = 0;
    loop {
        if at == items.len() {
            items.push(Value::Null);
        }
        if !fill(&mut items[at])? {
            break;
        }
        at += 1;
    }
    items.truncate(at);
    Ok(())
}
