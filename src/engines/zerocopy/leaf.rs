//! Leaves of an index: keys with what they begin with alike left out, and rows.

use std::cmp::Ordering;

use super::block::packed::{self, Packed};
use super::bytes::{part, u32_at, u64_at};
use super::error::{Result, corrupt};
use super::node::{self, HEAD, Kind, Nodes, Ref};

const CONTENT: usize = HEAD + 24;
/// In place of a stride: keys differ in length.
const VARIED: u32 = u32::MAX;

/// A stored leaf.
#[derive(Clone, Copy)]
pub struct Leaf<'a> {
    /// Entries.
    pub len: usize,
    /// What all keys begin with.
    pub prefix: &'a [u8],
    stride: Option<usize>,
    offsets: &'a [u8],
    keys: &'a [u8],
    base: u64,
    rows: Packed<'a>,
}

impl<'a> Leaf<'a> {
    /// Reads a leaf.
    pub fn read(nodes: &Nodes<'a>, at: Ref) -> Result<Self> {
        let bytes = nodes.get(at, Kind::Leaf)?;
        let len = u32_at(bytes, HEAD)? as usize;
        let prefix_len = u32_at(bytes, HEAD + 4)? as usize;
        let stride = u32_at(bytes, HEAD + 8)?;
        let keys_len = u32_at(bytes, HEAD + 12)? as usize;
        let base = u64_at(bytes, HEAD + 16)?;
        if len == 0 {
            return Err(corrupt("an empty leaf"));
        }
        let prefix = part(bytes, CONTENT, prefix_len)?;
        let at = CONTENT + prefix_len;
        let (stride, offsets) = if stride == VARIED {
            (None, part(bytes, at, 4 * (len + 1))?)
        } else {
            if (stride as usize).checked_mul(len) != Some(keys_len) {
                return Err(corrupt("a leaf with keys of another length"));
            }
            (Some(stride as usize), &[][..])
        };
        let at = at + offsets.len();
        let keys = part(bytes, at, keys_len)?;
        let at = (at + keys_len).div_ceil(8) * 8;
        let (rows, _) = Packed::read(bytes, at, node::form(bytes), len)?;
        Ok(Leaf {
            len,
            prefix,
            stride,
            offsets,
            keys,
            base,
            rows,
        })
    }

    /// What follows the prefix in a key.
    #[inline]
    pub fn suffix(&self, entry: usize) -> Result<&'a [u8]> {
        let (from, to) = match self.stride {
            Some(stride) => (entry * stride, (entry + 1) * stride),
            None => (
                u32_at(self.offsets, 4 * entry)? as usize,
                u32_at(self.offsets, 4 * entry + 4)? as usize,
            ),
        };
        self.keys
            .get(from..to)
            .ok_or_else(|| corrupt("a key that lies outside its leaf"))
    }

    /// The row of an entry.
    #[inline]
    pub fn row(&self, entry: usize) -> u64 {
        self.base.wrapping_add(self.rows.get(entry))
    }

    /// The first entry whose key is not below `key`.
    pub fn lower_bound(&self, key: &[u8]) -> Result<usize> {
        let head = &key[..key.len().min(self.prefix.len())];
        match self.prefix[..head.len()].cmp(head) {
            Ordering::Less => return Ok(self.len),
            Ordering::Greater => return Ok(0),
            Ordering::Equal if key.len() < self.prefix.len() => return Ok(0),
            Ordering::Equal => {}
        }
        let rest = &key[self.prefix.len()..];
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = (low + high) / 2;
            if self.suffix(middle)? < rest {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// A leaf of these entries, which are in order and at least one.
pub fn encode(entries: &[(&[u8], u64)]) -> Result<Vec<u8>> {
    let (Some((first, _)), Some((last, _))) = (entries.first(), entries.last()) else {
        return Err(super::error::misuse("a leaf without entries"));
    };
    let alike = first.iter().zip(*last).take_while(|(a, b)| a == b).count();
    let stride = entries
        .iter()
        .all(|(key, _)| key.len() == first.len())
        .then_some(first.len() - alike);
    let low = entries.iter().map(|(_, row)| *row).min().unwrap_or(0);
    let high = entries.iter().map(|(_, row)| *row).max().unwrap_or(0);
    let code = packed::code_for(high - low);
    let keys_len: usize = entries.iter().map(|(key, _)| key.len() - alike).sum();
    let small = |len: usize| {
        u32::try_from(len)
            .ok()
            .filter(|len| *len != VARIED)
            .ok_or_else(|| {
                crate::engines::EngineError::new(
                    crate::engines::ErrorKind::Full,
                    "a key longer than 4 GiB",
                )
            })
    };
    let mut bytes = node::start(Kind::Leaf, code, 0);
    bytes.extend(small(entries.len())?.to_le_bytes());
    bytes.extend(small(alike)?.to_le_bytes());
    bytes.extend(stride.map_or(Ok(VARIED), small)?.to_le_bytes());
    bytes.extend(small(keys_len)?.to_le_bytes());
    bytes.extend(low.to_le_bytes());
    bytes.extend_from_slice(&first[..alike]);
    if stride.is_none() {
        let mut at = 0;
        bytes.extend(0u32.to_le_bytes());
        for (key, _) in entries {
            at += key.len() - alike;
            bytes.extend((at as u32).to_le_bytes());
        }
    }
    for (key, _) in entries {
        bytes.extend_from_slice(&key[alike..]);
    }
    bytes.resize(bytes.len().div_ceil(8) * 8, 0);
    packed::write(&mut bytes, code, entries.len(), |at| entries[at].1 - low);
    node::finish(bytes)
}
