//! Blocks of lists: where each ends, and one block of all their elements.

use super::nulls::{NullBits, Nulls};
use crate::engines::zerocopy::bytes::{part, u32_at, u64_at};
use crate::engines::zerocopy::error::{Result, corrupt};
use crate::engines::zerocopy::node::{self, HEAD, Kind, Ref};

/// Where in such a node the reference to the elements stands.
pub const ELEMENTS: usize = HEAD + 8;

/// A stored block of lists.
#[derive(Clone, Copy)]
pub struct Lists<'a> {
    /// Rows.
    pub len: usize,
    /// Which rows are null.
    pub nulls: Nulls<'a>,
    offsets: &'a [u8],
    /// Elements of all lists.
    pub total: usize,
}

impl<'a> Lists<'a> {
    /// Reads a block; gives the reference to its elements beside it.
    pub fn read(bytes: &'a [u8]) -> Result<(Self, Ref)> {
        let len = u32_at(bytes, HEAD)? as usize;
        let total = u32_at(bytes, HEAD + 4)? as usize;
        let elements = Ref(u64_at(bytes, ELEMENTS)?);
        let (nulls, at) = Nulls::read(bytes, HEAD + 16, len, node::flagged(bytes))?;
        let offsets = part(bytes, at, (len + 1) * 4)?;
        let lists = Lists {
            len,
            nulls,
            offsets,
            total,
        };
        Ok((lists, elements))
    }

    /// The elements of a row, by their place among all; `None` for a null.
    pub fn get(&self, row: usize) -> Result<Option<std::ops::Range<usize>>> {
        if self.nulls.has(row) {
            return Ok(None);
        }
        let from = u32_at(self.offsets, row * 4)? as usize;
        let to = u32_at(self.offsets, row * 4 + 4)? as usize;
        if from > to || to > self.total {
            return Err(corrupt("a list that lies outside its block"));
        }
        Ok(Some(from..to))
    }
}

/// The block of lists of those lengths over stored elements.
pub fn encode(lens: &[usize], nulls: &NullBits, elements: Ref) -> Result<Vec<u8>> {
    let total: usize = lens.iter().sum();
    let mut bytes = node::start(Kind::Lists, 0, u16::from(nulls.any()));
    bytes.extend((lens.len() as u32).to_le_bytes());
    let total = u32::try_from(total).map_err(|_| {
        crate::engines::EngineError::new(
            crate::engines::ErrorKind::Full,
            "more than 4 billion elements in one block",
        )
    })?;
    bytes.extend(total.to_le_bytes());
    bytes.extend(elements.0.to_le_bytes());
    nulls.write(&mut bytes);
    let mut at = 0;
    for len in std::iter::once(&0).chain(lens) {
        at += len;
        bytes.extend((at as u32).to_le_bytes());
    }
    node::finish(bytes)
}
