//! A stored object as expressions and columns see it.

use std::borrow::Cow;

use super::api::{Txn, misuse};
use super::keys;
use super::layout::{Entity, Layout, Place, Storage};
use super::record::{Row, decode};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Path, Schema};
use crate::workload::eval::json::json_value;
use crate::workload::eval::{Element, Elements, EvalError, View};

/// What reading needs.
#[derive(Clone, Copy)]
pub struct Reader<'t> {
    /// In this transaction.
    pub txn: &'t Txn,
    /// Where everything is.
    pub layout: &'t Layout,
    /// What everything is.
    pub schema: &'t Schema,
}

/// One object in its transaction.
#[derive(Clone, Copy)]
pub struct Seen<'t> {
    /// In what it is read.
    pub reader: Reader<'t>,
    /// Its model.
    pub model: ModelId,
    /// Its content.
    pub row: Row<'t>,
}

impl<'t> Reader<'t> {
    /// An object from its bytes.
    pub fn seen(self, model: ModelId, bytes: &'t [u8]) -> Result<Seen<'t>, EngineError> {
        Ok(Seen {
            reader: self,
            model,
            row: Row::new(bytes)?,
        })
    }

    /// The object with that id.
    pub fn get(self, model: ModelId, id: u64) -> Result<Option<Seen<'t>>, EngineError> {
        match self.txn.get(model, id)? {
            Some(bytes) => self.seen(model, bytes).map(Some),
            None => Ok(None),
        }
    }

    /// The entity of a model.
    pub fn entity(self, model: ModelId) -> Result<&'t Entity, EngineError> {
        let found = self.layout.entities.get(model);
        found.ok_or_else(|| misuse("there is no such model"))
    }
}

impl<'t> Seen<'t> {
    fn entity(&self) -> &'t Entity {
        &self.reader.layout.entities[self.model]
    }

    /// Its id.
    pub fn id(&self) -> u64 {
        self.row.u64(4).unwrap_or(0)
    }

    fn place(&self, field: FieldId) -> Result<Place, EngineError> {
        let place = self.entity().places.get(field).copied();
        place.ok_or_else(|| misuse("a field that the model does not have"))
    }

    /// The value at the end of a path; a to-many link on the way makes it a
    /// list of the values behind each of its objects.
    pub fn follow(&self, hops: &[FieldId], json: &[String]) -> Result<Value, EngineError> {
        let Some((first, rest)) = hops.split_first() else {
            return Ok(keys::identity(self.id()));
        };
        let entity = self.entity();
        match self.place(*first)? {
            Place::Id if rest.is_empty() => decode::value(&entity.properties[0], &self.row, true),
            Place::Property(at) if entity.target(at).is_none() && rest.is_empty() => {
                let value = decode::value(&entity.properties[at], &self.row, false)?;
                Ok(match value {
                    Value::Json(text) if !json.is_empty() => json_value(&text, json),
                    value => value,
                })
            }
            Place::Children { .. } | Place::Relation(_) => {
                let (target, ids) = self.many(*first)?;
                let mut items = Vec::with_capacity(ids.len());
                for id in ids {
                    if let Some(other) = self.reader.get(target, id)? {
                        items.push(other.follow(rest, json)?);
                    }
                }
                Ok(Value::List(items))
            }
            _ => match self.one(*first)? {
                // The reference itself: what it leads to need not be read.
                Some((_, id)) if rest.is_empty() => Ok(keys::identity(id)),
                Some((target, id)) => match self.reader.get(target, id)? {
                    Some(other) => other.follow(rest, json),
                    None => Ok(Value::Null),
                },
                None => Ok(Value::Null),
            },
        }
    }

    /// The object behind a to-one link or back-link: its model and id.
    pub fn one(&self, field: FieldId) -> Result<Option<(ModelId, u64)>, EngineError> {
        let Reader { txn, layout, .. } = self.reader;
        match self.place(field)? {
            Place::Property(at) => {
                let property = &self.entity().properties[at];
                let Storage::ToOne(target) = property.storage else {
                    return Err(misuse("a path through a scalar"));
                };
                let id = self.row.u64(property.slot()).filter(|id| *id != 0);
                Ok(id.map(|id| (target, id)))
            }
            Place::BackOne { entity, property } => {
                let property = layout.entities[entity].properties[property].id;
                let ids = txn.pointing(entity, property, self.id())?;
                Ok(ids.iter().min().map(|id| (entity, *id)))
            }
            Place::BackMany(relation) => {
                let source = layout.relations[relation].source;
                let ids = txn.relating(source, relation as u32 + 1, self.id())?;
                Ok(ids.iter().min().map(|id| (source, *id)))
            }
            Place::Id | Place::Children { .. } | Place::Relation(_) => {
                Err(misuse("a path through something else than a to-one link"))
            }
        }
    }

    /// The objects behind a to-many link: their model and ids.
    pub fn many(&self, field: FieldId) -> Result<(ModelId, Vec<u64>), EngineError> {
        let Reader { txn, layout, .. } = self.reader;
        match self.place(field)? {
            Place::Children { entity, property } => {
                let property = layout.entities[entity].properties[property].id;
                Ok((entity, txn.pointing(entity, property, self.id())?.to_vec()))
            }
            Place::Relation(relation) => {
                let target = layout.relations[relation].target;
                let ids = txn.related(target, relation as u32 + 1, self.id())?;
                Ok((target, ids.to_vec()))
            }
            _ => Err(misuse("a to-many link where there is none")),
        }
    }
}

