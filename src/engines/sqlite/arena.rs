//! Values of a record that cannot be borrowed from its row: elements of lists,
//! whose statement has moved on, and parts of JSON fields. Room is reused from
//! record to record.

use std::ops::Range;

use crate::base::{Value, ValueRef};

/// A value whose text or bytes lie in an [`Arena`].
#[derive(Clone, Debug)]
pub enum Kept {
    /// Nothing outside itself.
    Plain(Plain),
    /// See [`ValueRef::Text`].
    Text(Range<usize>),
    /// See [`ValueRef::Json`].
    Json(Range<usize>),
    /// See [`ValueRef::Blob`].
    Blob(Range<usize>),
    /// See [`ValueRef::List`]: a range of [`Arena::items`].
    List(Range<usize>),
}

/// A value without text or bytes.
pub type Plain = ValueRef<'static>;

/// Texts and bytes, one after another.
#[derive(Debug, Default)]
pub struct Arena {
    text: String,
    bytes: Vec<u8>,
    items: Vec<Kept>,
}

impl Arena {
    /// Forgets everything, keeping the room.
    pub fn clear(&mut self) {
        self.text.clear();
        self.bytes.clear();
        self.items.clear();
    }

    /// Keeps a list of scalars.
    pub fn keep_list(&mut self, list: &[Value]) -> Kept {
        let start = self.items.len();
        for value in list {
            let kept = self.keep(value.scalar_ref());
            self.items.push(kept);
        }
        Kept::List(start..self.items.len())
    }

    /// The elements of all kept lists, for [`Arena::get_in`].
    pub fn items(&self) -> impl Iterator<Item = ValueRef<'_>> {
        self.items.iter().map(|kept| self.get(kept))
    }

    /// What was kept, lists as slices of `items`.
    pub fn get_in<'a>(&'a self, kept: &Kept, items: &'a [ValueRef<'a>]) -> ValueRef<'a> {
        match kept {
            Kept::List(range) => ValueRef::List(&items[range.clone()]),
            other => self.get(other),
        }
    }

    /// Keeps a scalar; lists do not come here and are kept as null.
    pub fn keep(&mut self, value: ValueRef<'_>) -> Kept {
        match value {
            ValueRef::Text(t) => Kept::Text(self.text(t)),
            ValueRef::Json(t) => Kept::Json(self.text(t)),
            ValueRef::Blob(b) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(b);
                Kept::Blob(start..self.bytes.len())
            }
            ValueRef::Null | ValueRef::List(_) => Kept::Plain(ValueRef::Null),
            ValueRef::Bool(b) => Kept::Plain(ValueRef::Bool(b)),
            ValueRef::Int(i) => Kept::Plain(ValueRef::Int(i)),
            ValueRef::Float(f) => Kept::Plain(ValueRef::Float(f)),
            ValueRef::Uuid(u) => Kept::Plain(ValueRef::Uuid(u)),
            ValueRef::Timestamp(t) => Kept::Plain(ValueRef::Timestamp(t)),
        }
    }

    /// As [`Arena::keep`], of an owned value.
    pub fn keep_value(&mut self, value: &Value) -> Kept {
        self.keep(value.scalar_ref())
    }

    fn text(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// What was kept, if it is not a list.
    pub fn get(&self, kept: &Kept) -> ValueRef<'_> {
        match kept {
            Kept::Plain(plain) => *plain,
            Kept::List(_) => ValueRef::Null,
            Kept::Text(range) => ValueRef::Text(&self.text[range.clone()]),
            Kept::Json(range) => ValueRef::Json(&self.text[range.clone()]),
            Kept::Blob(range) => ValueRef::Blob(&self.bytes[range.clone()]),
        }
    }
}
