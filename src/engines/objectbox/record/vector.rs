//! Scalar lists.

use uuid::Uuid;

use super::row::{Elements, Row};
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::objectbox::api::corrupt;
use crate::engines::objectbox::layout::Element;

/// A list: values on their way in, or one that is stored.
#[derive(Clone, Copy, Debug)]
pub struct Vector<'a> {
    /// What it holds.
    pub element: Element,
    /// Where it is.
    pub from: Origin<'a>,
}

/// Where a list is.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// In a record.
    Values(&'a [Value]),
    /// In an object.
    Stored(Elements<'a>),
    /// In an object, in one vector of bytes.
    Packed(&'a [u8]),
}

impl PartialEq for Vector<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.element == other.element && self.values().ok() == other.values().ok()
    }
}

impl<'a> Vector<'a> {
    /// Of values.
    pub fn of(element: Element, values: &'a [Value]) -> Self {
        Vector {
            element,
            from: Origin::Values(values),
        }
    }

    /// Of an object's property; `None` where it is null.
    pub fn stored(element: Element, row: &Row<'a>, slot: usize) -> Option<Self> {
        let width = match element {
            Element::Bool => 1,
            Element::Long | Element::Date | Element::Double => 8,
            Element::Text | Element::Json | Element::Uuid => 4,
            Element::Blob => {
                let from = Origin::Packed(row.bytes(slot)?);
                return Some(Vector { element, from });
            }
        };
        let from = Origin::Stored(row.vector(slot, width)?);
        Some(Vector { element, from })
    }

    /// Its elements, borrowed.
    pub fn refs(&self) -> Result<Vec<ValueRef<'a>>, EngineError> {
        match self.from {
            Origin::Values(values) => Ok(values.iter().map(Value::scalar_ref).collect()),
            Origin::Stored(elements) => (0..elements.count)
                .map(|index| {
                    stored(self.element, &elements, index)
                        .ok_or_else(|| corrupt("a list is not what it says"))
                })
                .collect(),
            Origin::Packed(bytes) => unpack(bytes).ok_or_else(|| corrupt("a list of blobs")),
        }
    }

    /// Its elements.
    pub fn values(&self) -> Result<Vec<Value>, EngineError> {
        match self.from {
            Origin::Values(values) => Ok(values.to_vec()),
            _ => Ok(self.refs()?.iter().map(ValueRef::to_value).collect()),
        }
    }
}

fn stored<'a>(element: Element, elements: &Elements<'a>, index: usize) -> Option<ValueRef<'a>> {
    let text = || std::str::from_utf8(elements.bytes(index)?).ok();
    Some(match element {
        Element::Bool => ValueRef::Bool(elements.bool(index)?),
        Element::Long => ValueRef::Int(elements.i64(index)?),
        Element::Date => ValueRef::Timestamp(elements.i64(index)?),
        Element::Double => ValueRef::Float(elements.f64(index)?),
        Element::Text => ValueRef::Text(text()?),
        Element::Json => ValueRef::Json(text()?),
        Element::Uuid => {
            let uuid = Uuid::try_parse_ascii(elements.bytes(index)?).ok()?;
            ValueRef::Uuid(uuid.into_bytes())
        }
        Element::Blob => return None,
    })
}

/// Blobs one after the other, each behind its length.
pub fn pack<'v>(blobs: impl Iterator<Item = &'v [u8]>) -> Vec<u8> {
    let mut packed = Vec::new();
    for blob in blobs {
        packed.extend((blob.len() as u32).to_le_bytes());
        packed.extend(blob);
    }
    packed
}

fn unpack(mut bytes: &[u8]) -> Option<Vec<ValueRef<'_>>> {
    let mut blobs = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        blobs.push(ValueRef::Blob(rest.get(..length)?));
        bytes = &rest[length..];
    }
    Some(blobs)
}
