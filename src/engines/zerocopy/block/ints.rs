//! Blocks of integers: packed, above a common base.

use super::nulls::{NullBits, Nulls};
use super::packed::{self, Packed};
use crate::engines::zerocopy::bytes::{u32_at, u64_at};
use crate::engines::zerocopy::error::Result;
use crate::engines::zerocopy::node::{self, HEAD, Kind};

/// A stored block of integers.
#[derive(Clone, Copy)]
pub struct Ints<'a> {
    /// Rows.
    pub len: usize,
    base: i64,
    /// Which rows are null.
    pub nulls: Nulls<'a>,
    packed: Packed<'a>,
}

impl<'a> Ints<'a> {
    /// Reads a block.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let len = u32_at(bytes, HEAD)? as usize;
        let base = u64_at(bytes, HEAD + 8)? as i64;
        let (nulls, at) = Nulls::read(bytes, HEAD + 16, len, node::flagged(bytes))?;
        let (packed, _) = Packed::read(bytes, at, node::form(bytes), len)?;
        Ok(Ints {
            len,
            base,
            nulls,
            packed,
        })
    }

    /// The value of a row, if it has one.
    #[inline]
    pub fn get(&self, row: usize) -> Option<i64> {
        if row >= self.len || self.nulls.has(row) {
            return None;
        }
        Some(self.base.wrapping_add(self.packed.get(row) as i64))
    }

    /// The value that stands at a row, null or not.
    pub fn raw(&self, row: usize) -> i64 {
        self.base.wrapping_add(self.packed.get(row) as i64)
    }

    /// Sum and number of the values, where none is null.
    pub fn sum(&self) -> Option<i128> {
        if self.nulls.any() {
            return None;
        }
        // The distance from the base may pass through 64 bits as unsigned.
        let packed = self.packed.sum(self.len) as i128;
        Some(i128::from(self.base) * self.len as i128 + packed)
    }

    /// Sets the bit of every value in `low..=high`; those of nulls mean nothing.
    pub fn within(&self, low: i64, high: i64, words: &mut [u64]) {
        let most = u64::MAX;
        // In distances from the base, which no value lies below.
        let from = i128::from(low) - i128::from(self.base);
        let to = i128::from(high) - i128::from(self.base);
        if to < 0 || from > i128::from(most) || from > to {
            return;
        }
        let from = from.max(0) as u64;
        let to = to.min(i128::from(most)) as u64;
        let widest = match self.packed.width() {
            64 => most,
            bits => (1u64 << bits) - 1,
        };
        if from > widest {
            return;
        }
        self.packed.within(self.len, from, to.min(widest), words);
    }
}

/// Integers being gathered.
#[derive(Clone, Debug, Default)]
pub struct IntsBuilder {
    pub values: Vec<i64>,
    pub nulls: NullBits,
}

impl IntsBuilder {
    /// Adds a row.
    pub fn push(&mut self, value: Option<i64>) {
        self.values.push(value.unwrap_or(0));
        self.nulls.push(value.is_none());
    }

    /// Changes a row.
    pub fn set(&mut self, row: usize, value: Option<i64>) {
        if let Some(place) = self.values.get_mut(row) {
            *place = value.unwrap_or(0);
            self.nulls.set(row, value.is_none());
        }
    }

    /// The value of a row.
    pub fn get(&self, row: usize) -> Option<i64> {
        if self.nulls.has(row) {
            return None;
        }
        self.values.get(row).copied()
    }

    /// The block.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let there = (0..self.values.len()).filter(|row| !self.nulls.has(*row));
        let (low, high) = there.fold((i64::MAX, i64::MIN), |(low, high), row| {
            let value = self.values[row];
            (low.min(value), high.max(value))
        });
        let (base, most) = match low <= high {
            true => (low, high.wrapping_sub(low) as u64),
            false => (0, 0),
        };
        let code = packed::code_for(most);
        let len = self.values.len();
        let mut bytes = node::start(Kind::Ints, code, u16::from(self.nulls.any()));
        bytes.reserve(16 + packed::size(code, len)? + len.div_ceil(64) * 8);
        bytes.extend((len as u32).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(base.to_le_bytes());
        self.nulls.write(&mut bytes);
        if self.nulls.any() {
            packed::write(&mut bytes, code, len, |row| match self.nulls.has(row) {
                true => 0,
                false => self.values[row].wrapping_sub(base) as u64,
            });
        } else {
            let values = &self.values[..];
            packed::write(&mut bytes, code, len, |row| {
                values[row].wrapping_sub(base) as u64
            });
        }
        node::finish(bytes)
    }

    /// What a stored block holds.
    pub fn decode(ints: &Ints<'_>) -> Self {
        let mut builder = IntsBuilder::default();
        builder.values.reserve(ints.len);
        for row in 0..ints.len {
            builder.values.push(ints.raw(row));
            builder.nulls.push(ints.nulls.has(row));
        }
        builder
    }
}
