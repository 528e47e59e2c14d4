//! Nodes: what everything in the file is made of, and references to them.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{u32_at, u64_at};
use super::error::{Result, corrupt, misuse};
use super::header::DATA;
use super::map::Map;

/// Space is given out in units of that many bytes; every node begins at one.
pub const UNIT: u64 = 64;
/// Bytes before a node's own content.
pub const HEAD: usize = 16;
/// Set in a reference to a node that only the open transaction has.
const FRESH: u64 = 1 << 63;

/// Where a node is: its offset in the file; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ref(pub u64);

impl Ref {
    /// No node.
    pub const NONE: Ref = Ref(0);

    /// Whether it refers to nothing.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Its place among the nodes of the open transaction.
    pub fn fresh(self) -> Option<usize> {
        (self.0 & FRESH != 0).then_some((self.0 & !FRESH) as usize)
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Roots of all trees.
    Root = 1,
    /// The schema, as JSON.
    Schema = 2,
    /// Unused space.
    Space = 3,
    /// Inner node of a table: first rows and references.
    Directory = 4,
    /// Leaf of a table: one reference per column.
    Cluster = 5,
    /// Column block of integers.
    Ints = 6,
    /// Column block of values of one fixed length.
    Fixed = 7,
    /// Column block of texts or bytes, each spelled out.
    Plain = 8,
    /// Column block of texts or bytes, by a dictionary.
    Dictionary = 9,
    /// Column block of lists.
    Lists = 10,
    /// Leaf of an index: keys and rows.
    Leaf = 11,
    /// Inner node of an index.
    Branch = 12,
}

impl Kind {
    /// The kind with that number.
    pub fn of(byte: u8) -> Option<Kind> {
        use Kind::*;
        [
            Root, Schema, Space, Directory, Cluster, Ints, Fixed, Plain, Dictionary, Lists, Leaf,
            Branch,
        ]
        .into_iter()
        .find(|kind| *kind as u8 == byte)
    }
}

/// Bytes that a node of that length takes in the file.
pub fn rounded(len: usize) -> u64 {
    (len as u64).div_ceil(UNIT) * UNIT
}

/// A new node with an empty head; [`seal`] completes it.
pub fn start(kind: Kind, form: u8, flags: u16) -> Vec<u8> {
    let mut bytes = vec![0; HEAD];
    bytes[12] = kind as u8;
    bytes[13] = form;
    bytes[14..16].copy_from_slice(&flags.to_le_bytes());
    bytes
}

/// Writes the length into the head: a node can be read from then on.
pub fn finish(mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    let len = u32::try_from(bytes.len()).map_err(|_| {
        crate::engines::EngineError::new(
            crate::engines::ErrorKind::Full,
            "a column block would be longer than 4 GiB",
        )
    })?;
    bytes[8..12].copy_from_slice(&len.to_le_bytes());
    Ok(bytes)
}

/// Fills a finished node up to whole units and writes its checksum, over all
/// that follows it.
pub fn seal(bytes: &mut Vec<u8>) -> u64 {
    bytes.resize(rounded(bytes.len()) as usize, 0);
    let sum = xxh3_64(&bytes[8..]);
    bytes[..8].copy_from_slice(&sum.to_le_bytes());
    sum
}

/// What a node is, of bytes that hold at least a head.
pub fn kind(bytes: &[u8]) -> Option<Kind> {
    Kind::of(*bytes.get(12)?)
}

/// The form, of bytes that hold at least a head.
pub fn form(bytes: &[u8]) -> u8 {
    bytes.get(13).copied().unwrap_or(0)
}

/// The first flag, of bytes that hold at least a head.
pub fn flagged(bytes: &[u8]) -> bool {
    bytes.get(14).is_some_and(|flags| flags & 1 != 0)
}

/// All nodes that a version or an open transaction sees.
#[derive(Clone, Copy)]
pub struct Nodes<'a> {
    map: &'a Map,
    limit: u64,
    fresh: &'a [Vec<u8>],
}

impl<'a> Nodes<'a> {
    /// Those of a version that ends at `limit`, and those of the transaction.
    pub fn new(map: &'a Map, limit: u64, fresh: &'a [Vec<u8>]) -> Self {
        Nodes { map, limit, fresh }
    }

    /// A node of whatever kind: its bytes, without what fills it up.
    pub fn any(&self, at: Ref) -> Result<&'a [u8]> {
        if let Some(place) = at.fresh() {
            let bytes = self.fresh.get(place).map(Vec::as_slice);
            return bytes
                .filter(|bytes| bytes.len() >= HEAD)
                .ok_or_else(|| corrupt("a reference to a node that the transaction let go"));
        }
        if at.0 < DATA || !at.0.is_multiple_of(UNIT) {
            return Err(corrupt("a reference to where no node can be"));
        }
        let head = self.map.bytes(at.0, HEAD as u64, self.limit)?;
        let len = u32_at(head, 8)?;
        if (len as usize) < HEAD {
            return Err(corrupt("a node is shorter than its head"));
        }
        self.map.bytes(at.0, u64::from(len), self.limit)
    }

    /// A node of that kind.
    pub fn get(&self, at: Ref, wanted: Kind) -> Result<&'a [u8]> {
        let bytes = self.any(at)?;
        if bytes.get(12) != Some(&(wanted as u8)) {
            return Err(corrupt(format!("no {wanted:?} node where one should be")));
        }
        Ok(bytes)
    }

    /// A stored node with what fills it up, its checksum tested.
    pub fn tested(&self, at: Ref) -> Result<&'a [u8]> {
        if at.fresh().is_some() {
            return Err(misuse("only stored nodes have a checksum"));
        }
        let len = self.any(at)?.len();
        let bytes = self.map.bytes(at.0, rounded(len), self.limit)?;
        if u64_at(bytes, 0)? != xxh3_64(&bytes[8..]) {
            return Err(corrupt(format!("the node at {} is damaged", at.0)));
        }
        if bytes[len..].iter().any(|byte| *byte != 0) {
            return Err(corrupt(format!("the node at {} is badly filled", at.0)));
        }
        Ok(bytes)
    }
}

/// Nodes that only the open transaction has.
#[derive(Default)]
pub struct Arena {
    slots: Vec<Vec<u8>>,
    free: Vec<usize>,
}

impl Arena {
    /// All slots, for [`Nodes`].
    pub fn slots(&self) -> &[Vec<u8>] {
        &self.slots
    }

    /// Keeps a finished node.
    pub fn add(&mut self, bytes: Vec<u8>) -> Ref {
        let place = match self.free.pop() {
            Some(place) => {
                self.slots[place] = bytes;
                place
            }
            None => {
                self.slots.push(bytes);
                self.slots.len() - 1
            }
        };
        Ref(place as u64 | FRESH)
    }

    /// Lets a node go; nothing if it is not there.
    pub fn take(&mut self, place: usize) -> Vec<u8> {
        match self.slots.get_mut(place) {
            Some(slot) if !slot.is_empty() => {
                self.free.push(place);
                std::mem::take(slot)
            }
            _ => Vec::new(),
        }
    }

    /// The bytes of a node, to be damaged.
    #[cfg(test)]
    pub fn bytes_mut(&mut self, place: usize) -> Option<&mut Vec<u8>> {
        self.slots.get_mut(place)
    }
}
