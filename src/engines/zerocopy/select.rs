//! Which records a request is about.

use std::ops::ControlFlow;

use super::condition::Compiler;
use super::error::{Result, misuse};
use super::found::{Found, Which};
use super::key;
use super::layout::{IndexLayout, IndexPart};
use super::picks::Picks;
use super::plan::{self, Access, SCAN_BEYOND};
use super::reader::Reader;
use super::test::Test;
use crate::base::{Value, ValueRef};
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{CompareOp, Expr, Query, Select};
use crate::workload::HookRunner;

/// Least number of records that an index may find, however small the table.
const LEAST_FOUND: u64 = 32;

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

    /// The records that a selection is about.
    pub fn select(&self, model: ModelId, select: &Select) -> Result<Found<'a>> {
        if !self.reader.catalog.has(model) {
            return Err(misuse("no such model"));
        }
        match select {
            Select::All => Found::all(self.reader, model),
            Select::Identity => {
                let row = match self.argument()? {
                    Value::Int(row) => u64::try_from(*row).ok(),
                    _ => None,
                };
                Found::rows(self.reader, model, row.as_slice())
            }
            Select::Point(field) => self.point(model, *field, self.argument()?),
            Select::Where(predicate) => self.filtered(model, predicate),
        }
    }

    /// Rows that a selection is about, ascending.
    pub fn numbers(&self, model: ModelId, select: &Select) -> Result<Vec<u64>> {
        Ok(self.select(model, select)?.numbers())
    }

    fn filtered(&self, model: ModelId, predicate: &Expr) -> Result<Found<'a>> {
        let condition = Compiler { asking: self }.condition(model, predicate);
        let most = (self.reader.count(model) / SCAN_BEYOND).max(LEAST_FOUND);
        let access = plan::access(self.reader.catalog, model, predicate);
        let rows = match &access {
            Some(access) => self.found_by(access, most as usize)?,
            None => None,
        };
        let Some(mut rows) = rows else {
            return condition.all(self, model);
        };
        rows.sort_unstable();
        let mut found = Found::rows(self.reader, model, &rows)?;
        let mut within = vec![Picks::NONE; found.clusters.len()];
        if let Which::Places(places) = &found.which {
            for place in places {
                within[place.cluster as usize].add(place.position as usize);
            }
        }
        // In the order of rows, the clusters are, too.
        found.which = Which::Picks(condition.select(&found, self, within)?);
        Ok(found)
    }

    /// The rows that an index finds; `None` if they are more than `most`, or
    /// if a constant is not of its column's type.
    fn found_by(&self, access: &Access<'_>, most: usize) -> Result<Option<Vec<u64>>> {
        let Some(bounds) = self.bounds(access) else {
            return Ok(None);
        };
        let mut rows = Vec::new();
        let tree = self.reader.tree(access.index.tree);
        tree.walk(&bounds.from, &mut |key, row| {
            if !bounds.has(key) {
                return Ok(ControlFlow::Break(()));
            }
            rows.push(row);
            Ok(match rows.len() > most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        Ok((rows.len() <= most).then_some(rows))
    }

    /// Which keys of an index are meant.
    fn bounds(&self, access: &Access<'_>) -> Option<Bounds> {
        let mut prefix = Vec::new();
        for (part, to) in access.index.parts.iter().zip(&access.equal) {
            let value = plan::constant(to, self.arguments)?.scalar_ref();
            put(&mut prefix, part, value)?;
        }
        let mut bounds = Bounds {
            from: prefix.clone(),
            to: key::after(&prefix),
        };
        if let (Some(range), Some(part)) =
            (&access.range, access.index.parts.get(access.equal.len()))
        {
            let end = |(to, included): &(&Expr, bool)| {
                let mut key = prefix.clone();
                put(
                    &mut key,
                    part,
                    plan::constant(to, self.arguments)?.scalar_ref(),
                )?;
                Some((key, *included))
            };
            let low = range.low.as_ref().map(end);
            let high = range.high.as_ref().map(end);
            let (low, high) = match part.descending {
                false => (low, high),
                true => (high, low),
            };
            match low {
                Some(Some((key, true))) => bounds.from = key,
                Some(Some((key, false))) => bounds.from = key::after(&key)?,
                Some(None) => return None,
                None => {}
            }
            match high {
                Some(Some((key, true))) => bounds.to = key::after(&key),
                Some(Some((key, false))) => bounds.to = Some(key),
                Some(None) => return None,
                None => {}
            }
        }
        Some(bounds)
    }

    fn point(&self, model: ModelId, field: FieldId, value: &Value) -> Result<Found<'a>> {
        let Some((column, _)) = self.reader.catalog.kept(model).scalar(field) else {
            return Err(misuse("a point read of what is no scalar"));
        };
        if let Some(index) = plan::point(self.reader.catalog, model, field)
            && let Some(rows) = self.at_point(index, value)?
        {
            return Found::rows(self.reader, model, &rows);
        }
        let test = Test::Compare {
            op: CompareOp::Equal,
            to: value.clone(),
            fold: false,
        };
        super::condition::Condition::Column { column, test }.all(self, model)
    }

    /// Rows that an index has under a value, ascending; `None` if the value is
    /// not of its type.
    fn at_point(&self, index: &IndexLayout, value: &Value) -> Result<Option<Vec<u64>>> {
        let mut key = Vec::new();
        if put(&mut key, &index.parts[0], value.scalar_ref()).is_none() {
            return Ok(None);
        }
        let tree = self.reader.tree(index.tree);
        if index.parts.len() == 1 {
            return match index.unique {
                true => Ok(Some(tree.first(&key)?.into_iter().collect())),
                false => tree.rows(&key).map(Some),
            };
        }
        let mut rows = Vec::new();
        tree.walk(&key, &mut |own, row| {
            if !own.starts_with(&key) {
                return Ok(ControlFlow::Break(()));
            }
            rows.push(row);
            Ok(ControlFlow::Continue(()))
        })?;
        rows.sort_unstable();
        Ok(Some(rows))
    }

    /// Records of a query, in its order, from its offset, up to its limit.
    pub fn page(&self, query: &Query) -> Result<Found<'a>> {
        let skipped = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let limit = query.limit.and_then(|limit| usize::try_from(limit).ok());
        if !self.reader.catalog.has(query.model) {
            return Err(misuse("no such model"));
        }
        if let Some(limit) = limit
            && let Some(rows) = self.by_index(query, skipped, limit)?
        {
            return Found::rows(self.reader, query.model, &rows);
        }
        let mut found = self.select(query.model, &query.select)?;
        let last = limit.map_or(usize::MAX, |limit| skipped.saturating_add(limit));
        if !query.order.is_empty() {
            found.which = Which::Places(super::order::sorted(&found, &query.order, last)?);
        }
        if skipped > 0 || last < found.count() {
            let mut places = found.places();
            places.truncate(last);
            places.drain(..skipped.min(places.len()));
            found.which = Which::Places(places);
        }
        Ok(found)
    }

    /// The rows of a page that an index has in its order; `None` if none has.
    fn by_index(&self, query: &Query, skipped: usize, limit: usize) -> Result<Option<Vec<u64>>> {
        let catalog = self.reader.catalog;
        let Some((access, backwards)) =
            plan::page(catalog, query.model, &query.select, &query.order)
        else {
            return Ok(None);
        };
        let Some(bounds) = self.bounds(&access) else {
            return Ok(None);
        };
        let (mut left, mut rows) = (skipped, Vec::new());
        if limit == 0 {
            return Ok(Some(rows));
        }
        let mut visit = |key: &[u8], row: u64| {
            if !bounds.has(key) {
                return Ok(ControlFlow::Break(()));
            }
            if left > 0 {
                left -= 1;
                return Ok(ControlFlow::Continue(()));
            }
            rows.push(row);
            Ok(match rows.len() < limit {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        };
        let tree = self.reader.tree(access.index.tree);
        match backwards {
            false => tree.walk(&bounds.from, &mut visit)?,
            true => tree.walk_back(bounds.to.as_deref(), &mut visit)?,
        }
        Ok(Some(rows))
    }
}

/// A run of keys.
struct Bounds {
    /// None is below.
    from: Vec<u8>,
    /// All are below.
    to: Option<Vec<u8>>,
}

impl Bounds {
    fn has(&self, key: &[u8]) -> bool {
        key >= self.from.as_slice() && self.to.as_deref().is_none_or(|to| key < to)
    }
}

/// Appends a value as an index has it, if it is one of its column.
fn put(key: &mut Vec<u8>, part: &IndexPart, value: ValueRef<'_>) -> Option<()> {
    if !key::fits(value, part.kind) {
        return None;
    }
    key::put(key, value, part.optional, part.descending);
    Some(())
}
