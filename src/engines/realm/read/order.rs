//! Orders that Realm does not make: objects are read, sorted and fetched again.

use std::cmp::Ordering;

use super::follow::Got;
use super::found::{Asking, Found};
use super::view::Seen;
use crate::engines::EngineError;
use crate::engines::realm::store::Store;
use crate::plan::OrderKey;
use crate::workload::compare::compare;

/// Object keys in order, from `offset` on, at most `limit`.
pub fn sorted(
    store: &Store,
    found: Found<'_>,
    asking: Asking<'_>,
    order: &[OrderKey],
    offset: u64,
    limit: Option<u64>,
) -> Result<Vec<i64>, EngineError> {
    let mut values: Vec<Got<'_>> = Vec::new();
    let mut places: Vec<(usize, i64)> = Vec::new();
    found.each(store, asking, 0, |seen: Seen<'_>| {
        places.push((values.len(), seen.object.key()));
        for key in order {
            let path = &key.path;
            values.push(store.follow(seen.model, &seen.object, &path.hops, &path.json)?);
        }
        Ok(true)
    })?;
    let by = |a: &(usize, i64), b: &(usize, i64)| {
        let pairs = order.iter().enumerate().map(|(at, key)| {
            let ascending = compare(values[a.0 + at].scalar(), values[b.0 + at].scalar());
            if key.descending {
                ascending.reverse()
            } else {
                ascending
            }
        });
        let mut pairs = pairs;
        pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let limit = limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    let end = offset.saturating_add(limit);
    if end < places.len() {
        // Only what is asked for is put in order.
        places.select_nth_unstable_by(end, by);
        places.truncate(end);
    }
    places.sort_by(by);
    Ok(places
        .into_iter()
        .skip(offset)
        .map(|(_, key)| key)
        .collect())
}
