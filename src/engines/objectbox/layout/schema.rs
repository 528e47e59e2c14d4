//! From a schema to its layout.

use super::entity::{Entity, Place, Relation, Supply};
use super::property::{Element, Property, Storage};
use super::{Layout, TextIndex};
use crate::engines::objectbox::ffi::types::flag;
use crate::plan::schema::{FieldId, FieldKind, Model, ModelId, Ownership, Scalar, Schema};

/// Lays a schema out.
pub fn lay_out(schema: &Schema, text_index: TextIndex) -> Layout {
    let mut layout = Layout {
        entities: Vec::with_capacity(schema.models.len()),
        relations: Vec::new(),
    };
    for (id, model) in schema.models.iter().enumerate() {
        let entity = own_properties(model, id, text_index, &mut layout.relations);
        layout.entities.push(entity);
    }
    for (owner, model) in schema.models.iter().enumerate() {
        for (field, declared) in model.fields.iter().enumerate() {
            if let FieldKind::ToMany {
                target,
                ownership: Ownership::Owned { .. },
                ..
            } = declared.kind
            {
                own_children(schema, &mut layout, owner, field, target);
            }
        }
    }
    for (id, model) in schema.models.iter().enumerate() {
        for (field, declared) in model.fields.iter().enumerate() {
            if let FieldKind::ToOne {
                target,
                inverse_of: Some(of),
                ..
            } = declared.kind
            {
                layout.entities[id].places[field] = match layout.entities[target].places[of] {
                    Place::Children { property, .. } => Place::Property(property),
                    Place::Relation(relation) => Place::BackMany(relation),
                    Place::Property(property) => Place::BackOne {
                        entity: target,
                        property,
                    },
                    other => other,
                };
            }
        }
    }
    for (entity, model) in layout.entities.iter_mut().zip(&schema.models) {
        entity.uniques = uniques_above(model, entity);
    }
    layout
}

/// Scalars, lists, to-one links and to-many relations of one model. Places of
/// back-links and children are filled in later.
fn own_properties(
    model: &Model,
    id: ModelId,
    text_index: TextIndex,
    relations: &mut Vec<Relation>,
) -> Entity {
    let mut entity = Entity {
        name: model.name.clone(),
        properties: Vec::new(),
        places: Vec::with_capacity(model.fields.len()),
        sources: Vec::new(),
        key: model.key,
        uniques: Vec::new(),
    };
    let identity = Property {
        name: free_name(model, "id"),
        id: 1,
        storage: Storage::Id,
        flags: flag::ID | flag::ID_SELF_ASSIGNABLE,
        indexed: false,
        unique: false,
        optional: false,
    };
    add(&mut entity, identity, Supply::Id);
    for (field, declared) in model.fields.iter().enumerate() {
        let key = model.key == Some(field);
        let place = match &declared.kind {
            FieldKind::Scalar(Scalar::Int) if key => {
                entity.properties[0].name = declared.name.clone();
                Place::Id
            }
            FieldKind::Scalar(scalar) => {
                let asked = asked_index(model, field);
                let storage = scalar_storage(scalar, key || asked.is_some());
                let mut property = plain(&declared.name, storage, declared.optional);
                index(&mut property, key, asked, text_index);
                Place::Property(add(&mut entity, property, Supply::Field(field)))
            }
            FieldKind::List(scalar) => {
                let storage = Storage::Vector(element(scalar));
                let property = plain(&declared.name, storage, declared.optional);
                Place::Property(add(&mut entity, property, Supply::Field(field)))
            }
            FieldKind::ToOne {
                target,
                inverse_of: None,
                ..
            } => {
                let property = to_one(&declared.name, *target, declared.optional);
                Place::Property(add(&mut entity, property, Supply::Field(field)))
            }
            FieldKind::ToMany {
                target,
                ownership: Ownership::Shared { .. } | Ownership::Linked,
                ..
            } => {
                relations.push(Relation {
                    name: declared.name.clone(),
                    source: id,
                    target: *target,
                });
                Place::Relation(relations.len() - 1)
            }
            // Filled in when all entities have their own properties.
            FieldKind::ToOne { .. } | FieldKind::ToMany { .. } => Place::Id,
        };
        entity.places.push(place);
    }
    entity
}

