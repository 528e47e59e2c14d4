//! The root node: where each tree of a version begins.

use super::bytes::{u32_at, u64_at};
use super::error::{Result, corrupt};
use super::node::{self, HEAD, Kind, Ref};

const SCHEMA: usize = HEAD + 8;
const TABLES: usize = HEAD + 16;
const TABLE: usize = 32;

/// Roots of all trees of a version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// The schema, as JSON.
    pub schema: Ref,
    /// One per model.
    pub tables: Vec<TableRoot>,
    /// One per index.
    pub trees: Vec<Ref>,
}

/// A table's root and what is known of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableRoot {
    /// The topmost directory.
    pub root: Ref,
    /// Records.
    pub count: u64,
    /// No row lies below.
    pub low: u64,
    /// No row lies above or at it.
    pub high: u64,
}

impl TableRoot {
    /// Whether every row of `low..high` is there.
    pub fn is_dense(&self) -> bool {
        self.count == self.high.saturating_sub(self.low)
    }

    /// Takes new rows (the lowest and the highest, and their number) in.
    pub fn grow(&mut self, lowest: u64, highest: u64, count: u64) {
        if self.count == 0 {
            (self.low, self.high) = (lowest, highest + 1);
        } else {
            self.low = self.low.min(lowest);
            self.high = self.high.max(highest + 1);
        }
        self.count += count;
    }
}

impl Roots {
    /// Reads a root node.
    pub fn read(bytes: &[u8]) -> Result<Roots> {
        let tables = u32_at(bytes, HEAD)? as usize;
        let trees = u32_at(bytes, HEAD + 4)? as usize;
        if bytes.len() != TABLES + TABLE * tables + 8 * trees {
            return Err(corrupt("a root node of another length"));
        }
        Ok(Roots {
            schema: Ref(u64_at(bytes, SCHEMA)?),
            tables: (0..tables)
                .map(|table| {
                    let at = TABLES + TABLE * table;
                    Ok(TableRoot {
                        root: Ref(u64_at(bytes, at)?),
                        count: u64_at(bytes, at + 8)?,
                        low: u64_at(bytes, at + 16)?,
                        high: u64_at(bytes, at + 24)?,
                    })
                })
                .collect::<Result<_>>()?,
            trees: (0..trees)
                .map(|tree| u64_at(bytes, TABLES + TABLE * tables + 8 * tree).map(Ref))
                .collect::<Result<_>>()?,
        })
    }

    /// The root node.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut bytes = node::start(Kind::Root, 0, 0);
        bytes.extend((self.tables.len() as u32).to_le_bytes());
        bytes.extend((self.trees.len() as u32).to_le_bytes());
        bytes.extend(self.schema.0.to_le_bytes());
        for table in &self.tables {
            let words = [table.root.0, table.count, table.low, table.high];
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        bytes.extend(self.trees.iter().flat_map(|tree| tree.0.to_le_bytes()));
        node::finish(bytes)
    }
}

/// Where the references of a root node stand.
pub fn references(bytes: &[u8]) -> Result<Vec<usize>> {
    let tables = u32_at(bytes, HEAD)? as usize;
    let trees = u32_at(bytes, HEAD + 4)? as usize;
    let after = TABLES + TABLE * tables;
    Ok(std::iter::once(SCHEMA)
        .chain((0..tables).map(|table| TABLES + TABLE * table))
        .chain((0..trees).map(|tree| after + 8 * tree))
        .collect())
}
