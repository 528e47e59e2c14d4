//! New records of one model, column by column.

use super::block::{Builder, ColumnType};
use super::error::Result;

/// Records that are to come into a table.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Their rows.
    pub rows: Vec<u64>,
    /// Their columns.
    pub columns: Vec<Builder>,
    ascending: bool,
}

impl Batch {
    /// Without records.
    pub fn new(columns: &[ColumnType]) -> Self {
        Batch {
            rows: Vec::new(),
            columns: columns.iter().map(|kind| Builder::new(*kind)).collect(),
            ascending: true,
        }
    }

    /// Notes the row of the record whose columns are added next.
    pub fn push_row(&mut self, row: u64) {
        self.ascending &= self.rows.last().is_none_or(|last| *last < row);
        self.rows.push(row);
    }

    /// Whether a row is among them.
    pub fn has(&self, row: u64) -> bool {
        match self.ascending {
            true if self.rows.last().is_none_or(|last| *last < row) => false,
            true => self.rows.binary_search(&row).is_ok(),
            false => self.rows.contains(&row),
        }
    }

    /// The records in the order of their rows.
    pub fn sorted(self, columns: &[ColumnType]) -> Result<Batch> {
        if self.ascending {
            return Ok(self);
        }
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|at| self.rows[*at]);
        let mut sorted = Batch::new(columns);
        for at in order {
            sorted.push_row(self.rows[at]);
            sorted.take(&self, at)?;
        }
        Ok(sorted)
    }

    fn take(&mut self, other: &Batch, at: usize) -> Result<()> {
        for (column, from) in self.columns.iter_mut().zip(&other.columns) {
            column.push_from(from, at)?;
        }
        Ok(())
    }

    /// Adds all records of another batch, which follow these.
    pub fn append(&mut self, other: &Batch) -> Result<()> {
        for at in 0..other.rows.len() {
            self.push_row(other.rows[at]);
            self.take(other, at)?;
        }
        Ok(())
    }
}