/// What goes wrong while reading, for the evaluator.
fn wrong(error: EngineError) -> EvalError {
    EvalError::Wrong(error.message)
}

impl View for Seen<'_> {
    fn value(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        self.follow(&path.hops, &path.json)
            .map(Cow::Owned)
            .map_err(wrong)
    }

    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        let Some((last, before)) = over.hops.split_last() else {
            return Ok(Elements::Scalar);
        };
        let mut at = *self;
        for hop in before {
            let next = match at.one(*hop).map_err(wrong)? {
                Some((target, id)) => at.reader.get(target, id).map_err(wrong)?,
                None => None,
            };
            match next {
                Some(next) => at = next,
                None => return Ok(Elements::Null),
            }
        }
        match at.place(*last).map_err(wrong)? {
            Place::Property(property) => {
                let property = &at.entity().properties[property];
                let Storage::Vector(_) = property.storage else {
                    return Ok(Elements::Scalar);
                };
                match decode::value(property, &at.row, false).map_err(wrong)? {
                    Value::List(items) => {
                        for item in &items {
                            if !visit(Element::Scalar(item))? {
                                break;
                            }
                        }
                        Ok(Elements::Listed)
                    }
                    _ => Ok(Elements::Null),
                }
            }
            Place::Children { .. } | Place::Relation(_) => {
                let (target, ids) = at.many(*last).map_err(wrong)?;
                for id in ids {
                    if let Some(other) = at.reader.get(target, id).map_err(wrong)?
                        && !visit(Element::Record(&other))?
                    {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            Place::Id | Place::BackOne { .. } | Place::BackMany(_) => Ok(Elements::Scalar),
        }
    }

    fn fields(&self) -> Result<Vec<(&str, Cow<'_, Value>)>, EvalError> {
        let entity = self.entity();
        let declared = &self.reader.schema.models[self.model].fields;
        let mut fields = Vec::with_capacity(declared.len());
        for (field, place) in declared.iter().zip(&entity.places) {
            let (at, key) = match place {
                Place::Id => (0, true),
                Place::Property(at) if entity.target(*at).is_none() => (*at, false),
                _ => continue,
            };
            let value = decode::value(&entity.properties[at], &self.row, key).map_err(wrong)?;
            fields.push((field.name.as_str(), Cow::Owned(value)));
        }
        Ok(fields)
    }
}
