//! Records in order, from an offset, up to a limit.

use std::cmp::Ordering;
use std::ops::Range;

use super::block::{Block, Found, MOST};
use super::fields::Fields;
use super::find::{Asking, Take};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::{Column, OrderKey, Query};
use crate::workload::compare::compare_values;

/// Records that were selected, kept until they are sorted.
struct Kept<'q> {
    order: &'q [OrderKey],
    columns: Vec<Column>,
    bytes: Vec<u8>,
    records: Vec<(Range<usize>, Range<usize>)>,
    /// `order.len()` of each record.
    keys: Vec<Value>,
}

impl Asking<'_> {
    /// Hands over the records of a query, with the fields of
    /// [`Asking::handed`] decoded; their number.
    pub fn page(
        &self,
        query: &Query,
        block: &mut Block,
        take: &mut Take<'_>,
    ) -> Result<u64, EngineError> {
        let limit = query.limit.unwrap_or(u64::MAX);
        if limit == 0 {
            return Ok(0);
        }
        let mut count = 0;
        if query.order.is_empty() {
            let mut skipped = 0;
            self.find(block, &mut |found| {
                if skipped < query.offset {
                    skipped += 1;
                    return Ok(true);
                }
                count += 1;
                Ok(take(found)? && count < limit)
            })?;
            return Ok(count);
        }
        let kept = self.keep(query, block)?;
        for part in kept.page(query.offset, limit).chunks(MOST) {
            block.clear();
            for at in part {
                let (key, value) = kept.records[*at as usize].clone();
                block.push(&kept.bytes[key], &kept.bytes[value]);
            }
            block.decode_all(self.reader, query.model, &self.program.shown)?;
            for at in 0..block.len() {
                count += 1;
                if !take(block.get(at))? {
                    return Ok(count);
                }
            }
        }
        Ok(count)
    }

    /// The fields that are decoded of the records that [`Asking::page`] hands over.
    pub fn handed(&self, query: &Query) -> &Fields {
        if query.order.is_empty() {
            &self.program.both
        } else {
            &self.program.shown
        }
    }

    fn keep<'q>(&self, query: &'q Query, block: &mut Block) -> Result<Kept<'q>, EngineError> {
        let columns = query.order.iter();
        let mut kept = Kept {
            order: &query.order,
            columns: columns.map(|key| Column::Path(key.path.clone())).collect(),
            bytes: Vec::new(),
            records: Vec::new(),
            keys: Vec::new(),
        };
        self.find(block, &mut |found| {
            let seen = self.seen(found, &self.program.both);
            for column in &kept.columns {
                let value = seen.column(column).map_err(|error| self.told(error))?;
                kept.keys.push(value.into_owned());
            }
            kept.push(found);
            Ok(true)
        })?;
        Ok(kept)
    }
}

impl Kept<'_> {
    fn push(&mut self, found: Found<'_>) {
        let start = self.bytes.len();
        self.bytes.extend(found.key);
        let middle = self.bytes.len();
        self.bytes.extend(found.bytes);
        self.records.push((start..middle, middle..self.bytes.len()));
    }

    /// Positions of the records of a page, in order. No more is sorted than
    /// the page needs.
    fn page(&self, offset: u64, limit: u64) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.records.len() as u32).collect();
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let end = offset.saturating_add(limit);
        if end < all.len() {
            all.select_nth_unstable_by(end, |a, b| self.compare(*a, *b));
            all.truncate(end);
        }
        all.sort_unstable_by(|a, b| self.compare(*a, *b));
        all.drain(..offset.min(all.len()));
        all
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        let keys = |at: u32| {
            let from = at as usize * self.order.len();
            &self.keys[from..from + self.order.len()]
        };
        let pairs = keys(a).iter().zip(keys(b)).zip(self.order);
        pairs
            .map(|((a, b), key)| {
                let ascending = compare_values(a, b);
                if key.descending {
                    ascending.reverse()
                } else {
                    ascending
                }
            })
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}
