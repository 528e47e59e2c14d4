//! The file in memory. The only module with unsafe code.

use std::fs::File;

use memmap2::{MmapOptions, MmapRaw};

use super::error::{Result, corrupt, io};

/// Least address space that a map takes: room to grow without mapping anew.
const LEAST_BYTES: u64 = 1 << 30;

/// A shared, read-only map of the file, longer than the file is: what lies
/// past the file's end is address space that a commit may grow into.
pub struct Map {
    raw: MmapRaw,
}

impl Map {
    /// Maps a file of at least `len` bytes.
    pub fn new(file: &File, len: u64) -> Result<Map> {
        let wanted = len.saturating_mul(2).max(LEAST_BYTES);
        let wanted = usize::try_from(wanted).map_err(|_| corrupt("longer than can be mapped"))?;
        let raw = MmapOptions::new()
            .len(wanted)
            .map_raw_read_only(file)
            .map_err(|error| io("mapping the store", &error))?;
        Ok(Map { raw })
    }

    /// How long the file may become before it must be mapped anew.
    pub fn room(&self) -> u64 {
        self.raw.len() as u64
    }

    /// Bytes of a node.
    ///
    /// `limit` is where the caller's version of the file ends: the file was at
    /// least that long when the version was published.
    pub fn bytes(&self, at: u64, len: u64, limit: u64) -> Result<&[u8]> {
        let end = at.checked_add(len).filter(|end| *end <= limit);
        if end.is_none_or(|end| end > self.room()) {
            return Err(corrupt("a reference leads out of the file"));
        }
        // SAFETY: `at + len` was checked to lie inside the map, and inside the
        // part that the file covers (`limit`). The store's lock keeps every
        // other writer out, and our own writer never writes to a range that a
        // version in use refers to (see "Invariants" in
        // docs/zerocopy-format.md), so the bytes do not change while they are
        // borrowed. A file truncated by force ends the process by a signal,
        // which costs one cell.
        Ok(unsafe { std::slice::from_raw_parts(self.raw.as_ptr().add(at as usize), len as usize) })
    }
}
