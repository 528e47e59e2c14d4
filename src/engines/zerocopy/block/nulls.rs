//! Which rows of a column are null.

use crate::engines::zerocopy::bytes::part;
use crate::engines::zerocopy::error::Result;

/// The null bitmap of a stored block, or none.
#[derive(Clone, Copy)]
pub struct Nulls<'a>(Option<&'a [u8]>);

impl<'a> Nulls<'a> {
    /// Reads the bitmap at an offset if there is one; gives the offset after it.
    pub fn read(bytes: &'a [u8], at: usize, len: usize, there: bool) -> Result<(Self, usize)> {
        if !there {
            return Ok((Nulls(None), at));
        }
        let size = len.div_ceil(64) * 8;
        Ok((Nulls(Some(part(bytes, at, size)?)), at + size))
    }

    /// Whether any row may be null.
    pub fn any(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a row is null.
    pub fn has(&self, row: usize) -> bool {
        self.0
            .and_then(|bytes| bytes.get(row / 8))
            .is_some_and(|byte| byte >> (row % 8) & 1 == 1)
    }
}

/// A null bitmap that grows.
#[derive(Clone, Debug, Default)]
pub struct NullBits {
    words: Vec<u64>,
    len: usize,
    count: usize,
}

impl NullBits {
    /// Adds a row.
    pub fn push(&mut self, null: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        if null {
            self.set(self.len - 1, true);
        }
    }

    /// Changes a row.
    pub fn set(&mut self, row: usize, null: bool) {
        let Some(word) = self.words.get_mut(row / 64) else {
            return;
        };
        let bit = 1 << (row % 64);
        match (*word & bit != 0, null) {
            (false, true) => (*word, self.count) = (*word | bit, self.count + 1),
            (true, false) => (*word, self.count) = (*word & !bit, self.count - 1),
            _ => {}
        }
    }

    /// Whether a row is null.
    pub fn has(&self, row: usize) -> bool {
        self.count > 0
            && self
                .words
                .get(row / 64)
                .is_some_and(|w| w >> (row % 64) & 1 == 1)
    }

    /// Whether any row is null.
    pub fn any(&self) -> bool {
        self.count > 0
    }

    /// Appends the bitmap, if any row is null.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        if self.any() {
            bytes.extend(self.words.iter().flat_map(|word| word.to_le_bytes()));
        }
    }
}
