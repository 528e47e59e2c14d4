//! Storing new records, their children after them.

use super::api::{PutMode, Txn, constraint, misuse};
use super::finder::Ground;
use super::keys;
use super::layout::{Entity, Place, Property, Supply};
use super::record::{Cell, Encoder};
use super::undo::Undo;
use super::uniques;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::{Content, Record, Target};

/// One statement that stores records.
pub struct Inserting<'a> {
    /// Store, schema, layout.
    pub ground: &'a Ground<'a>,
    /// Builds the objects.
    pub encoder: &'a mut Encoder,
    /// Takes them back.
    pub undo: Undo,
}

/// Who owns a record: a model, its field, the id of its object.
pub type Owner = (ModelId, FieldId, u64);

impl Inserting<'_> {
    /// Stores records, whole or not at all.
    pub fn run(
        mut self,
        txn: &mut Txn,
        model: ModelId,
        records: &[Record],
    ) -> Result<(), EngineError> {
        let mut cells = Vec::new();
        for record in records {
            if let Err(error) = self.insert(txn, model, record, None, &mut cells) {
                self.undo.run(txn)?;
                return Err(error);
            }
        }
        Ok(())
    }

    fn insert<'r>(
        &mut self,
        txn: &mut Txn,
        model: ModelId,
        record: &'r Record,
        owner: Option<Owner>,
        cells: &mut Vec<Cell<'r>>,
    ) -> Result<u64, EngineError> {
        let layout = &self.ground.setup.layout;
        let entity = layout
            .entities
            .get(model)
            .ok_or_else(|| misuse("there is no such model"))?;
        let id = id_of(self.ground, model, record)?;
        cells.clear();
        for (property, from) in entity.properties.iter().zip(&entity.sources) {
            cells.push(self.cell(property, *from, id, record, owner)?);
        }
        let object = self.encoder.encode(cells)?;
        if !entity.uniques.is_empty() {
            uniques::check(self.ground, txn, model, id, object)?;
        }
        txn.put(model, id, object, self.ground.setup.options.put_mode)?;
        self.undo.inserted(model, id);
        for (field, content) in record.fields.iter().enumerate() {
            match content {
                Content::Value(_) | Content::Link(_) | Content::Owner => {}
                Content::Links(links) => self.relate(txn, entity, model, field, id, links)?,
                Content::Children(children) => {
                    let target = child_model(entity, field)?;
                    let owner = (model, field, id);
                    let mut cells = Vec::with_capacity(8);
                    for child in children {
                        self.insert(txn, target, child, Some(owner), &mut cells)?;
                    }
                }
            }
        }
        Ok(id)
    }

    fn cell<'r>(
        &self,
        property: &Property,
        from: Supply,
        id: u64,
        record: &'r Record,
        owner: Option<Owner>,
    ) -> Result<Cell<'r>, EngineError> {
        match from {
            Supply::Id => Ok(Cell::Long(id as i64)),
            Supply::Owner(model, field) => Ok(Cell::Long(match owner {
                Some((m, f, id)) if (m, f) == (model, field) => id as i64,
                _ => 0,
            })),
            Supply::Field(field) => {
                let content = record.fields.get(field);
                let content = content.ok_or_else(|| constraint("a record of another shape"))?;
                own_cell(self.ground, property, content)
            }
        }
    }

    fn relate(
        &mut self,
        txn: &mut Txn,
        entity: &Entity,
        model: ModelId,
        field: FieldId,
        id: u64,
        links: &[Target],
    ) -> Result<(), EngineError> {
        let Some(Place::Relation(relation)) = entity.places.get(field) else {
            return Err(misuse("links in a field that has none"));
        };
        let target = self.ground.setup.layout.relations[*relation].target;
        for link in links {
            let to = id_of_target(self.ground, target, link)?;
            // Relations go with the object, should it be taken back.
            txn.relate(model, *relation as u32 + 1, id, to)?;
        }
        Ok(())
    }
}

/// Where the children of a field are stored.
fn child_model(entity: &Entity, field: FieldId) -> Result<ModelId, EngineError> {
    let target = match entity.places.get(field) {
        Some(Place::Children { entity, .. }) => Some(*entity),
        Some(Place::Property(at)) => entity.target(*at),
        _ => None,
    };
    target.ok_or_else(|| misuse("children in a field that has none"))
}

/// The value of a property from its field.
pub fn own_cell<'r>(
    ground: &Ground<'_>,
    property: &Property,
    content: &'r Content,
) -> Result<Cell<'r>, EngineError> {
    let target = match property.storage {
        super::layout::Storage::ToOne(target) => Some(target),
        _ => None,
    };
    let cell = match (content, target) {
        (Content::Value(value), None) => Cell::of(property, value)?,
        (Content::Link(None), Some(_)) => Cell::Long(0),
        (Content::Link(Some(link)), Some(target)) => {
            Cell::Long(id_of_target(ground, target, link)? as i64)
        }
        (Content::Children(children), Some(target)) => match children.first() {
            Some(child) => Cell::Long(id_of(ground, target, child)? as i64),
            None => Cell::Long(0),
        },
        _ => {
            return Err(constraint(format!(
                "{}: another kind of field",
                property.name
            )));
        }
    };
    let null = match cell {
        Cell::Absent => true,
        Cell::Long(0) => target.is_some(),
        _ => false,
    };
    if null && !property.optional {
        return Err(constraint(format!("{} may not be null", property.name)));
    }
    Ok(cell)
}

/// Id of a record: from its int key, or from its row.
pub fn id_of(ground: &Ground<'_>, model: ModelId, record: &Record) -> Result<u64, EngineError> {
    let entity = &ground.setup.layout.entities[model];
    let key = match entity.key {
        Some(key) if entity.key_is_id() => match record.fields.get(key) {
            Some(Content::Value(value)) => Some(value),
            _ => return Err(constraint(format!("{}: no key", entity.name))),
        },
        _ => None,
    };
    id(entity, record.row, key)
}

/// Id of the object that a link leads to. That it is there is not looked up:
/// neither does an app, nor does the engine.
pub fn id_of_target(
    ground: &Ground<'_>,
    model: ModelId,
    target: &Target,
) -> Result<u64, EngineError> {
    let entity = &ground.setup.layout.entities[model];
    let key = match (&target.key, entity.key_is_id()) {
        (Some(key), true) => Some(key),
        _ => None,
    };
    id(entity, target.row, key)
}

fn id(entity: &Entity, row: u64, key: Option<&Value>) -> Result<u64, EngineError> {
    let id = match key {
        Some(Value::Int(key)) => keys::of_key(*key),
        Some(_) => None,
        None => keys::of_row(row),
    };
    id.ok_or_else(|| constraint(format!("{}: no id for this key or row", entity.name)))
}

/// The mode of a put that may meet an object or none.
pub const EITHER: PutMode = PutMode::Put;
