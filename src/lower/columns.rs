//! What a read delivers, and what its verifying pass delivers.

use crate::check::model::Touch;
use crate::plan::schema::{FieldId, FieldKind, ModelId, Ownership, Schema};
use crate::plan::{Column, Path};

/// Columns of the timed read.
///
/// All: what is stored in the record itself, a to-one link as its stored
/// reference; back-links belong to the owner and to-many links are read only
/// when named.
pub fn timed(schema: &Schema, model: ModelId, touch: &Touch) -> Vec<Column> {
    match touch {
        Touch::All => own_fields(schema, model)
            .map(|field| Column::Path(Path::field(schema, model, field)))
            .collect(),
        Touch::Keys => match schema.models[model].key {
            Some(key) => vec![Column::Path(Path::field(schema, model, key))],
            None => vec![Column::Identity],
        },
        Touch::Nothing => Vec::new(),
        Touch::Paths(paths) => paths.iter().cloned().map(Column::Path).collect(),
    }
}

/// Columns of a read whose results go to a hook: no references, which every
/// engine spells in its own way.
pub fn for_hook(schema: &Schema, model: ModelId, touch: &Touch) -> Vec<Column> {
    let mut columns = timed(schema, model, touch);
    columns.retain(|column| match column {
        Column::Identity => false,
        Column::Path(path) => !ends_at_link(schema, model, path),
    });
    columns
}

/// Columns of the verifying pass of a read: links spelled out.
pub fn verifying(schema: &Schema, model: ModelId, touch: &Touch) -> Vec<Column> {
    let mut paths = Vec::new();
    match touch {
        Touch::All => {
            for field in own_fields(schema, model) {
                spell_out(schema, model, Path::field(schema, model, field), &mut paths);
            }
        }
        Touch::Keys | Touch::Nothing => name_of(schema, model, None, &mut paths),
        Touch::Paths(touched) => {
            for path in touched {
                spell_out(schema, model, path.clone(), &mut paths);
            }
        }
    }
    paths.into_iter().map(Column::Path).collect()
}

/// Columns that spell out the whole state of a model: own fields, to-one links
/// as their target's name, links to many as lists of names. Owned children
/// with a back-link are left to their own model's state.
pub fn state(schema: &Schema, model: ModelId) -> Vec<Column> {
    let mut paths = Vec::new();
    for (field, declared) in schema.models[model].fields.iter().enumerate() {
        let own = matches!(
            declared.kind,
            FieldKind::ToMany {
                ownership: Ownership::Owned { .. },
                inverse: Some(_),
                ..
            }
        );
        if !own {
            spell_out(schema, model, Path::field(schema, model, field), &mut paths);
        }
    }
    paths.into_iter().map(Column::Path).collect()
}

/// The path itself, or what names its target where it ends at a link.
pub fn named(schema: &Schema, model: ModelId, path: &Path) -> Vec<Column> {
    let mut paths = Vec::new();
    spell_out(schema, model, path.clone(), &mut paths);
    paths.into_iter().map(Column::Path).collect()
}

fn own_fields(schema: &Schema, model: ModelId) -> impl Iterator<Item = FieldId> + '_ {
    let fields = schema.models[model].fields.iter().enumerate();
    fields.filter_map(|(field, declared)| match declared.kind {
        FieldKind::Scalar(_)
        | FieldKind::List(_)
        | FieldKind::ToOne {
            inverse_of: None, ..
        } => Some(field),
        FieldKind::ToOne { .. } | FieldKind::ToMany { .. } => None,
    })
}

fn ends_at_link(schema: &Schema, model: ModelId, path: &Path) -> bool {
    path.kind(schema, model)
        .is_some_and(|kind| kind.target().is_some())
}

/// The path itself, or what names its target where it ends at a link.
fn spell_out(schema: &Schema, model: ModelId, path: Path, into: &mut Vec<Path>) {
    let target = path.kind(schema, model).and_then(FieldKind::target);
    match target {
        Some(target) => name_of(schema, target, Some(&path), into),
        None => {
            if !into.contains(&path) {
                into.push(path);
            }
        }
    }
}

/// What names a record of `model`: its key, or all its scalars where it has
/// none. `before` is the path that leads to it.
fn name_of(schema: &Schema, model: ModelId, before: Option<&Path>, into: &mut Vec<Path>) {
    let fields = &schema.models[model].fields;
    let names = (0..fields.len()).filter(|&field| match schema.models[model].key {
        Some(key) => field == key,
        None => matches!(fields[field].kind, FieldKind::Scalar(_)),
    });
    for field in names {
        let name = &fields[field].name;
        let path = match before {
            None => Path::field(schema, model, field),
            Some(before) => {
                let mut hops = before.hops.clone();
                hops.push(field);
                Path {
                    hops,
                    json: Vec::new(),
                    text: format!("{}.{name}", before.text),
                }
            }
        };
        if !into.contains(&path) {
            into.push(path);
        }
    }
}
