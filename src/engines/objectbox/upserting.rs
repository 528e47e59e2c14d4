//! Storing records by key: in the place of the one that has it, or new.

use super::api::{Txn, constraint, unsupported};
use super::finder::{Finder, Ground};
use super::inserting::{EITHER, id_of, id_of_target, own_cell};
use super::keys;
use super::layout::{Entity, Place, Supply};
use super::record::{Cell, Encoder, Row};
use super::selection::Selection;
use super::undo::Undo;
use super::uniques;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::Select;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::{Content, Record, Target};

/// Upserts into one model.
pub struct Upserting {
    model: ModelId,
    key: FieldId,
    /// Finds a key that is not the id.
    finder: Option<Finder>,
}

impl Upserting {
    /// Prepares them.
    pub fn new(ground: &Ground<'_>, model: ModelId) -> Result<Upserting, EngineError> {
        let entity = &ground.setup.layout.entities[model];
        let key = entity
            .key
            .ok_or_else(|| unsupported("an upsert needs a key"))?;
        let finder = match entity.key_is_id() {
            true => None,
            false => {
                let selection = Selection::of(ground.setup, model, &Select::Point(key), &[]);
                Some(Finder::new(ground, selection)?)
            }
        };
        Ok(Upserting { model, key, finder })
    }

    /// Stores records, whole or not at all.
    pub fn run(
        &self,
        ground: &Ground<'_>,
        txn: &mut Txn,
        encoder: &mut Encoder,
        records: &[Record],
        keeping: bool,
    ) -> Result<(), EngineError> {
        let mut undo = Undo::new(keeping);
        for record in records {
            if let Err(error) = self.upsert(ground, txn, encoder, record, &mut undo) {
                undo.run(txn)?;
                return Err(error);
            }
        }
        Ok(())
    }

    fn upsert(
        &self,
        ground: &Ground<'_>,
        txn: &mut Txn,
        encoder: &mut Encoder,
        record: &Record,
        undo: &mut Undo,
    ) -> Result<(), EngineError> {
        let model = self.model;
        let entity = &ground.setup.layout.entities[model];
        let id = self.id(ground, txn, record)?;
        let owned = entity
            .sources
            .iter()
            .any(|from| matches!(from, Supply::Owner(..)));
        let related = entity
            .places
            .iter()
            .any(|place| matches!(place, Place::Relation(_)));
        // Read first only where something of it is needed.
        let old = match owned || related || undo.keeping() {
            true => txn.get(model, id)?.map(<[u8]>::to_vec),
            false => None,
        };
        let before = old.as_deref().map(Row::new).transpose()?;
        let mut cells = Vec::with_capacity(entity.properties.len());
        for (property, from) in entity.properties.iter().zip(&entity.sources) {
            cells.push(match from {
                Supply::Id => Cell::Long(id as i64),
                Supply::Owner(..) => match &before {
                    Some(row) => Cell::stored(property, row),
                    None => Cell::Long(0),
                },
                Supply::Field(field) => {
                    let content = record.fields.get(*field);
                    let content = content.ok_or_else(|| constraint("a record of another shape"))?;
                    own_cell(ground, property, content)?
                }
            });
        }
        let object = encoder.encode(&cells)?;
        if !entity.uniques.is_empty() {
            uniques::check(ground, txn, model, id, object)?;
        }
        txn.put(model, id, object, EITHER)?;
        drop(cells);
        let new = old.is_none();
        match old {
            Some(old) => undo.replaced(model, id, old),
            None => undo.inserted(model, id),
        }
        for (field, content) in record.fields.iter().enumerate() {
            match content {
                Content::Links(links) => {
                    let from = Source {
                        entity,
                        field,
                        id,
                        new,
                    };
                    self.relate(ground, txn, &from, links, undo)?;
                }
                Content::Children(children) if !children.is_empty() => {
                    return Err(unsupported("an upsert of what owns something"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn id(&self, ground: &Ground<'_>, txn: &Txn, record: &Record) -> Result<u64, EngineError> {
        let Some(finder) = &self.finder else {
            return id_of(ground, self.model, record);
        };
        let key = match record.fields.get(self.key) {
            Some(Content::Value(key)) if !key.is_null() => key,
            _ => return Err(constraint("an upsert without a key")),
        };
        let arguments: &[Value] = std::slice::from_ref(key);
        let found = finder
            .with(ground, arguments)?
            .ids(ground, txn, arguments)?;
        match (found.first(), keys::of_row(record.row)) {
            (Some(id), _) => Ok(*id),
            (None, Some(id)) => Ok(id),
            (None, None) => Err(constraint("no id for this row")),
        }
    }

    /// Makes a to-many relation be these links.
    fn relate(
        &self,
        ground: &Ground<'_>,
        txn: &mut Txn,
        from: &Source<'_>,
        links: &[Target],
        undo: &mut Undo,
    ) -> Result<(), EngineError> {
        let Some(Place::Relation(at)) = from.entity.places.get(from.field) else {
            return Err(constraint("links in a field that has none"));
        };
        let target = ground.setup.layout.relations[*at].target;
        let (model, relation, id) = (self.model, *at as u32 + 1, from.id);
        let wanted = links
            .iter()
            .map(|link| id_of_target(ground, target, link))
            .collect::<Result<Vec<u64>, _>>()?;
        let there = match from.new {
            true => Vec::new(),
            false => txn.related(target, relation, id)?.to_vec(),
        };
        for to in there.iter().filter(|to| !wanted.contains(to)) {
            txn.unrelate(model, relation, id, *to)?;
            undo.unrelated(model, relation, id, *to);
        }
        for to in wanted.iter().filter(|to| !there.contains(to)) {
            txn.relate(model, relation, id, *to)?;
            undo.related(model, relation, id, *to);
        }
        Ok(())
    }
}

/// The object whose relation is made.
struct Source<'a> {
    entity: &'a Entity,
    field: FieldId,
    id: u64,
    new: bool,
}
