//! Blocks of values of one length: floats and uuids.

use super::nulls::{NullBits, Nulls};
use crate::engines::zerocopy::bytes::{part, u32_at};
use crate::engines::zerocopy::error::{Result, corrupt};
use crate::engines::zerocopy::node::{self, HEAD, Kind};

/// A stored block of values of `N` bytes.
#[derive(Clone, Copy)]
pub struct Fixed<'a, const N: usize> {
    /// Rows.
    pub len: usize,
    /// Which rows are null.
    pub nulls: Nulls<'a>,
    values: &'a [[u8; N]],
}

impl<'a, const N: usize> Fixed<'a, N> {
    /// Reads a block.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        if usize::from(node::form(bytes)) != N {
            return Err(corrupt("a column of values of another length"));
        }
        let len = u32_at(bytes, HEAD)? as usize;
        let (nulls, at) = Nulls::read(bytes, HEAD + 8, len, node::flagged(bytes))?;
        let data = part(bytes, at, len * N)?;
        Ok(Fixed {
            len,
            nulls,
            values: data.as_chunks().0,
        })
    }

    /// The value of a row, if it has one.
    #[inline]
    pub fn get(&self, row: usize) -> Option<[u8; N]> {
        if self.nulls.has(row) {
            return None;
        }
        self.values.get(row).copied()
    }
}

/// Values being gathered.
#[derive(Clone, Debug)]
pub struct FixedBuilder<const N: usize> {
    pub values: Vec<[u8; N]>,
    pub nulls: NullBits,
}

impl<const N: usize> Default for FixedBuilder<N> {
    fn default() -> Self {
        FixedBuilder {
            values: Vec::new(),
            nulls: NullBits::default(),
        }
    }
}

impl<const N: usize> FixedBuilder<N> {
    /// Adds a row.
    pub fn push(&mut self, value: Option<[u8; N]>) {
        self.values.push(value.unwrap_or([0; N]));
        self.nulls.push(value.is_none());
    }

    /// Changes a row.
    pub fn set(&mut self, row: usize, value: Option<[u8; N]>) {
        if let Some(place) = self.values.get_mut(row) {
            *place = value.unwrap_or([0; N]);
            self.nulls.set(row, value.is_none());
        }
    }

    /// The value of a row.
    pub fn get(&self, row: usize) -> Option<[u8; N]> {
        if self.nulls.has(row) {
            return None;
        }
        self.values.get(row).copied()
    }

    /// The block.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut bytes = node::start(Kind::Fixed, N as u8, u16::from(self.nulls.any()));
        bytes.extend((self.values.len() as u32).to_le_bytes());
        bytes.extend([0; 4]);
        self.nulls.write(&mut bytes);
        bytes.extend_from_slice(self.values.as_flattened());
        node::finish(bytes)
    }

    /// What a stored block holds.
    pub fn decode(fixed: &Fixed<'_, N>) -> Self {
        let mut builder = FixedBuilder::default();
        builder.values.extend_from_slice(fixed.values);
        for row in 0..fixed.len {
            builder.nulls.push(fixed.nulls.has(row));
        }
        builder
    }
}
