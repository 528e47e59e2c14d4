//! Keys of records in the indexes of their model.

use super::error::{Result, misuse};
use super::key;
use super::layout::IndexLayout;
use super::row::Row;
use crate::base::{Value, ValueRef};
use crate::workload::Content;

/// A key, and whether any of its parts is null (then it agrees with no other).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether a part is null.
    pub null: bool,
}

/// The key of a stored record in an index; `changed` gives the values of
/// columns that are not as stored.
pub fn of_row(
    row: &Row<'_>,
    index: &IndexLayout,
    changed: &dyn Fn(usize) -> Option<Value>,
) -> Result<Key> {
    let mut made = Key::default();
    for part in &index.parts {
        let put = |made: &mut Key, value: ValueRef<'_>| {
            made.null |= value == ValueRef::Null;
            key::put(&mut made.bytes, value, part.optional, part.descending);
        };
        match changed(part.column) {
            Some(value) => put(&mut made, value.scalar_ref()),
            None => put(&mut made, row.column(part.column)?.get(row.position)?),
        }
    }
    Ok(made)
}

/// The key of a record that is to be stored.
pub fn of_contents(fields: &[Content], index: &IndexLayout, made: &mut Key) -> Result<()> {
    made.bytes.clear();
    made.null = false;
    for part in &index.parts {
        let link;
        let value = match fields.get(part.field) {
            Some(Content::Value(value)) => value.scalar_ref(),
            Some(Content::Link(target)) => {
                link = target.as_ref().map(|target| target.row as i64);
                link.map_or(ValueRef::Null, ValueRef::Int)
            }
            Some(Content::Children(children)) => {
                link = children.first().map(|child| child.row as i64);
                link.map_or(ValueRef::Null, ValueRef::Int)
            }
            _ => return Err(misuse("an index over what is no value")),
        };
        made.null |= value == ValueRef::Null;
        key::put(&mut made.bytes, value, part.optional, part.descending);
    }
    Ok(())
}
