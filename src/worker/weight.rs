//! What generated records weigh.

use crate::base::Value;
use crate::workload::source::{logical_bytes, objects};
use crate::workload::{Content, Record, Target};

/// Objects and bytes of generated records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// Records, with the children that they own.
    pub objects: u64,
    /// Bytes of the values themselves, as [`logical_bytes`] counts them.
    pub logical_bytes: u64,
    /// Estimate of the heap that the generated form takes in the harness.
    pub heap_bytes: u64,
}

impl Weight {
    /// Of one record with all that it owns.
    pub fn of(record: &Record) -> Weight {
        Weight {
            objects: objects(record),
            logical_bytes: logical_bytes(record),
            heap_bytes: heap_of(record),
        }
    }
}

impl std::ops::AddAssign for Weight {
    fn add_assign(&mut self, other: Weight) {
        self.objects += other.objects;
        self.logical_bytes += other.logical_bytes;
        self.heap_bytes += other.heap_bytes;
    }
}

fn heap_of(record: &Record) -> u64 {
    let contents = record.fields.iter().map(|content| match content {
        Content::Value(value) => heap_of_value(value),
        Content::Link(target) => target.as_ref().map_or(0, heap_of_target),
        Content::Links(targets) => {
            block(targets.capacity() * size_of::<Target>())
                + targets.iter().map(heap_of_target).sum::<u64>()
        }
        Content::Children(children) => {
            block(children.capacity() * size_of::<Record>())
                + children.iter().map(heap_of).sum::<u64>()
        }
        Content::Owner => 0,
    });
    block(record.fields.capacity() * size_of::<Content>()) + contents.sum::<u64>()
}

fn heap_of_target(target: &Target) -> u64 {
    target.key.as_ref().map_or(0, heap_of_value)
}

fn heap_of_value(value: &Value) -> u64 {
    match value {
        Value::Text(text) | Value::Json(text) => block(text.capacity()),
        Value::Blob(bytes) => block(bytes.capacity()),
        Value::List(items) => {
            block(items.capacity() * size_of::<Value>())
                + items.iter().map(heap_of_value).sum::<u64>()
        }
        _ => 0,
    }
}

/// What an allocator spends on a block: a header of 8 bytes, in steps of 16,
/// 32 at least (glibc on 64 bits; others are near).
fn block(bytes: usize) -> u64 {
    match bytes as u64 {
        0 => 0,
        bytes => (bytes + 8).next_multiple_of(16).max(32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heap_covers_strings_lists_and_children() {
        let child = Record {
            row: 0,
            fields: vec![Content::Value(Value::Text("x".repeat(100)))],
        };
        let alone = Weight::of(&child);
        assert!(alone.heap_bytes >= 100 + size_of::<Content>() as u64);
        let parent = Record {
            row: 0,
            fields: vec![Content::Children(vec![child.clone(), child])],
        };
        let weight = Weight::of(&parent);
        assert_eq!((weight.objects, weight.logical_bytes), (3, 200));
        assert!(weight.heap_bytes > 2 * alone.heap_bytes);
    }
}
