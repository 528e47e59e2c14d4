//! Reads, groups and aggregates.

use std::collections::BTreeMap;

use super::api::{Number, Txn};
use super::delivery::Delivery;
use super::finder::{Finder, Ground};
use super::layout::Storage;
use super::selection::{Access, Selection};
use super::view::Seen;
use crate::base::{Value, ValueRef};
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::ModelId;
use crate::plan::{Aggregate, Expr, OrderKey, Path, Query, Select};
use crate::workload::compare::{Ordered, compare_values};
use crate::workload::eval::{Scope, evaluate};
use crate::workload::{Aggregator, Sink};

/// Records in an order, a page of them.
pub struct Listing {
    finder: Finder,
    /// The keys, where it is sorted above the engine.
    sort: Vec<OrderKey>,
    offset: usize,
    limit: usize,
    /// The engine leaves out and stops by itself.
    paged: bool,
}

impl Listing {
    /// Prepares a query.
    pub fn new(ground: &Ground<'_>, query: &Query) -> Result<Listing, EngineError> {
        let selection = Selection::of(ground.setup, query.model, &query.select, &query.order);
        let sort = match selection.order {
            Some(_) => Vec::new(),
            None => query.order.clone(),
        };
        let offset = usize::try_from(query.offset).unwrap_or(usize::MAX);
        let limit = query
            .limit
            .map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let finder = Finder::new(ground, selection)?;
        let mut listing = Listing {
            finder,
            sort,
            offset,
            limit: limit.unwrap_or(usize::MAX),
            paged: false,
        };
        if (query.offset > 0 || query.limit.is_some())
            && query.limit != Some(0)
            && listing.sort.is_empty()
            && !listing.finder.selection().waits()
            && let Some(found) = listing.finder.exact_query()
        {
            // A limit of 0 is none.
            found.page(offset, limit.unwrap_or(0))?;
            listing.paged = true;
        }
        Ok(listing)
    }

    /// Shows each of them. `alone`: `visit` looks at nothing but the object
    /// that it is shown.
    pub fn each<'t>(
        &self,
        ground: &Ground<'t>,
        txn: &'t Txn,
        arguments: &[Value],
        alone: bool,
        mut visit: impl FnMut(Seen<'t>) -> Result<(), EngineError>,
    ) -> Result<u64, EngineError> {
        let finder = self.finder.with(ground, arguments)?;
        let mut shown = 0u64;
        if !self.sort.is_empty() {
            for seen in self.sorted(&finder, ground, txn, arguments)? {
                visit(seen)?;
                shown += 1;
            }
            return Ok(shown);
        }
        let own = std::ptr::eq::<Finder>(&*finder, &self.finder);
        let (mut skip, mut left) = (self.offset, self.limit);
        if self.paged && own {
            (skip, left) = (0, usize::MAX);
        }
        if left == 0 {
            return Ok(0);
        }
        let page = |seen| {
            if skip > 0 {
                skip -= 1;
                return Ok(true);
            }
            visit(seen)?;
            shown += 1;
            left -= 1;
            Ok(left > 0)
        };
        if alone {
            finder.each_alone(ground, txn, arguments, page)?;
        } else {
            finder.each(ground, txn, arguments, page)?;
        }
        Ok(shown)
    }

    /// Sorted above the engine, a page of them.
    fn sorted<'t>(
        &self,
        finder: &Finder,
        ground: &Ground<'t>,
        txn: &'t Txn,
        arguments: &[Value],
    ) -> Result<Vec<Seen<'t>>, EngineError> {
        let mut keyed: Vec<(Vec<Value>, Seen<'t>)> = Vec::new();
        finder.each(ground, txn, arguments, |seen| {
            let keys = self.sort.iter();
            let keys = keys.map(|key| seen.follow(&key.path.hops, &key.path.json));
            keyed.push((keys.collect::<Result<_, _>>()?, seen));
            Ok(true)
        })?;
        keyed.sort_by(|(a, _), (b, _)| {
            let pairs = a.iter().zip(b).zip(&self.sort);
            pairs
                .map(|((a, b), key)| match key.descending {
                    true => compare_values(b, a),
                    false => compare_values(a, b),
                })
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let sorted = keyed.into_iter().map(|(_, seen)| seen);
        Ok(sorted.skip(self.offset).take(self.limit).collect())
    }
}

/// A read.
pub struct Reading {
    listing: Listing,
    model: ModelId,
    delivery: Delivery,
}

impl Reading {
    /// Prepares it.
    pub fn new(ground: &Ground<'_>, query: &Query) -> Result<Reading, EngineError> {
        let entity = &ground.setup.layout.entities[query.model];
        Ok(Reading {
            listing: Listing::new(ground, query)?,
            model: query.model,
            delivery: Delivery::of(entity, &query.columns),
        })
    }

    /// Delivers the records.
    pub fn run(
        &self,
        ground: &Ground<'_>,
        txn: &Txn,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let entity = ground.reader(txn).entity(self.model)?;
        let mut values = Vec::new();
        let alone = matches!(self.delivery, Delivery::Own(_));
        self.listing.each(ground, txn, arguments, alone, |seen| {
            self.delivery.hand(entity, &seen, &mut values, sink)
        })
    }
}

/// Counts records per value.
pub struct Grouping {
    finder: Finder,
    per: Path,
}

impl Grouping {
    /// Prepares it.
    pub fn new(
        ground: &Ground<'_>,
        model: ModelId,
        select: &Select,
        per: &Path,
    ) -> Result<Grouping, EngineError> {
        let selection = Selection::of(ground.setup, model, select, &[]);
        Ok(Grouping {
            finder: Finder::new(ground, selection)?,
            per: per.clone(),
        })
    }

    /// Delivers each value with its number of records.
    pub fn run(
        &self,
        ground: &Ground<'_>,
        txn: &Txn,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        let mut groups: BTreeMap<Ordered, i64> = BTreeMap::new();
        let finder = self.finder.with(ground, arguments)?;
        finder.each(ground, txn, arguments, |seen| {
            let value = seen.follow(&self.per.hops, &self.per.json)?;
            *groups.entry(Ordered(value)).or_default() += 1;
            Ok(true)
        })?;
        for (value, count) in &groups {
            value
                .0
                .with_ref(|value| sink.row(&[value, ValueRef::Int(*count)]));
        }
        Ok(groups.len() as u64)
    }
}

/// An aggregate.
pub struct Aggregating {
    listing: Listing,
    function: Aggregate,
    of: Expr,
    /// The property that the engine itself can aggregate, if nothing is left over.
    property: Option<Aggregated>,
}

/// What the engine aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregated {
    /// An int property, by its id.
    Int(u32),
    /// A moment.
    Moment(u32),
    /// A double.
    Float(u32),
}

