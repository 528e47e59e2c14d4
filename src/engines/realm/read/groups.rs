//! Records counted per value: Realm has no grouping, so an app walks them.

use std::collections::BTreeMap;

use super::follow::Got;
use super::found::{Asking, Found};
use crate::base::ValueRef;
use crate::engines::EngineError;
use crate::engines::realm::store::Store;
use crate::plan::Path;
use crate::workload::Sink;
use crate::workload::compare::compare;

/// A value in the order of all values.
struct Group<'r>(Got<'r>);

impl PartialEq for Group<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Group<'_> {}

impl PartialOrd for Group<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Group<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        compare(self.0.scalar(), other.0.scalar())
    }
}

/// Delivers each value of `per` with its number of records.
pub fn count_per(
    store: &Store,
    found: Found<'_>,
    asking: Asking<'_>,
    per: &Path,
    sink: &mut dyn Sink,
) -> Result<u64, EngineError> {
    let mut groups: BTreeMap<Group<'_>, i64> = BTreeMap::new();
    found.each(store, asking, 0, |seen| {
        let value = store.follow(seen.model, &seen.object, &per.hops, &per.json)?;
        *groups.entry(Group(value)).or_default() += 1;
        Ok(true)
    })?;
    for (value, count) in &groups {
        sink.row(&[value.0.scalar(), ValueRef::Int(*count)]);
    }
    Ok(groups.len() as u64)
}
