//! Which records a request is about, and in which order.

use super::block::Column;
use super::cluster::Cluster;
use super::error::{Result, misuse};
use super::reader::Reader;
use super::row::Row;
use crate::base::Value;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{CompareOp, OrderKey, Query, Select};
use crate::workload::HookRunner;
use crate::workload::compare::compare_values;
use crate::workload::eval::{Scope, compared, holds};

/// A request's surroundings.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// What is read.
    pub reader: Reader<'a>,
    /// Values bound to it.
    pub arguments: &'a [Value],
    /// Runs hooks.
    pub hooks: &'a dyn HookRunner,
}

impl<'a> Asking<'a> {
    fn argument(&self) -> Result<&'a Value> {
        self.arguments
            .first()
            .ok_or_else(|| misuse("argument 0 is not bound"))
    }

    /// All clusters of a model.
    pub fn clusters(&self, model: ModelId) -> Result<Vec<Cluster<'a>>> {
        let entries = self.reader.table(model).clusters()?;
        entries
            .iter()
            .map(|(_, at)| Cluster::read(&self.reader.nodes, *at))
            .collect()
    }

    /// Rows that a selection is about, ascending.
    pub fn select(&self, model: ModelId, select: &Select) -> Result<Vec<u64>> {
        if !self.reader.catalog.has(model) {
            return Err(misuse("no such model"));
        }
        match select {
            Select::All => {
                let mut rows = Vec::with_capacity(self.reader.count(model) as usize);
                for cluster in self.clusters(model)? {
                    rows.extend((0..cluster.len()).map(|position| cluster.row(position)));
                }
                Ok(rows)
            }
            Select::Identity => match self.argument()? {
                Value::Int(row) => match u64::try_from(*row) {
                    Ok(row) if self.reader.has(model, row)? => Ok(vec![row]),
                    _ => Ok(Vec::new()),
                },
                _ => Ok(Vec::new()),
            },
            Select::Point(field) => self.point(model, *field, self.argument()?),
            Select::Where(predicate) => {
                let mut rows = Vec::new();
                for cluster in self.clusters(model)? {
                    for position in 0..cluster.len() {
                        let row = Row {
                            reader: self.reader,
                            model,
                            cluster,
                            position,
                        };
                        let scope = Scope::new(&row, self.arguments, self.hooks);
                        let held = holds(&scope, predicate);
                        if held.map_err(|error| self.reader.fault.told(error))? {
                            rows.push(row.number());
                        }
                    }
                }
                Ok(rows)
            }
        }
    }

    fn point(&self, model: ModelId, field: FieldId, value: &Value) -> Result<Vec<u64>> {
        let Some((column, _)) = self.reader.catalog.kept(model).scalar(field) else {
            return Err(misuse("a point read of what is no scalar"));
        };
        let mut rows = Vec::new();
        for cluster in self.clusters(model)? {
            let kind = self.reader.catalog.kept(model).columns[column];
            let cells: Column<'_> = cluster.column(column, kind)?;
            for position in 0..cluster.len() {
                if compared(CompareOp::Equal, &cells.value(position)?, value) {
                    rows.push(cluster.row(position));
                }
            }
        }
        Ok(rows)
    }

    /// Rows of a query, in its order, from its offset, up to its limit.
    pub fn rows(&self, query: &Query) -> Result<Vec<u64>> {
        let mut rows = self.select(query.model, &query.select)?;
        if !query.order.is_empty() {
            rows = self.sorted(query.model, rows, &query.order)?;
        }
        let skipped = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
        rows.drain(..skipped.min(rows.len()));
        rows.truncate(limit.unwrap_or(usize::MAX));
        Ok(rows)
    }

    fn sorted(&self, model: ModelId, rows: Vec<u64>, order: &[OrderKey]) -> Result<Vec<u64>> {
        let mut keyed: Vec<(Vec<Value>, u64)> = Vec::with_capacity(rows.len());
        self.reader.each(model, &rows, &mut |row| {
            let keys = order
                .iter()
                .map(|key| row.follow(&key.path.hops, &key.path.json))
                .collect::<Result<_>>()?;
            keyed.push((keys, row.number()));
            Ok(())
        })?;
        keyed.sort_by(|(a, _), (b, _)| {
            let pairs = a.iter().zip(b).zip(order);
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
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        Ok(keyed.into_iter().map(|(_, row)| row).collect())
    }
}
