//! `sum avg min max`: Realm's own over a property, or above it.

use super::found::{Asking, Found, Hits};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::Results;
use crate::engines::realm::layout::{Holds, Layout};
use crate::engines::realm::store::Store;
use crate::plan::schema::FieldId;
use crate::plan::{Aggregate, Expr, Scalar};
use crate::workload::Aggregator;
use crate::workload::eval::{Scope, evaluate};

/// The own property that Realm can aggregate.
pub fn natively(layout: &Layout, model: usize, function: Aggregate, of: &Expr) -> Option<FieldId> {
    let Expr::Path(path) = of else { return None };
    let [field] = path.hops.as_slice() else {
        return None;
    };
    let Holds::Scalar(scalar) = &layout.property(model, *field)?.holds else {
        return None;
    };
    let moments = matches!(function, Aggregate::Min | Aggregate::Max);
    let fits = match scalar {
        Scalar::Int | Scalar::Float => true,
        Scalar::Timestamp => moments,
        _ => false,
    };
    fits.then_some(*field)
}

/// Aggregates a property of all results; `None` where a sum may have left 64 bits.
pub fn by_realm(
    store: &Store,
    results: &Results,
    function: Aggregate,
    model: usize,
    field: FieldId,
) -> Result<Option<Value>, EngineError> {
    let property = store.property(model, field)?;
    let Holds::Scalar(scalar) = &store.layout.classes[model].properties[field].holds else {
        return Ok(None);
    };
    let ask = |function| {
        let cell = store.realm.aggregate(results, function, property)?;
        cell.map_or(Ok(Value::Null), |cell| cell.to_value(scalar))
    };
    let value = ask(function)?;
    if function != Aggregate::Sum {
        return Ok(Some(value));
    }
    Ok(match value {
        Value::Int(sum) => {
            let average = ask(Aggregate::Average)?;
            stayed(&average, store.realm.size(results)?).then_some(Value::Int(sum))
        }
        // A sum of nothing is the int 0.
        Value::Float(0.0) if ask(Aggregate::Average)?.is_null() => Some(Value::Int(0)),
        Value::Null => Some(Value::Int(0)),
        other => Some(other),
    })
}

/// Whether a sum of ints stayed inside 64 bits. Realm's own wraps around and
/// says nothing; its average adds floats (`aggregate_ops.hpp`).
fn stayed(average: &Value, count: usize) -> bool {
    // A little below 2^63, for the rounding of the average.
    const SAFE: f64 = 9.0e18;
    match average {
        Value::Float(average) => average.abs() * (count as f64) < SAFE,
        _ => true,
    }
}

/// Aggregates above Realm; returns the number of records too.
pub fn above(
    store: &Store,
    found: Found<'_>,
    asking: Asking<'_>,
    (function, of): (Aggregate, &Expr),
    (offset, limit): (u64, Option<u64>),
) -> Result<(Value, u64), EngineError> {
    let mut aggregator = Aggregator::new(function);
    let mut count = 0;
    if limit != Some(0) {
        found.each(store, asking, offset, |seen| {
            let scope = Scope::new(&seen, asking.arguments, asking.hooks);
            aggregator.add(&*evaluate(&scope, of)?)?;
            count += 1;
            Ok(limit.is_none_or(|limit| count < limit))
        })?;
    }
    Ok((aggregator.finish()?, count))
}

/// Whether what was found are plain results, that Realm can aggregate.
pub fn plain<'f>(found: &'f Found<'_>) -> Option<&'f Results> {
    match (&found.hits, &found.above) {
        (Hits::Many(results), None) => Some(results),
        _ => None,
    }
}