/// The property that the engine can aggregate by itself.
pub fn aggregated(
    setup: &super::setup::Setup,
    query: &Query,
    function: Aggregate,
    of: &Expr,
) -> Option<Aggregated> {
    let Expr::Path(path) = of else { return None };
    if query.limit.is_some() || query.offset > 0 {
        return None;
    }
    let entity = &setup.layout.entities[query.model];
    let property = &entity.properties[super::compile::own(entity, path)?];
    let extreme = matches!(function, Aggregate::Min | Aggregate::Max);
    match property.storage {
        Storage::Long => Some(Aggregated::Int(property.id)),
        Storage::Date if extreme => Some(Aggregated::Moment(property.id)),
        Storage::Double => Some(Aggregated::Float(property.id)),
        _ => None,
    }
}

impl Aggregating {
    /// Prepares it.
    pub fn new(
        ground: &Ground<'_>,
        query: &Query,
        function: Aggregate,
        of: &Expr,
    ) -> Result<Aggregating, EngineError> {
        let property = aggregated(ground.setup, query, function, of);
        let mut listing = Listing::new(ground, query)?;
        if property.is_some() && listing.finder.is_everything() {
            // Aggregates belong to queries.
            let mut selection = listing.finder.selection().clone();
            selection.access = Access::Query(Default::default());
            listing.finder = Finder::new(ground, selection)?;
        }
        Ok(Aggregating {
            listing,
            function,
            of: of.clone(),
            property,
        })
    }

    /// Delivers the value.
    pub fn run(
        &self,
        ground: &Ground<'_>,
        txn: &Txn,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        if let Some(property) = self.property {
            let finder = self.listing.finder.with(ground, arguments)?;
            if let Some(query) = finder.exact_query() {
                let count = query.count(txn)?;
                match self.by_engine(query, txn, property) {
                    // The engine adds up one by one; what counts is the sum of all.
                    Err(error) if error.kind == ErrorKind::Overflow => {}
                    Err(error) => return Err(error),
                    Ok(value) => {
                        sink.row(&[value.scalar_ref()]);
                        return Ok(count);
                    }
                }
            }
        }
        let mut aggregator = Aggregator::new(self.function);
        let count = self.listing.each(ground, txn, arguments, false, |seen| {
            let scope = Scope::new(&seen, arguments, ground.hooks);
            aggregator.add(&*evaluate(&scope, &self.of)?)?;
            Ok(())
        })?;
        aggregator.finish()?.with_ref(|value| sink.row(&[value]));
        Ok(count)
    }

    fn by_engine(
        &self,
        query: &super::api::Query,
        txn: &Txn,
        property: Aggregated,
    ) -> Result<Value, EngineError> {
        let (id, float) = match property {
            Aggregated::Int(id) | Aggregated::Moment(id) => (id, false),
            Aggregated::Float(id) => (id, true),
        };
        let number = query.aggregate(txn, id, self.function, float)?;
        Ok(match (number, self.function) {
            (Number::Int(_, 0) | Number::Float(_, 0), Aggregate::Sum) => Value::Int(0),
            (Number::Int(_, 0) | Number::Float(_, 0), _) => Value::Null,
            (Number::Int(int, _), _) if matches!(property, Aggregated::Moment(_)) => {
                Value::Timestamp(int)
            }
            (Number::Int(int, _), _) => Value::Int(int),
            (Number::Float(float, _), _) => Value::Float(float),
        })
    }
}
