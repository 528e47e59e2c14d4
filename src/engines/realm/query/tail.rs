//! Order and limit.

use crate::engines::realm::layout::{Holds, Layout};
use crate::plan::schema::ModelId;
use crate::plan::{OrderKey, Query, Scalar};

/// What of a query's order and limit is said to Realm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tail {
    /// `name ASC` and so on; empty where Realm does not sort.
    pub sort: Vec<String>,
    /// Whether the order is made above.
    pub sorted_above: bool,
    /// At most so many, those to be left out included.
    pub limit: Option<u64>,
}

impl Tail {
    /// Of a query. Realm sorts texts by a collation of its own, and puts null
    /// links last: such orders are made above.
    pub fn of(layout: &Layout, query: &Query) -> Tail {
        let sort: Option<Vec<String>> = query
            .order
            .iter()
            .map(|key| sort_key(layout, query.model, key))
            .collect();
        let sorted_above = sort.is_none();
        let end = |limit: u64| limit.checked_add(query.offset);
        let limit = query.limit.and_then(end);
        Tail {
            sort: sort.unwrap_or_default(),
            sorted_above,
            // Realm's grammar reads the number into a 64-bit word.
            limit: limit.filter(|limit| !sorted_above && *limit <= i64::MAX as u64),
        }
    }

    /// As it is written behind a predicate.
    pub fn suffix(&self) -> Option<String> {
        let mut suffix = String::new();
        if !self.sort.is_empty() {
            suffix = format!(" SORT({})", self.sort.join(", "));
        }
        if let Some(limit) = self.limit {
            suffix.push_str(&format!(" LIMIT({limit})"));
        }
        (!suffix.is_empty()).then_some(suffix)
    }
}

fn sort_key(layout: &Layout, model: ModelId, key: &OrderKey) -> Option<String> {
    let [field] = key.path.hops.as_slice() else {
        return None;
    };
    let property = layout.property(model, *field)?;
    let sortable = matches!(
        property.holds,
        Holds::Scalar(
            Scalar::Bool
                | Scalar::Int
                | Scalar::Float
                | Scalar::Timestamp
                | Scalar::Uuid
                | Scalar::Blob
        )
    );
    let direction = if key.descending { "DESC" } else { "ASC" };
    sortable.then(|| format!("{} {direction}", property.name))
}
