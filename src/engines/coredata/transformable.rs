//! A scalar list as the blob of a transformable attribute.
//!
//! Core Data archives the array, SwiftData encodes it; either way it is opaque
//! to SQL. Here each element is a tag, a length where it has one, and its bytes.

use crate::base::Value;
use crate::engines::sqlite::error::misuse;
use crate::engines::{EngineError, ErrorKind};

/// The blob of a list.
pub fn encode(items: &[Value]) -> Result<Vec<u8>, EngineError> {
    let mut blob = Vec::new();
    for item in items {
        match item {
            Value::Null => blob.push(0),
            Value::Bool(b) => blob.extend([1, u8::from(*b)]),
            Value::Int(i) => sized(&mut blob, 2, &i.to_le_bytes())?,
            Value::Float(f) => sized(&mut blob, 3, &f.to_bits().to_le_bytes())?,
            Value::Text(t) => sized(&mut blob, 4, t.as_bytes())?,
            Value::Uuid(u) => sized(&mut blob, 5, u)?,
            Value::Timestamp(t) => sized(&mut blob, 6, &t.to_le_bytes())?,
            Value::Blob(b) => sized(&mut blob, 7, b)?,
            Value::Json(j) => sized(&mut blob, 8, j.as_bytes())?,
            Value::List(_) => return Err(misuse("a list inside a list")),
        }
    }
    Ok(blob)
}

fn sized(blob: &mut Vec<u8>, tag: u8, bytes: &[u8]) -> Result<(), EngineError> {
    let length = u32::try_from(bytes.len()).map_err(|_| misuse("an element is too long"))?;
    blob.push(tag);
    blob.extend(length.to_le_bytes());
    blob.extend(bytes);
    Ok(())
}

/// The list of a blob.
pub fn decode(blob: &[u8]) -> Result<Vec<Value>, EngineError> {
    let mut items = Vec::new();
    let mut rest = blob;
    while !rest.is_empty() {
        let (item, after) = element(rest).ok_or_else(|| {
            EngineError::new(ErrorKind::Corrupt, "a transformable attribute is damaged")
        })?;
        items.push(item);
        rest = after;
    }
    Ok(items)
}

fn element(blob: &[u8]) -> Option<(Value, &[u8])> {
    let (tag, rest) = blob.split_first()?;
    if *tag == 0 {
        return Some((Value::Null, rest));
    }
    if *tag == 1 {
        let (bit, rest) = rest.split_first()?;
        return Some((Value::Bool(*bit != 0), rest));
    }
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (bytes, rest) = rest.split_at_checked(length)?;
    let int = || Some(i64::from_le_bytes(bytes.try_into().ok()?));
    let text = || Some(std::str::from_utf8(bytes).ok()?.to_owned());
    let value = match tag {
        2 => Value::Int(int()?),
        3 => Value::Float(f64::from_bits(u64::from_le_bytes(bytes.try_into().ok()?))),
        4 => Value::Text(text()?),
        5 => Value::Uuid(bytes.try_into().ok()?),
        6 => Value::Timestamp(int()?),
        7 => Value::Blob(bytes.to_vec()),
        8 => Value::Json(text()?),
        _ => return None,
    };
    Some((value, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        let items = vec![
            Value::Null,
            Value::Bool(true),
            Value::Int(-5),
            Value::Float(1.0 / 3.0),
            Value::Text("né".into()),
            Value::Uuid([7; 16]),
            Value::Timestamp(9),
            Value::Blob(vec![]),
            Value::Json("{}".into()),
        ];
        let blob = encode(&items).unwrap();
        assert_eq!(decode(&blob).unwrap(), items);
        let torn = decode(&blob[..blob.len() - 1]).unwrap_err();
        assert_eq!(torn.kind, ErrorKind::Corrupt);
    }
}
