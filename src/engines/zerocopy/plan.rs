//! Which index a selection can use. Known from the schema alone, so that
//! `explain` says what `execute` does.

use super::catalog::Catalog;
use super::layout::{IndexLayout, IndexPart};
use crate::base::Value;
use crate::plan::schema::ModelId;
use crate::plan::{CompareOp, Expr, OrderKey, Path, Select};

/// One in so many records may be found by an index before a scan is cheaper.
pub const SCAN_BEYOND: u64 = 64;

/// An index with what is known of its first columns.
#[derive(Clone, Debug)]
pub struct Access<'q> {
    /// The index.
    pub index: &'q IndexLayout,
    /// Of its first columns, what they must equal.
    pub equal: Vec<&'q Expr>,
    /// Of the column after those, where it lies.
    pub range: Option<Range<'q>>,
    /// Whether nothing else is asked.
    pub covers: bool,
}

/// Where a column lies; either end may be open.
#[derive(Clone, Debug, Default)]
pub struct Range<'q> {
    /// Not below this, or above it where the flag is not set.
    pub low: Option<(&'q Expr, bool)>,
    /// Not above this, or below it where the flag is not set.
    pub high: Option<(&'q Expr, bool)>,
}

/// What a predicate asks of one field.
enum Asked<'q> {
    Equal(&'q Expr),
    Low(&'q Expr, bool),
    High(&'q Expr, bool),
    Within(&'q Expr, &'q Expr),
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(value) if !value.is_null()) || matches!(expr, Expr::Arg(_))
}

/// The field that a condition is about, and what it asks of it.
fn asked(expr: &Expr) -> Option<(usize, Asked<'_>)> {
    let own = |path: &Path| match path.hops[..] {
        [field] if path.json.is_empty() => Some(field),
        _ => None,
    };
    match expr {
        Expr::Compare {
            op,
            left,
            right,
            ignoring_case: false,
        } => {
            let (path, op, to) = match (&**left, &**right) {
                (Expr::Path(path), to) if is_constant(to) => (path, *op, to),
                (to, Expr::Path(path)) if is_constant(to) => {
                    (path, super::condition::turned(*op), to)
                }
                _ => return None,
            };
            let asked = match op {
                CompareOp::Equal => Asked::Equal(to),
                CompareOp::Less => Asked::High(to, false),
                CompareOp::LessOrEqual => Asked::High(to, true),
                CompareOp::Greater => Asked::Low(to, false),
                CompareOp::GreaterOrEqual => Asked::Low(to, true),
                CompareOp::NotEqual => return None,
            };
            Some((own(path)?, asked))
        }
        Expr::Between { value, low, high } if is_constant(low) && is_constant(high) => {
            match &**value {
                Expr::Path(path) => Some((own(path)?, Asked::Within(low, high))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The index that narrows a predicate most: by the most columns that must be
/// equal, then by a range.
pub fn access<'q>(catalog: &'q Catalog, model: ModelId, predicate: &'q Expr) -> Option<Access<'q>> {
    let parts: &[Expr] = match predicate {
        Expr::And(all) => all,
        one => std::slice::from_ref(one),
    };
    // What may fail must see all that it would see without an index: only what
    // stands before it may narrow.
    let asks: Vec<(usize, Asked<'q>)> = parts.iter().map_while(asked).collect();
    let best = catalog
        .indexes(model)
        .iter()
        .map(|index| {
            let equal: Vec<&Expr> = index
                .parts
                .iter()
                .map_while(|part| {
                    asks.iter().find_map(|(field, asked)| match asked {
                        Asked::Equal(to) if *field == part.field => Some(*to),
                        _ => None,
                    })
                })
                .collect();
            let range = index
                .parts
                .get(equal.len())
                .and_then(|part| range(&asks, part));
            let used = equal.len() + range.as_ref().map_or(0, |(_, used)| *used);
            let covers = used == parts.len();
            Access {
                index,
                equal,
                range: range.map(|(range, _)| range),
                covers,
            }
        })
        .max_by_key(|access| {
            (
                access.equal.len(),
                access.range.is_some(),
                access.index.unique,
            )
        })?;
    (!best.equal.is_empty() || best.range.is_some()).then_some(best)
}

/// The range that a column must lie in, and how many conditions say so.
fn range<'q>(asks: &[(usize, Asked<'q>)], part: &IndexPart) -> Option<(Range<'q>, usize)> {
    let mut range = Range::default();
    let mut used = 0;
    for (_, asked) in asks.iter().filter(|(field, _)| *field == part.field) {
        match asked {
            Asked::Low(to, included) if range.low.is_none() => {
                range.low = Some((*to, *included));
                used += 1;
            }
            Asked::High(to, included) if range.high.is_none() => {
                range.high = Some((*to, *included));
                used += 1;
            }
            Asked::Within(low, high) if range.low.is_none() && range.high.is_none() => {
                (range.low, range.high) = (Some((*low, true)), Some((*high, true)));
                used += 1;
            }
            _ => {}
        }
    }
    (used > 0).then_some((range, used))
}

/// Whether the columns after the first `fixed` of an index are in this order;
/// `Some(true)` if they are when it is read backwards.
pub fn ordered(index: &IndexLayout, fixed: usize, order: &[OrderKey]) -> Option<bool> {
    let parts = index.parts.get(fixed..fixed + order.len())?;
    let mut backwards = None;
    for (part, key) in parts.iter().zip(order) {
        if key.path.hops != [part.field] || !key.path.json.is_empty() {
            return None;
        }
        let against = part.descending != key.descending;
        if *backwards.get_or_insert(against) != against {
            return None;
        }
    }
    backwards
}

/// The index whose columns begin with this field and end there, for point reads.
pub fn point(catalog: &Catalog, model: ModelId, field: usize) -> Option<&IndexLayout> {
    let indexes = catalog.indexes(model).iter();
    indexes
        .filter(|index| index.parts.first().is_some_and(|part| part.field == field))
        .min_by_key(|index| (!index.unique, index.parts.len()))
}

/// How a page in the order of an index is read, where the index alone decides
/// which records it has.
pub fn page<'q>(
    catalog: &'q Catalog,
    model: ModelId,
    select: &'q Select,
    order: &[OrderKey],
) -> Option<(Access<'q>, bool)> {
    if order.is_empty() {
        return None;
    }
    match select {
        Select::All => catalog.indexes(model).iter().find_map(|index| {
            let backwards = ordered(index, 0, order)?;
            let access = Access {
                index,
                equal: Vec::new(),
                range: None,
                covers: true,
            };
            Some((access, backwards))
        }),
        Select::Where(predicate) => {
            let access = access(catalog, model, predicate)?;
            if !access.covers || access.range.is_some() {
                return None;
            }
            let backwards = ordered(access.index, access.equal.len(), order)?;
            Some((access, backwards))
        }
        Select::Point(_) | Select::Identity => None,
    }
}

/// A constant's value under these arguments.
pub fn constant<'v>(expr: &'v Expr, arguments: &'v [Value]) -> Option<&'v Value> {
    match expr {
        Expr::Literal(value) => Some(value),
        Expr::Arg(at) => arguments.get(*at),
        _ => None,
    }
}
