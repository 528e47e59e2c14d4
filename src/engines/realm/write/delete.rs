//! Deletes. Realm clears links to what goes and deletes embedded objects with
//! their owner; cascades between objects of their own, and refusing where a
//! required link would break, are an app's.

use std::collections::{BTreeMap, BTreeSet};

use crate::engines::EngineError;
use crate::engines::realm::api::Object;
use crate::engines::realm::error::refused;
use crate::engines::realm::layout::Holds;
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldId, FieldKind, ModelId, Schema};

/// Object keys to be deleted, by model.
type Gone = BTreeMap<ModelId, BTreeSet<i64>>;

/// What a delete of a model must look after.
#[derive(Clone, Debug, Default)]
pub struct Care {
    /// Whether anything goes along, or must be looked at first.
    pub needed: bool,
    /// In words, for people.
    pub words: Vec<String>,
}

impl Care {
    /// Of a model; embedded objects need none.
    pub fn of(
        store: &crate::engines::realm::layout::Layout,
        schema: &Schema,
        model: ModelId,
    ) -> Care {
        let mut care = Care::default();
        for field in &schema.models[model].fields {
            if let Some(target) = cascades(&field.kind)
                && !store.classes[target].embedded
            {
                care.needed = true;
                care.words.push(format!(
                    "{} go along: gathered first, deleted after",
                    schema.models[target].name
                ));
            }
        }
        let required = required_links(schema, model).count() + owners_kept(schema, model).count();
        if required > 0 {
            care.needed = true;
            care.words.push("required links are looked after".into());
        }
        care
    }
}

/// Deletes objects with all that they cascade to.
pub fn delete(store: &mut Store, model: ModelId, keys: &[i64]) -> Result<(), EngineError> {
    let gone = cascade(store, model, keys)?;
    for (model, keys) in &gone {
        check(store, *model, keys, &gone)?;
    }
    // Owners first: what they own is then in no list any more.
    let own = gone.get(&model).into_iter().map(|keys| (model, keys));
    let others = gone.iter().filter(|(other, _)| **other != model);
    let all = own.chain(others.map(|(model, keys)| (*model, keys)));
    for (model, keys) in all {
        for key in keys {
            if let Some(object) = store.object(model, *key)? {
                store.realm.delete(&object)?;
            }
        }
    }
    Ok(())
}

/// The target of a link that cascades.
fn cascades(kind: &FieldKind) -> Option<ModelId> {
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

fn cascade(store: &Store, model: ModelId, keys: &[i64]) -> Result<Gone, EngineError> {
    let mut gone = Gone::new();
    let mut ahead: Vec<(ModelId, i64)> = keys.iter().map(|key| (model, *key)).collect();
    while let Some((model, key)) = ahead.pop() {
        if !gone.entry(model).or_default().insert(key) {
            continue;
        }
        let fields = store.schema.models[model].fields.iter().enumerate();
        let mut object: Option<Object> = None;
        for (field, declared) in fields {
            let Some(target) = cascades(&declared.kind) else {
                continue;
            };
            if store.layout.classes[target].embedded {
                continue;
            }
            if object.is_none() {
                object = store.object(model, key)?;
            }
            if let Some(object) = &object {
                linked(store, model, object, field, |key| ahead.push((target, key)))?;
            }
        }
    }
    Ok(gone)
}

/// Shows the object keys behind a link.
fn linked(
    store: &Store,
    model: ModelId,
    object: &Object,
    field: FieldId,
    mut show: impl FnMut(i64),
) -> Result<(), EngineError> {
    let key = store.property(model, field)?;
    match store.layout.classes[model].properties[field].holds {
        Holds::One(_) => {
            if let Some(link) = store.realm.read_one(object, key)?.link() {
                show(link.object);
            }
        }
        Holds::Many(_) => {
            let list = store.realm.list(object, key)?;
            for at in 0..store.realm.length(&list)? {
                if let Some(link) = store.realm.element(&list, at)?.link() {
                    show(link.object);
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Required forward to-one links to a model.
fn required_links(schema: &Schema, to: ModelId) -> impl Iterator<Item = (ModelId, FieldId)> {
    let models = schema.models.iter().enumerate();
    let fields = models.flat_map(|(model, declared)| {
        let fields = declared.fields.iter().enumerate();
        fields.map(move |(field, declared)| (model, field, declared))
    });
    fields.filter_map(move |(model, field, declared)| {
        let forward = matches!(
            declared.kind,
            FieldKind::ToOne { target, inverse_of: None, .. } if target == to
        );
        (forward && !declared.optional).then_some((model, field))
    })
}

/// Fields of an owner whose targets have a required back-link to it, with the
/// target's model.
fn owners_kept(schema: &Schema, owner: ModelId) -> impl Iterator<Item = (FieldId, ModelId)> {
    let fields = schema.models[owner].fields.iter().enumerate();
    fields.filter_map(move |(field, declared)| {
        let target = declared.kind.target()?;
        let required = schema.models[target].fields.iter().any(|back| {
            !back.optional
                && matches!(
                    back.kind,
                    FieldKind::ToOne { target, inverse_of: Some(of), .. }
                        if target == owner && of == field
                )
        });
        required.then_some((field, target))
    })
}

/// Refuses where something that stays needs what goes.
fn check(
    store: &Store,
    model: ModelId,
    keys: &BTreeSet<i64>,
    gone: &Gone,
) -> Result<(), EngineError> {
    let stays = |model: ModelId, key: i64| !gone.get(&model).is_some_and(|g| g.contains(&key));
    let links: Vec<_> = required_links(&store.schema, model).collect();
    let owned: Vec<_> = owners_kept(&store.schema, model)
        .filter(|(_, target)| !store.layout.classes[*target].embedded)
        .collect();
    if links.is_empty() && owned.is_empty() {
        return Ok(());
    }
    let name = |model: ModelId| &store.schema.models[model].name;
    for key in keys {
        let Some(object) = store.object(model, *key)? else {
            continue;
        };
        for (from, field) in &links {
            let property = store.property(*from, *field)?;
            let linking = store
                .realm
                .backlinks(&object, store.class(*from), property)?;
            for at in 0..store.realm.size(&linking)? {
                if stays(*from, store.realm.object_at(&linking, at)?.key()) {
                    return Err(refused(format!(
                        "{}.{} may not be null",
                        name(*from),
                        store.schema.models[*from].fields[*field].name
                    )));
                }
            }
        }
        for (field, target) in &owned {
            let mut left = false;
            linked(store, model, &object, *field, |key| {
                left |= stays(*target, key)
            })?;
            if left {
                return Err(refused(format!("{} needs its owner", name(*target))));
            }
        }
    }
    Ok(())
}
