//! A stored object, read in place.
//!
//! Format: <https://flatbuffers.dev/internals/>: the first four bytes point to
//! the table, whose first four bytes point back to its table of fields; an
//! entry of 0, or none, is a field that is not there, and so null.

use crate::engines::EngineError;
use crate::engines::objectbox::api::corrupt;

/// A stored object. Every read is within its bytes: what points outside is
/// taken as not there.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    bytes: &'a [u8],
    table: usize,
    fields: &'a [u8],
}

impl<'a> Row<'a> {
    /// Reads where its table is.
    ///
    /// # Errors
    /// [`ErrorKind::Corrupt`](crate::engines::ErrorKind::Corrupt) where it has none.
    pub fn new(bytes: &'a [u8]) -> Result<Row<'a>, EngineError> {
        Row::read(bytes).ok_or_else(|| corrupt("an object is no FlatBuffer"))
    }

    fn read(bytes: &'a [u8]) -> Option<Row<'a>> {
        let table = u32_at(bytes, 0)? as usize;
        let back = i32::from_le_bytes(array_at(bytes, table)?);
        let fields = usize::try_from(table as i64 - i64::from(back)).ok()?;
        let size = usize::from(u16::from_le_bytes(array_at(bytes, fields)?));
        Some(Row {
            bytes,
            table,
            fields: bytes.get(fields..fields.checked_add(size)?)?,
        })
    }

    /// Where a field's value is.
    #[inline]
    fn at(&self, slot: usize) -> Option<usize> {
        let offset = u16::from_le_bytes(array_at(self.fields, slot)?);
        (offset != 0).then(|| self.table + usize::from(offset))
    }

    /// 64 bits.
    #[inline]
    pub fn i64(&self, slot: usize) -> Option<i64> {
        array_at(self.bytes, self.at(slot)?).map(i64::from_le_bytes)
    }

    /// 64 bits.
    #[inline]
    pub fn u64(&self, slot: usize) -> Option<u64> {
        array_at(self.bytes, self.at(slot)?).map(u64::from_le_bytes)
    }

    /// 32 bits.
    #[inline]
    pub fn i32(&self, slot: usize) -> Option<i32> {
        array_at(self.bytes, self.at(slot)?).map(i32::from_le_bytes)
    }

    /// A double.
    #[inline]
    pub fn f64(&self, slot: usize) -> Option<f64> {
        array_at(self.bytes, self.at(slot)?).map(f64::from_le_bytes)
    }

    /// A byte.
    #[inline]
    pub fn bool(&self, slot: usize) -> Option<bool> {
        self.bytes.get(self.at(slot)?).map(|byte| *byte != 0)
    }

    /// A vector of bytes, or the bytes of a text.
    #[inline]
    pub fn bytes(&self, slot: usize) -> Option<&'a [u8]> {
        bytes_behind(self.bytes, self.at(slot)?)
    }

    /// The elements of a vector of that width and their number, and where
    /// offsets in it count from.
    pub fn vector(&self, slot: usize, width: usize) -> Option<Elements<'a>> {
        let at = self.at(slot)?;
        let start = at.checked_add(u32_at(self.bytes, at)? as usize)?;
        let count = u32_at(self.bytes, start)? as usize;
        let first = start.checked_add(4)?;
        let end = first.checked_add(count.checked_mul(width)?)?;
        (end <= self.bytes.len()).then_some(Elements {
            bytes: self.bytes,
            first,
            count,
        })
    }
}

/// The elements of a vector.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    bytes: &'a [u8],
    first: usize,
    /// How many there are.
    pub count: usize,
}

impl<'a> Elements<'a> {
    /// 64 bits.
    pub fn i64(&self, index: usize) -> Option<i64> {
        array_at(self.bytes, self.first + 8 * index).map(i64::from_le_bytes)
    }

    /// A double.
    pub fn f64(&self, index: usize) -> Option<f64> {
        array_at(self.bytes, self.first + 8 * index).map(f64::from_le_bytes)
    }

    /// A byte.
    pub fn bool(&self, index: usize) -> Option<bool> {
        self.bytes.get(self.first + index).map(|byte| *byte != 0)
    }

    /// The bytes of a text.
    pub fn bytes(&self, index: usize) -> Option<&'a [u8]> {
        bytes_behind(self.bytes, self.first + 4 * index)
    }
}

/// What an offset at `at` leads to: a length, and so many bytes.
#[inline]
fn bytes_behind(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let start = at.checked_add(u32_at(bytes, at)? as usize)?;
    let length = u32_at(bytes, start)? as usize;
    let first = start.checked_add(4)?;
    bytes.get(first..first.checked_add(length)?)
}

#[inline]
fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

#[inline]
fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk::<N>().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), slot in 0usize..40) {
            if let Ok(row) = Row::new(&bytes) {
                let _ = (row.i64(slot), row.i32(slot), row.bool(slot), row.bytes(slot));
                if let Some(elements) = row.vector(slot, 4) {
                    let _ = (elements.bytes(0), elements.bytes(elements.count.wrapping_sub(1).min(99)));
                }
            }
        }
    }
}
