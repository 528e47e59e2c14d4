//! Building requests for tests.

use persist_lab::base::Value;
use persist_lab::engines::{EngineError, Session};
use persist_lab::plan::expr::CompareOp;
use persist_lab::plan::schema::{FieldId, ModelId};
use persist_lab::plan::{
    Aggregate, Column, Expr, OrderKey, Path, Quantifier, Query, Request, Select, TextOp, UpdateBy,
};
use persist_lab::workload::{CollectSink, NoSink};

use super::path;

pub fn at(hops: &[FieldId]) -> Expr {
    Expr::Path(here(hops))
}

/// A path without words: only people need them.
pub fn here(hops: &[FieldId]) -> Path {
    path(hops, "path")
}

pub fn json_at(field: FieldId, keys: &[&str]) -> Expr {
    Expr::Path(Path {
        json: keys.iter().map(|key| key.to_string()).collect(),
        ..here(&[field])
    })
}

pub fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
    compare_case(op, left, right, false)
}

pub fn compare_case(op: CompareOp, left: Expr, right: Expr, ignoring_case: bool) -> Expr {
    Expr::Compare {
        op,
        left: Box::new(left),
        right: Box::new(right),
        ignoring_case,
    }
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    compare(CompareOp::Equal, left, right)
}

pub fn not(inner: Expr) -> Expr {
    Expr::Not(Box::new(inner))
}

pub fn is_null(inner: Expr) -> Expr {
    Expr::IsNull(Box::new(inner))
}

pub fn matching(op: TextOp, value: Expr, pattern: Expr, ignoring_case: bool) -> Expr {
    Expr::TextMatch {
        op,
        value: Box::new(value),
        pattern: Box::new(pattern),
        ignoring_case,
    }
}

pub fn within(value: Expr, low: Expr, high: Expr) -> Expr {
    Expr::Between {
        value: Box::new(value),
        low: Box::new(low),
        high: Box::new(high),
    }
}

pub fn quantified(quantifier: Quantifier, over: &[FieldId], predicate: Expr) -> Expr {
    Expr::Quantified {
        quantifier,
        over: here(over),
        predicate: Box::new(predicate),
    }
}

pub fn count_of(over: &[FieldId], predicate: Option<Expr>) -> Expr {
    Expr::CountOf {
        over: here(over),
        predicate: predicate.map(Box::new),
    }
}

pub fn columns(paths: &[&[FieldId]]) -> Vec<Column> {
    paths.iter().map(|hops| Column::Path(here(hops))).collect()
}

pub fn order(hops: &[FieldId], descending: bool) -> OrderKey {
    OrderKey {
        path: here(hops),
        descending,
    }
}

pub fn query(model: ModelId, select: Select, columns: Vec<Column>) -> Query {
    Query {
        model,
        select,
        order: Vec::new(),
        limit: None,
        offset: 0,
        columns,
    }
}

pub fn aggregate(query: Query, function: Aggregate, of: Expr) -> Request {
    Request::Aggregate {
        query,
        function,
        of,
    }
}

pub fn update(model: ModelId, select: Select, set: Vec<(FieldId, Expr)>) -> Request {
    Request::Update {
        model,
        select,
        set,
        by: UpdateBy::Idiom,
    }
}

pub fn delete(model: ModelId, select: Select) -> Request {
    Request::Delete { model, select }
}

/// Prepares, executes and releases; the count and what was delivered.
pub fn ask(
    session: &mut dyn Session,
    request: &Request,
    arguments: &[Value],
) -> Result<(u64, Vec<Vec<Value>>), EngineError> {
    let prepared = session.prepare(request)?;
    let mut sink = CollectSink::default();
    let count = session.execute(prepared, arguments, &mut sink);
    session.release(prepared);
    Ok((count?, sink.rows))
}

/// As [`ask`], for changes: the count.
pub fn change(
    session: &mut dyn Session,
    request: &Request,
    arguments: &[Value],
) -> Result<u64, EngineError> {
    let prepared = session.prepare(request)?;
    let count = session.execute(prepared, arguments, &mut NoSink);
    session.release(prepared);
    count
}
