//! Branches: the inner nodes of an index.

use super::bytes::{part, u32_at, u64_at};
use super::error::{Result, corrupt};
use super::node::{self, HEAD, Kind, Nodes, Ref};

/// Levels that no index reaches.
const MOST_LEVELS: u8 = 24;
const CONTENT: usize = HEAD + 8;

/// Lowest entry (key, then row, big-endian) and node of what lies below.
pub type Child = (Vec<u8>, Ref);

/// Where the reference of a child stands.
pub fn reference(child: usize) -> usize {
    CONTENT + 8 * child
}

/// A stored branch.
#[derive(Clone, Copy)]
pub struct Branch<'a> {
    bytes: &'a [u8],
    /// Children.
    pub len: usize,
    /// 1 above leaves.
    pub level: u8,
    offsets: &'a [u8],
    keys: &'a [u8],
}

impl<'a> Branch<'a> {
    /// Reads a branch.
    pub fn read(nodes: &Nodes<'a>, at: Ref) -> Result<Self> {
        let bytes = nodes.get(at, Kind::Branch)?;
        let len = u32_at(bytes, HEAD)? as usize;
        let keys_len = u32_at(bytes, HEAD + 4)? as usize;
        let level = node::form(bytes);
        if len == 0 || level == 0 || level > MOST_LEVELS {
            return Err(corrupt("a branch that leads nowhere"));
        }
        let offsets = part(bytes, reference(len), 4 * (len + 1))?;
        let keys = part(bytes, reference(len) + offsets.len(), keys_len)?;
        Ok(Branch {
            bytes,
            len,
            level,
            offsets,
            keys,
        })
    }

    /// A child's node.
    pub fn child(&self, child: usize) -> Result<Ref> {
        u64_at(self.bytes, reference(child)).map(Ref)
    }

    /// The bound below which nothing of a child lies; the first has none.
    pub fn separator(&self, child: usize) -> Result<&'a [u8]> {
        let from = u32_at(self.offsets, 4 * child)? as usize;
        let to = u32_at(self.offsets, 4 * child + 4)? as usize;
        self.keys
            .get(from..to)
            .ok_or_else(|| corrupt("a key that lies outside its branch"))
    }

    /// The first child that may hold something not below `bound`.
    pub fn child_of(&self, bound: &[u8]) -> Result<usize> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = (low + high) / 2;
            if self.separator(middle)? <= bound {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low.saturating_sub(1))
    }

    /// All children.
    pub fn children(&self) -> Result<Vec<Child>> {
        (0..self.len)
            .map(|child| Ok((self.separator(child)?.to_vec(), self.child(child)?)))
            .collect()
    }
}

/// A branch over these children, which are in order and at least one.
pub fn encode(children: &[Child], level: u8) -> Result<Vec<u8>> {
    let mut bytes = node::start(Kind::Branch, level, 0);
    let keys_len: usize = children.iter().map(|(key, _)| key.len()).sum();
    bytes.extend((children.len() as u32).to_le_bytes());
    bytes.extend((keys_len as u32).to_le_bytes());
    bytes.extend(children.iter().flat_map(|(_, child)| child.0.to_le_bytes()));
    let mut at = 0u32;
    bytes.extend(at.to_le_bytes());
    for (key, _) in children {
        at += key.len() as u32;
        bytes.extend(at.to_le_bytes());
    }
    for (key, _) in children {
        bytes.extend_from_slice(key);
    }
    node::finish(bytes)
}
