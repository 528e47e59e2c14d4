//! A run of space in the file.

use super::node::{Ref, rounded};

/// A run of space, bytes; both numbers are multiples of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// Where it begins.
    pub at: u64,
    /// How long it is.
    pub len: u64,
}

impl Extent {
    /// The space of a stored node of that length.
    pub fn of(at: Ref, len: usize) -> Self {
        Extent {
            at: at.0,
            len: rounded(len),
        }
    }

    /// Where it ends.
    pub fn end(self) -> u64 {
        self.at + self.len
    }
}
