//! Sinks: the fixed touch of the timed pass, and one that keeps what comes.

use std::borrow::Cow;

use super::Sink;
use crate::base::{Value, ValueRef};

/// The fixed touch: the same small work per value for every engine, and no
/// more. Each value's length and first eight bytes are folded into one word,
/// so that nothing can be skipped.
#[derive(Clone, Copy, Debug, Default)]
pub struct TouchSink {
    folded: u64,
    rows: u64,
}

impl TouchSink {
    /// What was folded: to be handed to [`std::hint::black_box`].
    pub fn folded(&self) -> u64 {
        self.folded
    }

    /// Records that came.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    fn fold(&mut self, value: ValueRef<'_>) {
        let word = match value {
            ValueRef::Null => 0,
            ValueRef::Bool(b) => u64::from(b) + 1,
            ValueRef::Int(i) | ValueRef::Timestamp(i) => i as u64,
            ValueRef::Float(f) => f.to_bits(),
            ValueRef::Text(text) | ValueRef::Json(text) => head(text.as_bytes()),
            ValueRef::Uuid(uuid) => head(&uuid),
            ValueRef::Blob(bytes) => head(bytes),
            ValueRef::List(items) => {
                for item in items {
                    self.fold(*item);
                }
                items.len() as u64
            }
        };
        self.folded = self.folded.rotate_left(7) ^ word;
    }
}

impl Sink for TouchSink {
    fn row(&mut self, values: &[ValueRef<'_>]) {
        self.rows += 1;
        for value in values {
            self.fold(*value);
        }
    }
}

fn head(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = bytes.len().min(8);
    first[..length].copy_from_slice(&bytes[..length]);
    u64::from_le_bytes(first) ^ (bytes.len() as u64).rotate_right(8)
}

/// Keeps every record: for hooks over results, single values and tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollectSink {
    /// The records in the order in which they came.
    pub rows: Vec<Vec<Value>>,
}

impl Sink for CollectSink {
    fn row(&mut self, values: &[ValueRef<'_>]) {
        self.rows
            .push(values.iter().map(ValueRef::to_value).collect());
    }
}

/// Hands one record of owned or borrowed values to a sink. Lists may hold
/// lists, but no deeper.
pub fn deliver(sink: &mut dyn Sink, values: &[Cow<'_, Value>]) {
    if values.iter().any(|v| matches!(v.as_ref(), Value::List(_))) {
        return deliver_lists(sink, values);
    }
    let refs: Vec<ValueRef<'_>> = values.iter().map(|value| value.scalar_ref()).collect();
    sink.row(&refs);
}

fn deliver_lists(sink: &mut dyn Sink, values: &[Cow<'_, Value>]) {
    let items = |value: &'_ Value| match value {
        Value::List(items) => items.len(),
        _ => 0,
    };
    // Innermost first: each level borrows from the one below.
    let inner: Vec<Vec<Vec<ValueRef<'_>>>> = values
        .iter()
        .map(|value| match value.as_ref() {
            Value::List(outer) => outer
                .iter()
                .map(|item| match item {
                    Value::List(items) => items.iter().map(Value::scalar_ref).collect(),
                    _ => Vec::new(),
                })
                .collect(),
            _ => Vec::new(),
        })
        .collect();
    let outer: Vec<Vec<ValueRef<'_>>> = values
        .iter()
        .zip(&inner)
        .map(|(value, inner)| {
            let mut refs = Vec::with_capacity(items(value));
            if let Value::List(items) = value.as_ref() {
                refs.extend(items.iter().zip(inner).map(|(item, inner)| match item {
                    Value::List(_) => ValueRef::List(inner),
                    scalar => scalar.scalar_ref(),
                }));
            }
            refs
        })
        .collect();
    let record: Vec<ValueRef<'_>> = values
        .iter()
        .zip(&outer)
        .map(|(value, outer)| match value.as_ref() {
            Value::List(_) => ValueRef::List(outer),
            scalar => scalar.scalar_ref(),
        })
        .collect();
    sink.row(&record);
}

/// Takes nothing: for changes, which deliver no records.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSink;

impl Sink for NoSink {
    fn row(&mut self, _: &[ValueRef<'_>]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(values: &[ValueRef<'_>]) -> u64 {
        let mut sink = TouchSink::default();
        sink.row(values);
        sink.folded()
    }

    #[test]
    fn the_touch_sees_every_value() {
        let base = touched(&[ValueRef::Int(1), ValueRef::Text("name")]);
        assert_ne!(base, touched(&[ValueRef::Int(2), ValueRef::Text("name")]));
        assert_ne!(base, touched(&[ValueRef::Int(1), ValueRef::Text("game")]));
        assert_ne!(base, touched(&[ValueRef::Int(1), ValueRef::Text("names")]));
        assert_ne!(base, touched(&[ValueRef::Text("name"), ValueRef::Int(1)]));
        let list = [ValueRef::Int(3)];
        assert_ne!(
            touched(&[ValueRef::List(&list)]),
            touched(&[ValueRef::List(&[])])
        );
    }

    #[test]
    fn lists_are_delivered_whole() {
        let nested = Value::List(vec![
            Value::List(vec![Value::Int(1), Value::Int(2)]),
            Value::List(Vec::new()),
            Value::Null,
        ]);
        let mut sink = CollectSink::default();
        deliver(
            &mut sink,
            &[Cow::Borrowed(&nested), Cow::Owned(Value::Int(3))],
        );
        assert_eq!(sink.rows, [vec![nested, Value::Int(3)]]);
    }

    #[test]
    fn collected_rows_stay_in_order() {
        let mut sink = CollectSink::default();
        sink.row(&[ValueRef::Int(2)]);
        sink.row(&[]);
        assert_eq!(sink.rows, [vec![Value::Int(2)], vec![]]);
    }
}
