//! A layout as the library's model, and in words.

use super::Layout;
use super::entity::Entity;
use super::property::{Property, Storage};
use crate::engines::EngineError;
use crate::engines::objectbox::api::model::Model;
use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::flag;

/// The model to open a store with.
pub fn model(functions: &'static Functions, layout: &Layout) -> Result<Model, EngineError> {
    let mut model = Model::new(functions)?;
    for (id, entity) in layout.entities.iter().enumerate() {
        model.entity(&entity.name)?;
        for property in &entity.properties {
            let kind = property.storage.kind();
            match property.storage {
                Storage::ToOne(target) => {
                    let target = &layout.entities[target].name;
                    model.add_to_one(&property.name, kind, property.flags, target)?;
                }
                _ => model.property(&property.name, kind, property.flags, property.indexed)?,
            }
        }
        for relation in layout.relations.iter().filter(|r| r.source == id) {
            model.add_to_many(&relation.name, relation.target as u32 + 1)?;
        }
    }
    Ok(model)
}

/// The indexes that a store of this layout has.
pub fn indexes(layout: &Layout) -> Vec<String> {
    let mut all = Vec::new();
    for (id, entity) in layout.entities.iter().enumerate() {
        let indexed = entity.properties.iter().filter(|p| p.indexed);
        all.extend(indexed.map(|property| described(entity, property)));
        all.extend(
            layout
                .relations
                .iter()
                .filter(|relation| relation.source == id)
                .map(|r| format!("{}.{}: relation, both ways", entity.name, r.name)),
        );
    }
    all
}

/// An index in words.
pub fn described(entity: &Entity, property: &Property) -> String {
    let sort = if matches!(property.storage, Storage::ToOne(_)) {
        "to-one relation index"
    } else if property.flags & flag::INDEX_HASH != 0 {
        "hash index (32 bits)"
    } else if property.flags & flag::INDEX_HASH64 != 0 {
        "hash index (64 bits)"
    } else {
        "value index"
    };
    let unique = if property.unique { ", unique" } else { "" };
    format!("{}.{}: {sort}{unique}", entity.name, property.name)
}
