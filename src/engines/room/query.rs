//! What a DAO's query selects: whole entities, with what else is asked for.

use crate::plan::schema::{FieldKind, ModelId, Schema};
use crate::plan::{Column, Path, Query};

/// The query with the columns of its entities in front, those of the record
/// itself and of every record behind a to-many link that is asked for; and how
/// many they are.
pub fn with_entities(schema: &Schema, query: &Query) -> (Query, usize) {
    let mut columns = vec![Column::Identity];
    columns.extend(own(schema, query.model, &[]).map(Column::Path));
    let mut seen: Vec<&[usize]> = Vec::new();
    for column in &query.columns {
        let Column::Path(path) = column else {
            continue;
        };
        let Some((many, target)) = to_many(schema, query.model, path) else {
            continue;
        };
        if seen.contains(&many) {
            continue;
        }
        seen.push(many);
        // A path that ends at the link is the identity of what is behind it.
        columns.push(Column::Path(Path {
            hops: many.to_vec(),
            json: Vec::new(),
            text: path.text.clone(),
        }));
        columns.extend(own(schema, target, many).map(Column::Path));
    }
    let added = columns.len();
    columns.extend(query.columns.iter().cloned());
    let query = Query {
        columns,
        ..query.clone()
    };
    (query, added)
}

/// Paths to all columns of an entity: its scalars and its to-one links.
fn own<'s>(
    schema: &'s Schema,
    model: ModelId,
    way: &'s [usize],
) -> impl Iterator<Item = Path> + use<'s> {
    let fields = schema.models[model].fields.iter().enumerate();
    fields.filter_map(move |(at, field)| {
        let stored = match &field.kind {
            FieldKind::Scalar(_) => true,
            FieldKind::ToOne {
                target, inverse_of, ..
            } => inverse_of.is_none_or(|of| is_children(schema, *target, of)),
            _ => false,
        };
        stored.then(|| Path {
            hops: way.iter().copied().chain([at]).collect(),
            json: Vec::new(),
            text: field.name.clone(),
        })
    })
}

/// Whether the field owns children, which then hold its record's identity.
fn is_children(schema: &Schema, model: ModelId, field: usize) -> bool {
    use crate::plan::Ownership;
    matches!(
        schema.models[model].fields[field].kind,
        FieldKind::ToMany {
            ownership: Ownership::Owned { .. },
            ..
        }
    )
}

/// The way up to and with the to-many link of a path, and where it leads.
fn to_many<'p>(schema: &Schema, model: ModelId, path: &'p Path) -> Option<(&'p [usize], ModelId)> {
    let mut model = model;
    for (at, hop) in path.hops.iter().enumerate() {
        match &schema.models[model].fields.get(*hop)?.kind {
            FieldKind::ToMany { target, .. } => return Some((&path.hops[..=at], *target)),
            FieldKind::ToOne { target, .. } => model = *target,
            _ => return None,
        }
    }
    None
}
