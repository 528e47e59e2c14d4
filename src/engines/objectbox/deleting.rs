//! Deletes, and what an app must see to itself: cascades, and links that may
//! not be lost. To-one links to what is gone become 0 and relations go by the
//! engine itself.

use std::collections::{BTreeMap, BTreeSet};

use super::api::{Txn, constraint};
use super::finder::{Finder, Ground};
use super::layout::{Layout, Place, Storage};
use super::selection::Selection;
use super::view::{Reader, Seen};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::plan::{Schema, Select};

/// A delete.
pub struct Deleting {
    finder: Finder,
    model: ModelId,
    along: Along,
}

/// Ids to be removed, by model.
type Gone = BTreeMap<ModelId, BTreeSet<u64>>;

/// What a delete in one model may take along or be refused for.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// Whether it cascades.
    pub cascades: bool,
    /// Whether links to what goes may be required somewhere.
    pub required: bool,
}

impl Along {
    /// Of a model: everything that its cascades can reach.
    pub fn of(schema: &Schema, layout: &Layout, model: ModelId) -> Along {
        let mut reached = BTreeSet::from([model]);
        let mut ahead = vec![model];
        while let Some(model) = ahead.pop() {
            for field in &schema.models[model].fields {
                if let Some(target) = cascading(&field.kind)
                    && reached.insert(target)
                {
                    ahead.push(target);
                }
            }
        }
        let fields = &schema.models[model].fields;
        Along {
            cascades: fields.iter().any(|f| cascading(&f.kind).is_some()),
            required: reached.iter().any(|model| {
                !required_links(schema, layout, *model).is_empty()
                    || !required_owners(schema, *model).is_empty()
            }),
        }
    }
}

fn cascading(kind: &FieldKind) -> Option<ModelId> {
    match kind {
        FieldKind::ToOne {
            target,
            cascade: true,
            ..
        }
        | FieldKind::ToMany {
            target,
            cascade: true,
            ..
        } => Some(*target),
        _ => None,
    }
}

/// Required to-one links that lead to a model: entity, property, field.
fn required_links(
    schema: &Schema,
    layout: &Layout,
    model: ModelId,
) -> Vec<(ModelId, usize, FieldId)> {
    let mut links = Vec::new();
    for (from, declared) in schema.models.iter().enumerate() {
        for (field, f) in declared.fields.iter().enumerate() {
            let forward = matches!(
                f.kind,
                FieldKind::ToOne { target, inverse_of: None, .. } if target == model
            );
            if let (true, false, Place::Property(at)) =
                (forward, f.optional, layout.entities[from].places[field])
            {
                links.push((from, at, field));
            }
        }
    }
    links
}

/// Fields of a model whose objects have a required back-link.
fn required_owners(schema: &Schema, owner: ModelId) -> Vec<FieldId> {
    let fields = schema.models[owner].fields.iter().enumerate();
    fields
        .filter(|(field, declared)| {
            let Some(target) = declared.kind.target() else {
                return false;
            };
            schema.models[target].fields.iter().any(|back| {
                !back.optional
                    && matches!(back.kind, FieldKind::ToOne { target, inverse_of: Some(of), .. }
                        if target == owner && of == *field)
            })
        })
        .map(|(field, _)| field)
        .collect()
}

impl Deleting {
    /// Prepares it.
    pub fn new(
        ground: &Ground<'_>,
        model: ModelId,
        select: &Select,
    ) -> Result<Deleting, EngineError> {
        let selection = Selection::of(ground.setup, model, select, &[]);
        Ok(Deleting {
            finder: Finder::new(ground, selection)?,
            model,
            along: Along::of(&ground.setup.schema, &ground.setup.layout, model),
        })
    }

    /// Deletes the records. Everything that could refuse it is looked at
    /// before anything is removed.
    pub fn run(
        &self,
        ground: &Ground<'_>,
        txn: &mut Txn,
        arguments: &[Value],
    ) -> Result<u64, EngineError> {
        let finder = self.finder.with(ground, arguments)?;
        if !self.along.cascades && !self.along.required {
            if let Some(query) = finder.exact_query() {
                return txn.remove_found(query);
            }
            if finder.is_everything() {
                return txn.remove_all(self.model);
            }
        }
        let ids = finder.ids(ground, txn, arguments)?;
        let mut gone = Gone::new();
        if self.along.cascades || self.along.required {
            gone = cascade(&ground.reader(txn), self.model, &ids)?;
            if self.along.required {
                check(&ground.reader(txn), &gone)?;
            }
        } else {
            gone.insert(self.model, ids.iter().copied().collect());
        }
        for (model, ids) in &gone {
            for id in ids {
                txn.remove(*model, *id)?;
            }
        }
        Ok(ids.len() as u64)
    }
}

/// These objects and all that their cascading links lead to, to any depth.
fn cascade(reader: &Reader<'_>, model: ModelId, ids: &[u64]) -> Result<Gone, EngineError> {
    let mut gone = Gone::new();
    let mut ahead: Vec<(ModelId, u64)> = ids.iter().map(|id| (model, *id)).collect();
    while let Some((model, id)) = ahead.pop() {
        let Some(seen) = reader.get(model, id)? else {
            continue;
        };
        if !gone.entry(model).or_default().insert(id) {
            continue;
        }
        for (field, declared) in reader.schema.models[model].fields.iter().enumerate() {
            if cascading(&declared.kind).is_some() {
                ahead.extend(behind(&seen, field)?);
            }
        }
    }
    Ok(gone)
}

/// All objects that a link leads to.
fn behind(seen: &Seen<'_>, field: FieldId) -> Result<Vec<(ModelId, u64)>, EngineError> {
    let declared = &seen.reader.schema.models[seen.model].fields[field];
    Ok(match declared.kind {
        FieldKind::ToMany { .. } => {
            let (target, ids) = seen.many(field)?;
            ids.into_iter().map(|id| (target, id)).collect()
        }
        _ => seen.one(field)?.into_iter().collect(),
    })
}

/// Refuses what would leave a required link or back-link empty.
fn check(reader: &Reader<'_>, gone: &Gone) -> Result<(), EngineError> {
    let Reader {
        txn,
        layout,
        schema,
    } = *reader;
    let stays = |model: ModelId, id: u64| !gone.get(&model).is_some_and(|ids| ids.contains(&id));
    for (model, ids) in gone {
        for (from, at, field) in required_links(schema, layout, *model) {
            let property = &layout.entities[from].properties[at];
            debug_assert!(matches!(property.storage, Storage::ToOne(_)));
            for id in ids {
                let pointing = txn.pointing(from, property.id, *id)?;
                if pointing.iter().any(|other| stays(from, *other)) {
                    let declared = &schema.models[from];
                    let name = &declared.fields[field].name;
                    return Err(constraint(format!(
                        "{}: {name} may not be null",
                        declared.name
                    )));
                }
            }
        }
        for field in required_owners(schema, *model) {
            for id in ids {
                let Some(seen) = reader.get(*model, *id)? else {
                    continue;
                };
                for (target, other) in behind(&seen, field)? {
                    if stays(target, other) {
                        let name = &schema.models[target].name;
                        return Err(constraint(format!(
                            "{name}: object {other} needs its owner"
                        )));
                    }
                }
            }
        }
    }
    Ok(())
}
