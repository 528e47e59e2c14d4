//! Clusters: the leaves of a table, one reference per column.

use super::block::{Builder, Column, ColumnType, Ints};
use super::bytes::{u32_at, u64_at};
use super::error::{Result, corrupt};
use super::node::{self, HEAD, Kind, Nodes, Ref};
use super::picks::ROWS;

/// Where in a cluster the reference to its row numbers stands.
pub const NUMBERS: usize = HEAD + 16;
/// Where the references to its columns begin.
pub const COLUMNS: usize = HEAD + 24;

/// A stored cluster.
#[derive(Clone, Copy)]
pub struct Cluster<'a> {
    nodes: Nodes<'a>,
    bytes: &'a [u8],
    len: usize,
    first: u64,
    numbers: Option<Ints<'a>>,
}

impl<'a> Cluster<'a> {
    /// Reads a cluster.
    pub fn read(nodes: &Nodes<'a>, at: Ref) -> Result<Self> {
        let bytes = nodes.get(at, Kind::Cluster)?;
        let len = u32_at(bytes, HEAD)? as usize;
        if len == 0 || len > ROWS {
            return Err(corrupt("a cluster with no rows, or too many"));
        }
        let numbers = match Ref(u64_at(bytes, NUMBERS)?) {
            Ref::NONE => None,
            at => {
                let numbers = Ints::read(nodes.get(at, Kind::Ints)?)?;
                if numbers.len != len || numbers.nulls.any() {
                    return Err(corrupt("row numbers of another length than their cluster"));
                }
                Some(numbers)
            }
        };
        Ok(Cluster {
            nodes: *nodes,
            bytes,
            len,
            first: u64_at(bytes, HEAD + 8)?,
            numbers,
        })
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of the row at a position.
    #[inline]
    pub fn row(&self, position: usize) -> u64 {
        match &self.numbers {
            Some(numbers) => numbers.raw(position) as u64,
            None => self.first.wrapping_add(position as u64),
        }
    }

    /// The position of a row.
    pub fn position(&self, row: u64) -> Option<usize> {
        let Some(numbers) = &self.numbers else {
            let position = usize::try_from(row.checked_sub(self.first)?).ok()?;
            return (position < self.len).then_some(position);
        };
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = (low + high) / 2;
            match (numbers.raw(middle) as u64).cmp(&row) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The reference to a column's block.
    pub fn reference(&self, column: usize) -> Result<Ref> {
        u64_at(self.bytes, COLUMNS + 8 * column).map(Ref)
    }

    /// A column.
    #[inline]
    pub fn column(&self, column: usize, kind: ColumnType) -> Result<Column<'a>> {
        Column::open(&self.nodes, self.reference(column)?, kind, self.len)
    }

    /// All row numbers.
    pub fn rows(&self) -> Vec<u64> {
        (0..self.len).map(|position| self.row(position)).collect()
    }
}

/// The number of the first row and the node, of rows in ascending order whose
/// columns are stored already.
pub fn encode(
    rows: &[u64],
    columns: &[Ref],
    keep: &mut dyn FnMut(Vec<u8>) -> Ref,
) -> Result<(u64, Vec<u8>)> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Err(super::error::misuse("a cluster without rows"));
    };
    let numbers = if last - first + 1 == rows.len() as u64 {
        Ref::NONE
    } else {
        let mut numbers = Builder::new(ColumnType::one(super::block::Type::Link));
        for row in rows {
            numbers.push_link(Some(*row))?;
        }
        let block = numbers.encode(keep)?;
        keep(block)
    };
    let mut bytes = node::start(Kind::Cluster, 0, 0);
    bytes.extend((rows.len() as u32).to_le_bytes());
    bytes.extend((columns.len() as u32).to_le_bytes());
    bytes.extend(first.to_le_bytes());
    bytes.extend(numbers.0.to_le_bytes());
    for column in columns {
        bytes.extend(column.0.to_le_bytes());
    }
    Ok((*first, node::finish(bytes)?))
}
