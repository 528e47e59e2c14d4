//! A record as expressions and columns see it.

use std::borrow::Cow;

use super::record::{Kept, Slot};
use super::store::Store;
use crate::base::Value;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::plan::{Column, Path};
use crate::workload::eval::json::json_value;
use crate::workload::eval::{Element, Elements, EvalError, View};

/// One record in its store.
#[derive(Clone, Copy)]
pub struct Seen<'s> {
    pub store: &'s Store,
    pub model: ModelId,
    pub row: u64,
    pub kept: &'s Kept,
}

impl<'s> Seen<'s> {
    pub fn of(store: &'s Store, model: ModelId, row: u64) -> Option<Self> {
        let kept = store.get(model, row)?;
        Some(Seen {
            store,
            model,
            row,
            kept,
        })
    }

    /// The value of a column.
    pub fn column(&self, column: &Column) -> Result<Cow<'s, Value>, EvalError> {
        match column {
            Column::Identity => Ok(Cow::Owned(identity(self.row))),
            Column::Path(path) => self.follow(&path.hops, &path.json),
        }
    }

    /// The value at the end of a path; a to-many link on the way makes it a
    /// list of the values behind each of its objects.
    fn follow(&self, hops: &[FieldId], json: &[String]) -> Result<Cow<'s, Value>, EvalError> {
        let Some((first, rest)) = hops.split_first() else {
            return Ok(Cow::Owned(identity(self.row)));
        };
        match self.slot(*first)? {
            Slot::Value(value) if rest.is_empty() => Ok(match value {
                Value::Json(text) if !json.is_empty() => Cow::Owned(json_value(text, json)),
                _ => Cow::Borrowed(value),
            }),
            Slot::Value(_) => Err(EvalError::wrong("a path through a scalar")),
            Slot::Many(rows) => rows
                .iter()
                .filter_map(|row| self.other(*first, *row))
                .map(|other| Ok(other.follow(rest, json)?.into_owned()))
                .collect::<Result<_, EvalError>>()
                .map(|items| Cow::Owned(Value::List(items))),
            Slot::One(_) | Slot::Back => match self.behind(*first)? {
                Some(other) => other.follow(rest, json),
                None => Ok(Cow::Owned(Value::Null)),
            },
        }
    }

    /// The object behind a to-one link or back-link.
    fn behind(&self, field: FieldId) -> Result<Option<Seen<'s>>, EvalError> {
        match (self.slot(field)?, self.kind(field)?) {
            (Slot::One(link), _) => Ok(link.and_then(|row| self.other(field, row))),
            (
                Slot::Back,
                FieldKind::ToOne {
                    target,
                    inverse_of: Some(owning),
                    ..
                },
            ) => {
                let owner = self.store.linking(*target, *owning, self.row).next();
                Ok(owner.and_then(|row| self.other(field, row)))
            }
            _ => Err(EvalError::wrong(
                "a path through something else than a to-one link",
            )),
        }
    }

    fn other(&self, field: FieldId, row: u64) -> Option<Seen<'s>> {
        let target = self.kind(field).ok()?.target()?;
        Seen::of(self.store, target, row)
    }

    fn slot(&self, field: FieldId) -> Result<&'s Slot, EvalError> {
        let kept: &'s Kept = self.kept;
        kept.get(field)
            .ok_or_else(|| EvalError::wrong("a field that the model does not have"))
    }

    fn kind(&self, field: FieldId) -> Result<&'s FieldKind, EvalError> {
        self.store.schema.models[self.model]
            .fields
            .get(field)
            .map(|field| &field.kind)
            .ok_or_else(|| EvalError::wrong("a field that the model does not have"))
    }
}

impl View for Seen<'_> {
    fn value(&self, path: &Path) -> Result<Cow<'_, Value>, EvalError> {
        self.follow(&path.hops, &path.json)
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
            match at.behind(*hop)? {
                Some(next) => at = next,
                None => return Ok(Elements::Null),
            }
        }
        match at.slot(*last)? {
            Slot::Value(Value::List(items)) => {
                for item in items {
                    if !visit(Element::Scalar(item))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            Slot::Value(Value::Null) if matches!(at.kind(*last)?, FieldKind::List(_)) => {
                Ok(Elements::Null)
            }
            Slot::Many(rows) => {
                for other in rows.iter().filter_map(|row| at.other(*last, *row)) {
                    if !visit(Element::Record(&other))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            Slot::Value(_) | Slot::One(_) | Slot::Back => Ok(Elements::Scalar),
        }
    }

    fn fields(&self) -> Result<Vec<(&str, Cow<'_, Value>)>, EvalError> {
        let declared = &self.store.schema.models[self.model].fields;
        let pairs = declared.iter().zip(self.kept);
        Ok(pairs
            .filter_map(|(field, slot)| match slot {
                Slot::Value(value) => Some((field.name.as_str(), Cow::Borrowed(value))),
                _ => None,
            })
            .collect())
    }
}

/// The engine's own name for a record: its row.
pub fn identity(row: u64) -> Value {
    Value::Int(row as i64)
}
