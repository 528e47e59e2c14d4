//! Unique sets of fields that have no unique index of the engine's own: looked
//! up before each put, as an app would.

use super::api::{Txn, constraint};
use super::finder::{Finder, Ground};
use super::layout::{Entity, Place};
use super::record::Row;
use super::selection::Selection;
use super::view::Seen;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{CompareOp, Expr, Path, Select};

/// Places of all properties in unique sets that these fields are in.
pub fn touched(entity: &Entity, fields: impl Iterator<Item = FieldId>) -> Vec<usize> {
    let mut touched = Vec::new();
    for field in fields {
        if let Some(Place::Property(at)) = entity.places.get(field)
            && entity.properties[*at].unique
        {
            touched.push(*at);
        }
        for set in entity.uniques.iter().filter(|set| set.contains(&field)) {
            touched.extend(set.iter().filter_map(|field| match entity.places[*field] {
                Place::Property(at) => Some(at),
                _ => None,
            }));
        }
    }
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// Refuses an object that agrees with another one where none may.
pub fn check(
    ground: &Ground<'_>,
    txn: &Txn,
    model: ModelId,
    id: u64,
    object: &[u8],
) -> Result<(), EngineError> {
    let entity = &ground.setup.layout.entities[model];
    if entity.uniques.is_empty() {
        return Ok(());
    }
    let seen = Seen {
        reader: ground.reader(txn),
        model,
        row: Row::new(object)?,
    };
    for set in &entity.uniques {
        if taken(ground, txn, &seen, id, set)? {
            let declared = &ground.setup.schema.models[model];
            let names = set
                .iter()
                .map(|field| declared.fields[*field].name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(constraint(format!("{} ({names}) is taken", declared.name)));
        }
    }
    Ok(())
}

fn taken(
    ground: &Ground<'_>,
    txn: &Txn,
    seen: &Seen<'_>,
    id: u64,
    set: &[FieldId],
) -> Result<bool, EngineError> {
    let schema = &ground.setup.schema;
    let mut all = Vec::with_capacity(set.len());
    for field in set {
        let value = seen.follow(&[*field], &[])?;
        if value.is_null() {
            return Ok(false);
        }
        all.push(Expr::Compare {
            op: CompareOp::Equal,
            left: Box::new(Expr::Path(Path::field(schema, seen.model, *field))),
            right: Box::new(Expr::Literal(value)),
            ignoring_case: false,
        });
    }
    let select = Select::Where(Expr::And(all));
    let selection = Selection::of(ground.setup, seen.model, &select, &[]);
    let finder = Finder::new(ground, selection)?;
    let others = finder.ids(ground, txn, &[] as &[Value])?;
    Ok(others.iter().any(|other| *other != id))
}
