//! The value at the end of a path.

use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::realm::api::Object;
use crate::engines::realm::error::misuse;
use crate::engines::realm::layout::Holds;
use crate::engines::realm::store::Store;
use crate::plan::Scalar;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::eval::json::json_value;

/// A value, in the map where it can be.
#[derive(Clone, Debug)]
pub enum Got<'r> {
    /// As it lies in the map.
    Borrowed(ValueRef<'r>),
    /// Put together: a list, a part of JSON.
    Owned(Value),
}

impl<'r> Got<'r> {
    /// Nothing.
    pub const NULL: Got<'static> = Got::Borrowed(ValueRef::Null);

    /// A copy that outlives the realm.
    pub fn into_value(self) -> Value {
        match self {
            Got::Borrowed(value) => value.to_value(),
            Got::Owned(value) => value,
        }
    }

    /// The borrowed form of a scalar.
    pub fn scalar(&self) -> ValueRef<'_> {
        match self {
            Got::Borrowed(value) => *value,
            Got::Owned(value) => value.scalar_ref(),
        }
    }

    /// What is inside JSON, behind these keys.
    pub fn inside(self, json: &[String]) -> Got<'r> {
        match self {
            Got::Borrowed(ValueRef::Json(text)) if !json.is_empty() => {
                Got::Owned(json_value(text, json))
            }
            other => other,
        }
    }
}

impl Store {
    /// The value at a path from an object; a list where a to-many link is on
    /// the way, null behind a null link, the object key where it ends at a link.
    pub fn follow(
        &self,
        model: ModelId,
        object: &Object,
        hops: &[FieldId],
        json: &[String],
    ) -> Result<Got<'_>, EngineError> {
        let Some((first, rest)) = hops.split_first() else {
            return Ok(Got::Borrowed(ValueRef::Int(object.key())));
        };
        let key = self.property(model, *first)?;
        let holds = &self.layout.classes[model].properties[*first].holds;
        match holds {
            Holds::Scalar(scalar) if rest.is_empty() => {
                let cell = self.realm.read_one(object, key)?;
                Ok(Got::Borrowed(cell.value(scalar)?).inside(json))
            }
            Holds::List(scalar) if rest.is_empty() => {
                self.list_value(model, object, *first, scalar)
            }
            Holds::Scalar(_) | Holds::List(_) => Err(misuse("a path through a scalar")),
            Holds::One(_) if rest.is_empty() => {
                let link = self.realm.read_one(object, key)?.link();
                Ok(link.map_or(Got::NULL, |link| Got::Borrowed(ValueRef::Int(link.object))))
            }
            Holds::One(_) | Holds::Back { .. } => match self.behind(model, object, *first)? {
                Some((target, other)) => self.follow(target, &other, rest, json),
                None => Ok(Got::NULL),
            },
            Holds::Many(target) => {
                let list = self.realm.list(object, key)?;
                let mut items = Vec::with_capacity(self.realm.length(&list)?);
                for at in 0..items.capacity() {
                    let other = self.realm.element_object(&list, at)?;
                    items.push(self.follow(*target, &other, rest, json)?.into_value());
                }
                Ok(Got::Owned(Value::List(items)))
            }
        }
    }

    /// The object behind a to-one link or back-link.
    pub fn behind(
        &self,
        model: ModelId,
        object: &Object,
        field: FieldId,
    ) -> Result<Option<(ModelId, Object)>, EngineError> {
        let key = self.property(model, field)?;
        match self.layout.classes[model].properties[field].holds {
            Holds::One(target) => {
                let linked = self.realm.linked(object, key)?;
                Ok(linked.map(|other| (target, other)))
            }
            Holds::Back { owner, field } => {
                let property = self.property(owner, field)?;
                let owners = self.realm.backlinks(object, self.class(owner), property)?;
                if self.realm.size(&owners)? == 0 {
                    return Ok(None);
                }
                Ok(Some((owner, self.realm.object_at(&owners, 0)?)))
            }
            _ => Err(misuse("a path through something else than a to-one link")),
        }
    }

    /// Whether an optional list is null.
    pub fn list_is_null(
        &self,
        model: ModelId,
        object: &Object,
        field: FieldId,
    ) -> Result<bool, EngineError> {
        match self.keys[model].markers.get(field) {
            Some(Some(marker)) => {
                let there = self.realm.read_one(object, *marker)?;
                Ok(there.value(&Scalar::Bool)? != ValueRef::Bool(true))
            }
            _ => Ok(false),
        }
    }

    fn list_value(
        &self,
        model: ModelId,
        object: &Object,
        field: FieldId,
        scalar: &Scalar,
    ) -> Result<Got<'_>, EngineError> {
        if self.list_is_null(model, object, field)? {
            return Ok(Got::NULL);
        }
        let list = self.realm.list(object, self.property(model, field)?)?;
        let items = (0..self.realm.length(&list)?)
            .map(|at| self.realm.element(&list, at)?.to_value(scalar))
            .collect::<Result<_, EngineError>>()?;
        Ok(Got::Owned(Value::List(items)))
    }
}