/// Gives children a to-one property to their owner: the declared back-link,
/// or one that only the store has.
fn own_children(
    schema: &Schema,
    layout: &mut Layout,
    owner: ModelId,
    field: FieldId,
    target: ModelId,
) {
    let back = schema.models[target].fields.iter().find(|back| {
        matches!(back.kind, FieldKind::ToOne { target, inverse_of: Some(of), .. }
            if target == owner && of == field)
    });
    let (name, optional) = match back {
        Some(back) => (back.name.clone(), back.optional),
        None => {
            let model = &schema.models[owner];
            let name = format!("owner_{}_{}", model.name, model.fields[field].name);
            (free_name(&schema.models[target], &name), true)
        }
    };
    let property = to_one(&name, owner, optional);
    let property = add(
        &mut layout.entities[target],
        property,
        Supply::Owner(owner, field),
    );
    layout.entities[owner].places[field] = Place::Children {
        entity: target,
        property,
    };
}

fn add(entity: &mut Entity, mut property: Property, from: Supply) -> usize {
    property.id = entity.properties.len() as u32 + 1;
    entity.properties.push(property);
    entity.sources.push(from);
    entity.properties.len() - 1
}

fn plain(name: &str, storage: Storage, optional: bool) -> Property {
    Property {
        name: name.to_owned(),
        id: 0,
        storage,
        flags: 0,
        indexed: false,
        unique: false,
        optional,
    }
}

fn to_one(name: &str, target: ModelId, optional: bool) -> Property {
    Property {
        flags: flag::INDEXED | flag::SKIP_ZERO,
        indexed: true,
        ..plain(name, Storage::ToOne(target), optional)
    }
}

/// A name that no field of the model has.
fn free_name(model: &Model, name: &str) -> String {
    let mut name = name.to_owned();
    while model.field_named(&name).is_some() {
        name.push('_');
    }
    name
}

/// Whether the author asked for an index that begins with this field: there
/// are none over several properties, so its first column has one. `Some(true)`
/// if it is over this column alone and unique.
fn asked_index(model: &Model, field: FieldId) -> Option<bool> {
    let beginning = model
        .indexes
        .iter()
        .filter(|index| index.columns.first().is_some_and(|c| c.field == field));
    beginning
        .map(|index| index.unique && index.columns.len() == 1)
        .reduce(|a, b| a || b)
}

fn index(property: &mut Property, key: bool, asked: Option<bool>, text_index: TextIndex) {
    let Some(text) = property.storage.index() else {
        return;
    };
    if !key && asked.is_none() {
        return;
    }
    property.indexed = true;
    property.flags |= match (text, text_index) {
        (true, TextIndex::Hash) => flag::INDEX_HASH,
        (true, TextIndex::Hash64) => flag::INDEX_HASH64,
        (true, TextIndex::Value) | (false, _) => flag::INDEXED,
    };
    if key || asked == Some(true) {
        property.unique = true;
        property.flags |= flag::UNIQUE;
    }
}

/// Unique sets that have no unique index of the engine's own.
fn uniques_above(model: &Model, entity: &Entity) -> Vec<Vec<FieldId>> {
    let key = model.key.map(|key| vec![key]);
    let declared = model.indexes.iter().filter(|index| index.unique);
    let declared = declared.map(|index| index.columns.iter().map(|c| c.field).collect());
    key.into_iter()
        .chain(declared)
        .filter(|fields: &Vec<FieldId>| match fields.as_slice() {
            [one] => {
                let own = entity.places.get(*one) == Some(&Place::Id);
                !own && !entity.property(*one).is_some_and(|p| p.unique)
            }
            _ => true,
        })
        .collect()
}

fn scalar_storage(scalar: &Scalar, indexed: bool) -> Storage {
    match scalar {
        Scalar::Bool => Storage::Bool,
        Scalar::Int => Storage::Long,
        Scalar::Float => Storage::Double,
        Scalar::Text => Storage::Text,
        Scalar::Uuid if indexed => Storage::UuidText,
        Scalar::Uuid => Storage::UuidBytes,
        Scalar::Timestamp => Storage::Date,
        Scalar::Blob => Storage::Bytes,
        Scalar::Json => Storage::Json,
        Scalar::Enum(cases) => {
            let mut cases = cases.clone();
            cases.sort();
            cases.dedup();
            Storage::Enum(cases)
        }
    }
}

fn element(scalar: &Scalar) -> Element {
    match scalar {
        Scalar::Bool => Element::Bool,
        Scalar::Int => Element::Long,
        Scalar::Float => Element::Double,
        Scalar::Text | Scalar::Enum(_) => Element::Text,
        Scalar::Uuid => Element::Uuid,
        Scalar::Timestamp => Element::Date,
        Scalar::Blob => Element::Blob,
        Scalar::Json => Element::Json,
    }
}
