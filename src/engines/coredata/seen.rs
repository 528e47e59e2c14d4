//! An object as expressions and columns see it: properties are read through
//! the graph, and faults fire as they are reached.

use std::borrow::Cow;
use std::rc::Rc;

use super::context::Context;
use super::entity::{Slot, SlotId, SlotKind};
use super::object::{Object, Values};
use crate::base::Value;
use crate::plan::Path;
use crate::plan::schema::FieldId;
use crate::workload::eval::json::json_value;
use crate::workload::eval::{Element, Elements, EvalError, View};

/// An object with its values.
pub struct Seen<'c> {
    context: &'c Context,
    object: Rc<Object>,
    values: Rc<Values>,
}

impl<'c> Seen<'c> {
    /// Fires the object's fault.
    pub fn of(context: &'c Context, object: Rc<Object>) -> Result<Seen<'c>, EvalError> {
        let values = context.values(&object).map_err(|e| context.troubled(e))?;
        Ok(Seen {
            context,
            object,
            values,
        })
    }

    fn slot(&self, slot: SlotId) -> Result<&'c Slot, EvalError> {
        let slots = &self.context.entity(self.object.entity).slots;
        slots
            .get(slot)
            .ok_or_else(|| EvalError::wrong("a property that the entity does not have"))
    }

    /// The value of an attribute, or the identity that a to-one holds.
    fn own(&self, slot: SlotId) -> &Value {
        self.context.accessed(&self.object, slot);
        self.values.get(slot).unwrap_or(&Value::Null)
    }

    fn many(&self, slot: SlotId) -> Result<Rc<[i64]>, EvalError> {
        self.context.accessed(&self.object, slot);
        self.context
            .many(&self.object, slot)
            .map_err(|error| self.context.troubled(error))
    }

    fn other(&self, slot: &Slot, id: i64) -> Result<Seen<'c>, EvalError> {
        let target = slot
            .target()
            .ok_or_else(|| EvalError::wrong("a path through an attribute"))?;
        Seen::of(self.context, self.context.object(target, id))
    }

    /// The identity behind a to-one relationship, of whatever kind.
    fn one(&self, at: SlotId) -> Result<Option<i64>, EvalError> {
        Ok(match &self.slot(at)?.kind {
            SlotKind::ToOne { .. } => match self.own(at) {
                Value::Int(id) => Some(*id),
                _ => None,
            },
            SlotKind::Mirror { .. } | SlotKind::JoinBack { .. } => self.many(at)?.first().copied(),
            _ => {
                return Err(EvalError::wrong(
                    "a path through something else than a to-one relationship",
                ));
            }
        })
    }

    fn behind(&self, at: SlotId) -> Result<Option<Seen<'c>>, EvalError> {
        let slot = self.slot(at)?;
        self.one(at)?.map(|id| self.other(slot, id)).transpose()
    }

    /// The value at the end of a path; a to-many relationship on the way makes
    /// it a list of the values behind each of its objects.
    pub fn follow(&self, hops: &[FieldId], json: &[String]) -> Result<Value, EvalError> {
        let Some((first, rest)) = hops.split_first() else {
            return Ok(Value::Int(self.object.id.get()));
        };
        let slot = self.slot(*first)?;
        match &slot.kind {
            SlotKind::Attribute(_) | SlotKind::Transformable if rest.is_empty() => {
                Ok(match self.own(*first) {
                    Value::Json(text) if !json.is_empty() => json_value(text, json),
                    value => value.clone(),
                })
            }
            SlotKind::Attribute(_) | SlotKind::Transformable => {
                Err(EvalError::wrong("a path through an attribute"))
            }
            SlotKind::Children { .. } | SlotKind::Join { .. } => {
                let ids = self.many(*first)?;
                if rest.is_empty() {
                    return Ok(Value::List(ids.iter().copied().map(Value::Int).collect()));
                }
                let items = ids
                    .iter()
                    .map(|id| self.other(slot, *id)?.follow(rest, json));
                Ok(Value::List(items.collect::<Result<_, _>>()?))
            }
            _ if rest.is_empty() => Ok(self.one(*first)?.map_or(Value::Null, Value::Int)),
            _ => match self.behind(*first)? {
                Some(other) => other.follow(rest, json),
                None => Ok(Value::Null),
            },
        }
    }
}

impl View for Seen<'_> {
    fn value(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        if let ([slot], []) = (path.hops.as_slice(), path.json.as_slice())
            && self.slot(*slot)?.ty().is_some()
        {
            return Ok(Cow::Borrowed(self.own(*slot)));
        }
        self.follow(&path.hops, &path.json).map(Cow::Owned)
    }

    fn elements(
        &self,
        over: &Path,
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        let Some((first, rest)) = over.hops.split_first() else {
            return Ok(Elements::Scalar);
        };
        if !rest.is_empty() {
            let inner = Path {
                hops: rest.to_vec(),
                ..over.clone()
            };
            return match self.behind(*first)? {
                Some(other) => other.elements(&inner, visit),
                None => Ok(Elements::Null),
            };
        }
        let slot = self.slot(*first)?;
        match &slot.kind {
            SlotKind::Transformable => match self.own(*first) {
                Value::List(items) => {
                    for item in items {
                        if !visit(Element::Scalar(item))? {
                            break;
                        }
                    }
                    Ok(Elements::Listed)
                }
                _ => Ok(Elements::Null),
            },
            SlotKind::Children { .. } | SlotKind::Join { .. } => {
                for id in self.many(*first)?.iter() {
                    let other = self.other(slot, *id)?;
                    if !visit(Element::Record(&other))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            _ => Ok(Elements::Scalar),
        }
    }

    fn fields(&self) -> Result<Vec<(&str, Cow<'_, Value>)>, EvalError> {
        let declared = &self.context.schema.models[self.object.entity].fields;
        let slots = &self.context.entity(self.object.entity).slots;
        Ok(declared
            .iter()
            .zip(slots)
            .enumerate()
            .filter(|(_, (_, slot))| {
                matches!(slot.kind, SlotKind::Attribute(_) | SlotKind::Transformable)
            })
            .map(|(at, (field, _))| (field.name.as_str(), Cow::Borrowed(self.own(at))))
            .collect())
    }
}
