//! The untimed questions behind a step's digest.

use std::collections::BTreeSet;

use crate::plan::schema::{FieldKind, ModelId, Ownership, Schema};
use crate::plan::{Column, OrderKey, Path, Query, Request, Select};

use super::columns;

/// The whole state of each of these models.
pub fn states(schema: &Schema, models: &BTreeSet<ModelId>) -> Vec<Request> {
    models
        .iter()
        .map(|&model| {
            Request::Read(Query {
                model,
                select: Select::All,
                order: Vec::new(),
                limit: None,
                offset: 0,
                columns: columns::state(schema, model),
            })
        })
        .collect()
}

/// A read's own question with every value spelled out, sort keys among them.
pub fn read(timed: &Query, spelled_out: Vec<Column>) -> Request {
    let mut columns = spelled_out;
    for OrderKey { path, .. } in &timed.order {
        let column = Column::Path(path.clone());
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    Request::Read(Query {
        columns,
        ..timed.clone()
    })
}

/// The groups of `count … per`. A link's stored reference is spelled by every
/// engine in its own way: there, what names the target of each record.
pub fn groups(schema: &Schema, model: ModelId, select: &Select, per: &Path) -> Request {
    let named = columns::named(schema, model, per);
    match named.as_slice() {
        [Column::Path(path)] if path == per => Request::CountPer {
            model,
            select: select.clone(),
            per: per.clone(),
        },
        _ => Request::Read(Query {
            model,
            select: select.clone(),
            order: Vec::new(),
            limit: None,
            offset: 0,
            columns: named,
        }),
    }
}

/// Models that storing records of `model` can change: itself and what it owns
/// or shares, to any depth.
pub fn made_by(schema: &Schema, model: ModelId) -> BTreeSet<ModelId> {
    follow(schema, model, &|kind| {
        matches!(
            kind,
            FieldKind::ToOne {
                ownership: Ownership::Owned { .. } | Ownership::Shared { .. },
                inverse_of: None,
                ..
            } | FieldKind::ToMany {
                ownership: Ownership::Owned { .. } | Ownership::Shared { .. },
                ..
            }
        )
    })
}

/// Models that deleting records of `model` can change: those that it cascades
/// to, and every model with a link to one of these.
pub fn deleted_with(schema: &Schema, model: ModelId) -> BTreeSet<ModelId> {
    let gone = follow(schema, model, &|kind| {
        matches!(
            kind,
            FieldKind::ToOne { cascade: true, .. } | FieldKind::ToMany { cascade: true, .. }
        )
    });
    let linking = (0..schema.models.len()).filter(|&other| {
        schema.models[other].fields.iter().any(|field| {
            field
                .kind
                .target()
                .is_some_and(|target| gone.contains(&target))
        })
    });
    let mut touched: BTreeSet<ModelId> = linking.collect();
    touched.extend(&gone);
    touched
}

fn follow(
    schema: &Schema,
    model: ModelId,
    along: &dyn Fn(&FieldKind) -> bool,
) -> BTreeSet<ModelId> {
    let mut reached = BTreeSet::new();
    let mut ahead = vec![model];
    while let Some(at) = ahead.pop() {
        if reached.insert(at) {
            let fields = &schema.models[at].fields;
            let next = fields.iter().filter(|field| along(&field.kind));
            ahead.extend(next.filter_map(|field| field.kind.target()));
        }
    }
    reached
}
