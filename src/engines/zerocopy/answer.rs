//! Answering requests.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::error::Result;
use super::select::Asking;
use crate::base::Value;
use crate::plan::schema::ModelId;
use crate::plan::{Aggregate, Expr, Path, Query, Select};
use crate::workload::compare::Ordered;
use crate::workload::eval::{Scope, evaluate};
use crate::workload::sinks::deliver;
use crate::workload::{Aggregator, Sink};

impl Asking<'_> {
    /// Delivers the records.
    pub fn read(&self, query: &Query, sink: &mut dyn Sink) -> Result<u64> {
        let rows = self.rows(query)?;
        for row in &rows {
            let Some(row) = self.reader.row(query.model, *row)? else {
                continue;
            };
            let values = query
                .columns
                .iter()
                .map(|column| row.delivered(column).map(Cow::Owned))
                .collect::<Result<Vec<_>>>()?;
            deliver(sink, &values);
        }
        Ok(rows.len() as u64)
    }

    /// Delivers each value of `per` with its number of records.
    pub fn count_per(
        &self,
        model: ModelId,
        select: &Select,
        per: &Path,
        sink: &mut dyn Sink,
    ) -> Result<u64> {
        let mut groups: BTreeMap<Ordered, i64> = BTreeMap::new();
        let rows = self.select(model, select)?;
        self.reader.each(model, &rows, &mut |row| {
            let value = Ordered(row.follow(&per.hops, &per.json)?);
            *groups.entry(value).or_default() += 1;
            Ok(())
        })?;
        for (value, count) in &groups {
            deliver(
                sink,
                &[Cow::Borrowed(&value.0), Cow::Owned(Value::Int(*count))],
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
        sink: &mut dyn Sink,
    ) -> Result<u64> {
        let rows = self.rows(query)?;
        let mut aggregator = Aggregator::new(function);
        for row in &rows {
            let Some(row) = self.reader.row(query.model, *row)? else {
                continue;
            };
            let scope = Scope::new(&row, self.arguments, self.hooks);
            let value = evaluate(&scope, of).map_err(|error| self.reader.fault.told(error))?;
            aggregator.add(&value)?;
        }
        let value = aggregator.finish()?;
        deliver(sink, &[Cow::Owned(value)]);
        Ok(rows.len() as u64)
    }
}
