//! A decoded record as expressions and columns see it.

use std::borrow::Cow;

use super::fields::Fields;
use super::reader::Reader;
use crate::base::Value;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::plan::{Column, Path};
use crate::workload::eval::json::json_value;
use crate::workload::eval::{Element, Elements, EvalError, View};

/// One record with the fields that were decoded.
#[derive(Clone, Copy)]
pub struct Seen<'r> {
    pub reader: &'r Reader<'r>,
    pub model: ModelId,
    pub key: &'r [u8],
    pub row: &'r [Value],
    /// Those of its fields that are decoded.
    pub decoded: &'r Fields,
}

impl<'r> Seen<'r> {
    /// The value of a column.
    pub fn column(&self, column: &Column) -> Result<Cow<'r, Value>, EvalError> {
        match column {
            Column::Identity => Ok(Cow::Owned(self.identity())),
            Column::Path(path) => self.follow(&path.hops, &path.json),
        }
    }

    /// Its identity: the value of its key, or its row.
    pub fn identity(&self) -> Value {
        self.reader.layouts[self.model]
            .key
            .read(self.key)
            .to_value()
    }

    fn follow(&self, hops: &[FieldId], json: &[String]) -> Result<Cow<'r, Value>, EvalError> {
        let Some((first, rest)) = hops.split_first() else {
            return Ok(Cow::Owned(self.identity()));
        };
        let value = self.field(*first)?;
        let target = match self.kind(*first)? {
            FieldKind::Scalar(_) | FieldKind::List(_) if rest.is_empty() => {
                return Ok(match value {
                    Value::Json(text) if !json.is_empty() => Cow::Owned(json_value(text, json)),
                    _ => Cow::Borrowed(value),
                });
            }
            FieldKind::Scalar(_) | FieldKind::List(_) => {
                return Err(EvalError::wrong("a path through a scalar"));
            }
            // The stored reference is what such a path is about.
            _ if rest.is_empty() => return Ok(Cow::Borrowed(value)),
            FieldKind::ToOne { target, .. } | FieldKind::ToMany { target, .. } => *target,
        };
        let behind = |identity: &Value| {
            self.other(target, identity, |other| {
                Ok(other.follow(rest, json)?.into_owned())
            })
        };
        match value {
            Value::Null => Ok(Cow::Owned(Value::Null)),
            Value::List(identities) => {
                let items = identities.iter().filter_map(|one| behind(one).transpose());
                Ok(Cow::Owned(Value::List(items.collect::<Result<_, _>>()?)))
            }
            identity => Ok(Cow::Owned(behind(identity)?.unwrap_or(Value::Null))),
        }
    }

    /// Looks at the record of that identity; `None` where there is none.
    fn other<R>(
        &self,
        model: ModelId,
        identity: &Value,
        look: impl FnOnce(&Seen<'_>) -> Result<R, EvalError>,
    ) -> Result<Option<R>, EvalError> {
        self.reader.with_linked(model, identity, |linked| {
            look(&Seen {
                reader: self.reader,
                model,
                key: &linked.key,
                row: &linked.row,
                decoded: &self.reader.linked[model],
            })
        })
    }

    fn walk(
        &self,
        hops: &[FieldId],
        visit: &mut dyn FnMut(Element<'_>) -> Result<bool, EvalError>,
    ) -> Result<Elements, EvalError> {
        let Some((first, rest)) = hops.split_first() else {
            return Ok(Elements::Scalar);
        };
        let (value, kind) = (self.field(*first)?, self.kind(*first)?);
        if !rest.is_empty() {
            let Some(target) = kind.target() else {
                return Err(EvalError::wrong("a path through a scalar"));
            };
            let walked = self.other(target, value, |other| other.walk(rest, visit))?;
            return Ok(walked.unwrap_or(Elements::Null));
        }
        match (kind, value) {
            (FieldKind::List(_), Value::List(items)) => {
                for item in items {
                    if !visit(Element::Scalar(item))? {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            (FieldKind::List(_), Value::Null) => Ok(Elements::Null),
            (FieldKind::ToMany { target, .. }, Value::List(identities)) => {
                for identity in identities {
                    let shown =
                        self.other(*target, identity, |other| visit(Element::Record(other)))?;
                    if shown == Some(false) {
                        break;
                    }
                }
                Ok(Elements::Listed)
            }
            (FieldKind::ToMany { .. }, _) => Ok(Elements::Listed),
            _ => Ok(Elements::Scalar),
        }
    }

    fn field(&self, field: FieldId) -> Result<&'r Value, EvalError> {
        match self.row.get(field) {
            Some(value) if self.decoded.contains(field) => Ok(value),
            _ => Err(EvalError::wrong(
                "a field that the request was not said to touch",
            )),
        }
    }

    fn kind(&self, field: FieldId) -> Result<&'r FieldKind, EvalError> {
        let model = self.reader.schema.models.get(self.model);
        model
            .and_then(|model| model.fields.get(field))
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
        self.walk(&over.hops, visit)
    }

    fn fields(&self) -> Result<Vec<(&str, Cow<'_, Value>)>, EvalError> {
        let declared = self.reader.schema.models[self.model].fields.iter();
        let values = declared
            .enumerate()
            .filter(|(_, field)| matches!(field.kind, FieldKind::Scalar(_) | FieldKind::List(_)));
        values
            .map(|(at, field)| Ok((field.name.as_str(), Cow::Borrowed(self.field(at)?))))
            .collect()
    }
}
