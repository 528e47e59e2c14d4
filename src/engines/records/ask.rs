//! Answering questions.

use std::borrow::Cow;
use std::collections::HashMap;

use super::block::{Block, Found};
use super::canonical::canonical;
use super::find::Asking;
use super::program::Plain;
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::plan::{Aggregate, Column, Expr, Path, Query, Select};
use crate::workload::eval::{EvalError, Scope, evaluate};
use crate::workload::sinks::deliver;
use crate::workload::{Aggregator, Sink};

/// Most columns that are delivered without an allocation.
const FEW: usize = 32;

impl Asking<'_> {
    /// Delivers the records.
    pub fn read(
        &self,
        query: &Query,
        block: &mut Block,
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let plain = self.program.plain.as_deref();
        let plain = plain.filter(|columns| columns.len() <= FEW);
        let decoded = self.handed(query);
        self.page(query, block, &mut |found| {
            if let Some(columns) = plain {
                self.deliver_plain(columns, found, sink);
                return Ok(true);
            }
            let seen = self.seen(found, decoded);
            let columns = query.columns.iter();
            let values = columns
                .map(|column| seen.column(column))
                .collect::<Result<Vec<_>, EvalError>>()
                .map_err(|error| self.told(error))?;
            deliver(sink, &values);
            Ok(true)
        })
    }

    fn deliver_plain(&self, columns: &[Plain], found: Found<'_>, sink: &mut dyn Sink) {
        let mut values = [ValueRef::Null; FEW];
        let key = &self.reader.layouts[self.model()].key;
        for (value, column) in values.iter_mut().zip(columns) {
            *value = match column {
                Plain::Identity => key.read(found.key),
                Plain::Field(field) => found.row[*field].scalar_ref(),
            };
        }
        sink.row(&values[..columns.len()]);
    }

    /// Counts the records.
    pub fn count(&self, select: &Select, block: &mut Block) -> Result<u64, EngineError> {
        if *select == Select::All {
            return self.reader.count(self.model());
        }
        let mut count = 0;
        self.find(block, &mut |_| {
            count += 1;
            Ok(true)
        })?;
        Ok(count)
    }

    /// Delivers each value of `per` with its number of records.
    pub fn count_per(
        &self,
        per: &Path,
        block: &mut Block,
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let column = Column::Path(per.clone());
        let mut groups: Vec<(Value, i64)> = Vec::new();
        let mut places: HashMap<Box<[u8]>, usize> = HashMap::new();
        let mut key = Vec::new();
        self.find(block, &mut |found| {
            let seen = self.seen(found, &self.program.both);
            let value = seen.column(&column).map_err(|error| self.told(error))?;
            key.clear();
            canonical(&value, &mut key);
            match places.get(key.as_slice()) {
                Some(place) => groups[*place].1 += 1,
                None => {
                    places.insert(key.as_slice().into(), groups.len());
                    groups.push((value.into_owned(), 1));
                }
            }
            Ok(true)
        })?;
        for (value, count) in &groups {
            deliver(
                sink,
                &[Cow::Borrowed(value), Cow::Owned(Value::Int(*count))],
            );
        }
        Ok(groups.len() as u64)
    }

    /// Delivers one aggregated value.
    pub fn aggregate(
        &self,
        query: &Query,
        function: Aggregate,
        of: &Expr,
        block: &mut Block,
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let mut aggregator = Aggregator::new(function);
        let decoded = self.handed(query);
        let count = self.page(query, block, &mut |found| {
            let seen = self.seen(found, decoded);
            let scope = Scope::new(&seen, self.arguments, self.hooks);
            evaluate(&scope, of)
                .and_then(|value| aggregator.add(&value))
                .map_err(|error| self.told(error))?;
            Ok(true)
        })?;
        deliver(sink, &[Cow::Owned(aggregator.finish()?)]);
        Ok(count)
    }
}
