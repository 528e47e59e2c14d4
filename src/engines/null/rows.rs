//! Rows built beforehand, of the types that a query asks for.

use crate::base::Value;
use crate::plan::schema::{FieldKind, ModelId, Scalar, Schema};
use crate::plan::{Column, Path, Query};

/// Rows in a buffer: enough that no branch of a sink is always the same, few
/// enough to stay in the nearest cache.
pub const BUFFERED: u64 = 64;

/// The buffer for a query's columns.
pub fn built(schema: &Schema, query: &Query) -> Vec<Vec<Value>> {
    (0..BUFFERED)
        .map(|row| {
            let columns = query.columns.iter();
            columns
                .map(|column| match column {
                    Column::Identity => Value::Int(row as i64),
                    Column::Path(path) => value_of(schema, query.model, path, row),
                })
                .collect()
        })
        .collect()
}

/// The buffer for groups: a value and a count.
pub fn groups(schema: &Schema, model: ModelId, per: &Path) -> Vec<Vec<Value>> {
    (0..BUFFERED)
        .map(|row| vec![value_of(schema, model, per, row), Value::Int(1)])
        .collect()
}

fn value_of(schema: &Schema, model: ModelId, path: &Path, row: u64) -> Value {
    let mut at = model;
    let mut many = false;
    let mut last = None;
    for hop in &path.hops {
        let field = schema.models.get(at).and_then(|m| m.fields.get(*hop));
        let kind = field.map(|field| &field.kind);
        many |= matches!(kind, Some(FieldKind::ToMany { .. }));
        at = kind.and_then(FieldKind::target).unwrap_or(at);
        last = kind;
    }
    let value = match last {
        Some(FieldKind::Scalar(_)) if !path.json.is_empty() => Value::Float(row as f64),
        Some(FieldKind::Scalar(scalar)) => scalar_value(scalar, row),
        Some(FieldKind::List(scalar)) => three(|at| scalar_value(scalar, row + at)),
        _ => Value::Int(row as i64),
    };
    if many {
        three(|_| value.clone())
    } else {
        value
    }
}

fn three(value: impl Fn(u64) -> Value) -> Value {
    Value::List((0..3).map(value).collect())
}

fn scalar_value(scalar: &Scalar, row: u64) -> Value {
    match scalar {
        Scalar::Bool => Value::Bool(row.is_multiple_of(2)),
        Scalar::Int => Value::Int(row as i64),
        Scalar::Float => Value::Float(row as f64),
        Scalar::Text => Value::Text(format!("text of row {row}")),
        Scalar::Uuid => Value::Uuid([row as u8; 16]),
        Scalar::Timestamp => Value::Timestamp(row as i64),
        Scalar::Blob => Value::Blob(vec![row as u8; 16]),
        Scalar::Json => Value::Json(format!("{{\"row\":{row}}}")),
        Scalar::Enum(cases) => {
            let case = cases.get(row as usize % cases.len().max(1));
            Value::Text(case.cloned().unwrap_or_default())
        }
    }
}
