//! Space in the file: what is free, and what will be.

use std::collections::{BTreeMap, BTreeSet};

use super::bytes::{u32_at, u64_at};
use super::error::{Result, corrupt};
use super::extent::Extent;
use super::header::DATA;
use super::node::{self, HEAD, Kind, UNIT};

const ENTRIES: usize = HEAD + 8;
const ENTRY: usize = 24;

/// Unused space of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// Free: by where it begins.
    free: BTreeMap<u64, u64>,
    /// The same, by length.
    by_len: BTreeSet<(u64, u64)>,
    /// What versions before that number still need, by that number.
    waiting: BTreeMap<u64, Vec<Extent>>,
    /// Where all space ends.
    pub end: u64,
}

impl Space {
    /// Of a new file.
    pub fn new() -> Self {
        Space {
            end: DATA,
            ..Space::default()
        }
    }

    /// Makes space free, together with what lies beside it.
    fn give(&mut self, extent: Extent) {
        let (mut at, mut len) = (extent.at, extent.len);
        if let Some((before, size)) = self.free.range(..at).next_back().map(|(a, l)| (*a, *l))
            && before + size == at
        {
            self.remove(before, size);
            (at, len) = (before, size + len);
        }
        if let Some(size) = self.free.get(&(at + len)).copied() {
            self.remove(at + len, size);
            len += size;
        }
        self.free.insert(at, len);
        self.by_len.insert((len, at));
    }

    fn remove(&mut self, at: u64, len: u64) {
        self.free.remove(&at);
        self.by_len.remove(&(len, at));
    }

    /// Space for that many bytes (whole units): the smallest that is enough,
    /// or new space at the end.
    pub fn take(&mut self, len: u64) -> u64 {
        match self.by_len.range((len, 0)..).next().copied() {
            Some((size, at)) => {
                self.remove(at, size);
                if size > len {
                    self.free.insert(at + len, size - len);
                    self.by_len.insert((size - len, at + len));
                }
                at
            }
            None => {
                let at = self.end;
                self.end += len;
                at
            }
        }
    }

    /// Notes what version `version` no longer needs.
    pub fn release(&mut self, version: u64, extents: impl IntoIterator<Item = Extent>) {
        self.waiting.entry(version).or_default().extend(extents);
    }

    /// Frees what no version from `needed` on refers to.
    pub fn settle(&mut self, needed: u64) {
        while let Some(entry) = self.waiting.first_entry() {
            if *entry.key() > needed {
                return;
            }
            for extent in entry.remove() {
                self.give(extent);
            }
        }
    }

    /// Free bytes, and bytes that wait.
    pub fn sizes(&self) -> (u64, u64) {
        let waiting = self.waiting.values().flatten();
        (self.free.values().sum(), waiting.map(|e| e.len).sum())
    }

    /// All unused space, free or waiting.
    pub fn extents(&self) -> impl Iterator<Item = Extent> + '_ {
        let free = self
            .free
            .iter()
            .map(|(at, len)| Extent { at: *at, len: *len });
        free.chain(self.waiting.values().flatten().copied())
    }

    /// What is free now.
    #[cfg(test)]
    pub fn free_ranges(&self) -> impl Iterator<Item = std::ops::Range<u64>> + '_ {
        self.free.iter().map(|(at, len)| *at..*at + *len)
    }

    fn count(&self) -> usize {
        self.free.len() + self.waiting.values().map(Vec::len).sum::<usize>()
    }

    /// The node that lists all this, in space that it takes itself.
    pub fn encode(&mut self) -> Result<(u64, Vec<u8>)> {
        // Taking changes the list by one entry at most.
        let room = node::rounded(ENTRIES + ENTRY * (self.count() + 1));
        let at = self.take(room);
        let mut bytes = node::start(Kind::Space, 0, 0);
        bytes.extend((self.count() as u32).to_le_bytes());
        bytes.extend([0; 4]);
        let free = self.free.iter().map(|(at, len)| [*at, *len, 0]);
        let waiting = self.waiting.iter().flat_map(|(version, extents)| {
            extents
                .iter()
                .map(|extent| [extent.at, extent.len, *version])
        });
        bytes.extend(free.chain(waiting).flatten().flat_map(u64::to_le_bytes));
        bytes.resize(room as usize, 0);
        Ok((at, node::finish(bytes)?))
    }

    /// Reads such a node.
    pub fn read(bytes: &[u8], end: u64) -> Result<Space> {
        let mut space = Space {
            end,
            ..Space::default()
        };
        for entry in 0..u32_at(bytes, HEAD)? as usize {
            let at = ENTRIES + ENTRY * entry;
            let extent = Extent {
                at: u64_at(bytes, at)?,
                len: u64_at(bytes, at + 8)?,
            };
            let version = u64_at(bytes, at + 16)?;
            let whole = extent.at.is_multiple_of(UNIT) && extent.len.is_multiple_of(UNIT);
            let inside = extent.at >= DATA
                && extent.len > 0
                && extent
                    .at
                    .checked_add(extent.len)
                    .is_some_and(|to| to <= end);
            if !whole || !inside {
                return Err(corrupt("unused space that lies outside the file"));
            }
            match version {
                0 => space.give(extent),
                version => space.release(version, [extent]),
            }
        }
        let mut all: Vec<Extent> = space.extents().collect();
        all.sort_unstable();
        if all.windows(2).any(|pair| pair[0].end() > pair[1].at) {
            return Err(corrupt("unused space that is listed twice"));
        }
        Ok(space)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is taken and released, nothing is given out twice, and all
        /// comes together again in the end.
        #[test]
        fn space_is_given_out_once(steps in prop::collection::vec((1u64..9, 0usize..12, any::<bool>()), 1..60)) {
            let mut space = Space::new();
            let mut taken: Vec<Extent> = Vec::new();
            for (version, (units, which, give)) in steps.into_iter().enumerate() {
                if give && !taken.is_empty() {
                    let extent = taken.swap_remove(which % taken.len());
                    space.release(version as u64 + 1, [extent]);
                    space.settle((version as u64).saturating_sub(2));
                } else {
                    let len = units * UNIT;
                    let new = Extent { at: space.take(len), len };
                    taken.push(new);
                }
                let mut all: Vec<Extent> = space.extents().chain(taken.iter().copied()).collect();
                all.sort_unstable();
                let total: u64 = all.iter().map(|e| e.len).sum();
                prop_assert!(all.windows(2).all(|pair| pair[0].end() == pair[1].at));
                prop_assert_eq!(total, space.end - DATA);
                let mut copy = space.clone();
                let (at, bytes) = copy.encode().expect("encodes");
                let read = Space::read(&bytes, copy.end).expect("reads");
                prop_assert_eq!(&read, &copy);
                prop_assert!(at >= DATA);
            }
            space.release(100, taken);
            space.settle(100);
            prop_assert_eq!(space.extents().collect::<Vec<_>>().len(), usize::from(space.end > DATA));
        }
    }
}
