//! Answering requests.

use std::collections::BTreeMap;

use super::order::about;
use super::store::Store;
use super::view::Seen;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::ModelId;
use crate::plan::{Aggregate, Column, Expr, Path, Query, Select};
use crate::workload::compare::Ordered;
use crate::workload::eval::EvalError;
use crate::workload::sinks::deliver;
use crate::workload::{Aggregator, HookRunner, Sink};

/// What an answer needs beside the store.
pub struct Asking<'a> {
    pub arguments: &'a [Value],
    pub hooks: &'a dyn HookRunner,
    pub sink: &'a mut dyn Sink,
}

impl Store {
    /// Delivers the records.
    pub fn read(&self, query: &Query, asking: &mut Asking<'_>) -> Result<u64, EngineError> {
        let rows = self.rows(query, asking.arguments, asking.hooks)?;
        for &row in &rows {
            let Some(seen) = Seen::of(self, query.model, row) else {
                continue;
            };
            let values = query
                .columns
                .iter()
                .map(|column| seen.column(column))
                .collect::<Result<Vec<_>, EvalError>>()?;
            deliver(asking.sink, &values);
        }
        Ok(rows.len() as u64)
    }

    /// Delivers each value of `per` with its number of records.
    pub fn count_per(
        &self,
        model: ModelId,
        select: &Select,
        per: &Path,
        asking: &mut Asking<'_>,
    ) -> Result<u64, EngineError> {
        let column = Column::Path(per.clone());
        let mut groups: BTreeMap<Ordered, i64> = BTreeMap::new();
        for row in self.select(model, select, asking.arguments, asking.hooks)? {
            if let Some(seen) = Seen::of(self, model, row) {
                let value = Ordered(seen.column(&column)?.into_owned());
                *groups.entry(value).or_default() += 1;
            }
        }
        for (value, count) in &groups {
            use std::borrow::Cow::{Borrowed, Owned};
            deliver(
                asking.sink,
                &[Borrowed(&value.0), Owned(Value::Int(*count))],
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
        asking: &mut Asking<'_>,
    ) -> Result<u64, EngineError> {
        let rows = self.rows(query, asking.arguments, asking.hooks)?;
        let mut aggregator = Aggregator::new(function);
        for &row in &rows {
            if let Some(seen) = Seen::of(self, query.model, row) {
                aggregator.add(&about(&seen, of, asking.arguments, asking.hooks)?)?;
            }
        }
        let value = aggregator.finish()?;
        deliver(asking.sink, &[std::borrow::Cow::Owned(value)]);
        Ok(rows.len() as u64)
    }
}
