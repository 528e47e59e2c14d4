//! Answering requests.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::block::{Column, Type};
use super::error::Result;
use super::found::{Found, Place, Which};
use super::scan;
use super::select::Asking;
use crate::base::Value;
use crate::plan::schema::ModelId;
use crate::plan::{Aggregate, Expr, Path, Query, Select};
use crate::workload::compare::Ordered;
use crate::workload::eval::{EvalError, Scope, evaluate};
use crate::workload::sinks::deliver;
use crate::workload::{Aggregator, Sink};

impl Asking<'_> {
    /// Delivers the records.
    pub fn read(&self, query: &Query, sink: &mut dyn Sink) -> Result<u64> {
        let found = self.page(query)?;
        super::deliver::records(&found, &query.columns, sink)?;
        Ok(found.count() as u64)
    }

    /// Counts the records.
    pub fn count(&self, model: ModelId, select: &Select) -> Result<u64> {
        match select {
            Select::All => Ok(self.reader.count(model)),
            select => Ok(self.select(model, select)?.count() as u64),
        }
    }

    /// Delivers each value of `per` with its number of records.
    pub fn count_per(
        &self,
        model: ModelId,
        select: &Select,
        per: &Path,
        sink: &mut dyn Sink,
    ) -> Result<u64> {
        let found = self.select(model, select)?;
        let mut groups: BTreeMap<Ordered, i64> = BTreeMap::new();
        match own_column(&found, &per.hops, &per.json) {
            Some((column, _)) => count_column(&found, column, &mut groups)?,
            None => found.each(&mut |place| {
                let value = found.row(place).follow(&per.hops, &per.json)?;
                *groups.entry(Ordered(value)).or_default() += 1;
                Ok(())
            })?,
        }
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
        let found = self.page(query)?;
        let value = match whole_sum(&found, function, of)? {
            Some(value) => value,
            None => self.aggregated(&found, function, of)?,
        };
        deliver(sink, &[Cow::Owned(value)]);
        Ok(found.count() as u64)
    }

    fn aggregated(&self, found: &Found<'_>, function: Aggregate, of: &Expr) -> Result<Value> {
        let mut aggregator = Aggregator::new(function);
        let own = match of {
            Expr::Path(path) => own_column(found, &path.hops, &path.json),
            _ => None,
        };
        if let Some((column, _)) = own {
            each_column(found, column, &mut |column, place| {
                let value = column.get(place.position as usize)?.to_value();
                Ok(aggregator.add(&value)?)
            })?;
        } else {
            found.each(&mut |place| {
                let row = found.row(place);
                let scope = Scope::new(&row, self.arguments, self.hooks);
                let value = evaluate(&scope, of).map_err(|error| self.reader.fault.told(error))?;
                Ok(aggregator.add(&value)?)
            })?;
        }
        Ok(aggregator.finish()?)
    }
}

/// The column of a scalar field of the record itself.
fn own_column(found: &Found<'_>, hops: &[usize], json: &[String]) -> Option<(usize, Type)> {
    match hops {
        [field] if json.is_empty() => found.reader.catalog.kept(found.model).scalar(*field),
        _ => None,
    }
}

/// Shows a column's block with each record.
fn each_column(
    found: &Found<'_>,
    column: usize,
    show: &mut dyn FnMut(&Column<'_>, Place) -> Result<()>,
) -> Result<()> {
    let mut opened: Option<(u32, Column<'_>)> = None;
    found.each(&mut |place| {
        let block = match opened {
            Some((cluster, block)) if cluster == place.cluster => block,
            _ => {
                let block = found.row(place).column(column)?;
                opened = Some((place.cluster, block));
                block
            }
        };
        show(&block, place)
    })
}

/// Counts by block: what a dictionary or a small range of integers holds is
/// looked up once.
fn count_column(
    found: &Found<'_>,
    column: usize,
    groups: &mut BTreeMap<Ordered, i64>,
) -> Result<()> {
    let Which::Picks(picks) = &found.which else {
        return each_column(found, column, &mut |column, place| {
            let value = column.get(place.position as usize)?.to_value();
            *groups.entry(Ordered(value)).or_default() += 1;
            Ok(())
        });
    };
    let kind = found.reader.catalog.kept(found.model).columns[column];
    for (cluster, picks) in found.clusters.iter().zip(picks) {
        if picks.is_empty() {
            continue;
        }
        let block = cluster.column(column, kind)?;
        let Column::Texts(texts, _) = &block else {
            for row in picks.iter() {
                let value = block.get(row)?.to_value();
                *groups.entry(Ordered(value)).or_default() += 1;
            }
            continue;
        };
        let Some(entries) = texts.dictionary() else {
            for row in picks.iter() {
                let value = block.get(row)?.to_value();
                *groups.entry(Ordered(value)).or_default() += 1;
            }
            continue;
        };
        let mut counts = vec![(0i64, 0usize); entries];
        for row in picks.iter() {
            if texts.nulls.has(row) {
                *groups.entry(Ordered(Value::Null)).or_default() += 1;
            } else if let Some(count) = counts.get_mut(texts.code(row)) {
                *count = (count.0 + 1, row);
            }
        }
        for (count, row) in counts.into_iter().filter(|(count, _)| *count > 0) {
            let value = block.get(row)?.to_value();
            *groups.entry(Ordered(value)).or_default() += count;
        }
    }
    Ok(())
}

/// Sum or average of a whole column of integers, block by block.
fn whole_sum(found: &Found<'_>, function: Aggregate, of: &Expr) -> Result<Option<Value>> {
    let (Aggregate::Sum | Aggregate::Average, Expr::Path(path)) = (function, of) else {
        return Ok(None);
    };
    let (Some((column, _)), Which::Picks(picks)) =
        (own_column(found, &path.hops, &path.json), &found.which)
    else {
        return Ok(None);
    };
    let kind = found.reader.catalog.kept(found.model).columns[column];
    let (mut total, mut count) = (0i128, 0u64);
    for (cluster, picks) in found.clusters.iter().zip(picks) {
        if picks.count() != cluster.len() {
            return Ok(None);
        }
        match scan::sum(&cluster.column(column, kind)?) {
            Some((sum, values)) => (total, count) = (total + sum, count + values),
            None => return Ok(None),
        }
    }
    Ok(Some(match function {
        Aggregate::Sum => {
            let sum = i64::try_from(total).map_err(|_| EvalError::Overflow)?;
            Value::Int(sum)
        }
        _ if count == 0 => Value::Null,
        _ => Value::Float(total as f64 / count as f64),
    }))
}
