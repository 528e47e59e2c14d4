//! Which records a request is about, and in which order.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::store::Store;
use super::view::Seen;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{CompareOp, Expr, OrderKey, Query, Select};
use crate::workload::HookRunner;
use crate::workload::compare::compare_values;
use crate::workload::eval::{EvalError, Scope, View, compared, holds};

impl Store {
    /// Rows that a selection is about, ascending.
    pub fn select(
        &self,
        model: ModelId,
        select: &Select,
        arguments: &[Value],
        hooks: &dyn HookRunner,
    ) -> Result<Vec<u64>, EngineError> {
        let argument = || {
            arguments
                .first()
                .ok_or_else(|| EngineError::new(ErrorKind::Other, "argument 0 is not bound"))
        };
        match select {
            Select::All => Ok(self.records(model).map(|(row, _)| row).collect()),
            Select::Identity => Ok(match argument()? {
                Value::Int(row) => u64::try_from(*row)
                    .ok()
                    .filter(|row| self.get(model, *row).is_some())
                    .into_iter()
                    .collect(),
                _ => Vec::new(),
            }),
            Select::Point(field) => Ok(self.point(model, *field, argument()?)),
            Select::Where(predicate) => {
                let mut rows = Vec::new();
                let mut test = |row| {
                    let Some(seen) = Seen::of(self, model, row) else {
                        return Ok::<(), EngineError>(());
                    };
                    if holds(&Scope::new(&seen, arguments, hooks), predicate)? {
                        rows.push(row);
                    }
                    Ok(())
                };
                // The whole predicate is asked of each candidate, however found.
                match self.sought(model, predicate, arguments) {
                    Some(row) => row.into_iter().try_for_each(&mut test)?,
                    None => self
                        .records(model)
                        .map(|(row, _)| row)
                        .try_for_each(&mut test)?,
                }
                Ok(rows)
            }
        }
    }

    fn point(&self, model: ModelId, field: FieldId, value: &Value) -> Vec<u64> {
        if self.schema.models[model].key == Some(field) {
            return self.by_key(model, value).into_iter().collect();
        }
        if let Some(rows) = self.by_point(model, field, value) {
            return rows;
        }
        self.records(model)
            .filter(|(_, kept)| {
                matches!(kept.get(field), Some(super::record::Slot::Value(own))
                    if compared(CompareOp::Equal, own, value))
            })
            .map(|(row, _)| row)
            .collect()
    }

    /// The only candidate, where the predicate asks for one key: `Some(None)`
    /// if no record has it, `None` if it asks for something else.
    fn sought(&self, model: ModelId, predicate: &Expr, arguments: &[Value]) -> Option<Option<u64>> {
        let key = self.schema.models[model].key?;
        let asked = asked_for(predicate, key)?;
        let value = match asked {
            Expr::Literal(value) => value,
            Expr::Arg(at) => arguments.get(*at)?,
            _ => return None,
        };
        Some(self.by_key(model, value))
    }

    /// Rows of a query, in its order, from its offset, up to its limit.
    pub fn rows(
        &self,
        query: &Query,
        arguments: &[Value],
        hooks: &dyn HookRunner,
    ) -> Result<Vec<u64>, EngineError> {
        let mut rows = self.select(query.model, &query.select, arguments, hooks)?;
        if !query.order.is_empty() {
            rows = self.sorted(query.model, rows, &query.order)?;
        }
        let skipped = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
        rows.drain(..skipped.min(rows.len()));
        rows.truncate(limit.unwrap_or(usize::MAX));
        Ok(rows)
    }

    fn sorted(
        &self,
        model: ModelId,
        rows: Vec<u64>,
        order: &[OrderKey],
    ) -> Result<Vec<u64>, EngineError> {
        let mut keyed: Vec<(Vec<Cow<'_, Value>>, u64)> = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(seen) = Seen::of(self, model, row) else {
                continue;
            };
            let keys = order
                .iter()
                .map(|key| seen.column(&crate::plan::Column::Path(key.path.clone())))
                .collect::<Result<_, EvalError>>()?;
            keyed.push((keys, row));
        }
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
                .unwrap_or(Ordering::Equal)
        });
        Ok(keyed.into_iter().map(|(_, row)| row).collect())
    }
}

/// What the key must equal for the predicate to hold.
fn asked_for(predicate: &Expr, key: FieldId) -> Option<&Expr> {
    let is_key =
        |expr: &Expr| matches!(expr, Expr::Path(p) if p.hops == [key] && p.json.is_empty());
    match predicate {
        Expr::And(all) => all.iter().find_map(|each| asked_for(each, key)),
        Expr::Compare {
            op: CompareOp::Equal,
            left,
            right,
            ignoring_case: false,
        } => {
            if is_key(left) {
                Some(right)
            } else if is_key(right) {
                Some(left)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Evaluates an expression about one record.
pub fn about(
    seen: &dyn View,
    expr: &Expr,
    arguments: &[Value],
    hooks: &dyn HookRunner,
) -> Result<Value, EvalError> {
    crate::workload::eval::evaluate(&Scope::new(seen, arguments, hooks), expr).map(Cow::into_owned)
}
