//! Uniqueness beside the primary key: Realm has none, so an app asks before it
//! writes.

use std::ffi::CString;

use super::target::Targets;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::value::{encode, link_value};
use crate::engines::realm::classes::c_text;
use crate::engines::realm::error::{misuse, refused};
use crate::engines::realm::ffi::types::{RealmValue, kind};
use crate::engines::realm::layout::Holds;
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::{Content, Record};

/// What is watched of a model.
pub struct Watch {
    /// Its model.
    pub model: ModelId,
    /// Field sets in which no two objects may agree.
    pub sets: Vec<WatchedSet>,
}

/// One set.
pub struct WatchedSet {
    /// Its fields.
    pub fields: Vec<FieldId>,
    text: CString,
}

impl Watch {
    /// Of a model.
    pub fn of(store: &Store, model: ModelId) -> Result<Watch, EngineError> {
        let class = &store.layout.classes[model];
        let set = |fields: &Vec<FieldId>| {
            let parts = fields.iter().enumerate().map(|(at, field)| {
                let name = &class.properties[*field].name;
                format!("{name} == ${at}")
            });
            let text = parts.collect::<Vec<_>>().join(" AND ");
            Ok(WatchedSet {
                fields: fields.clone(),
                text: c_text(&text)?,
            })
        };
        let sets = class.watched.iter().map(set);
        Ok(Watch {
            model,
            sets: sets.collect::<Result<_, EngineError>>()?,
        })
    }

    /// Refuses a new record that agrees with an object.
    pub fn check_record(
        &self,
        store: &Store,
        targets: &mut Targets,
        record: &Record,
    ) -> Result<(), EngineError> {
        for set in &self.sets {
            let mut values = Vec::with_capacity(set.fields.len());
            for field in &set.fields {
                values.push(match &record.fields[*field] {
                    Content::Value(value) => encode(value)?,
                    Content::Link(Some(target)) => {
                        let to = store.schema.models[self.model].fields[*field].kind.target();
                        let to = to.ok_or_else(|| misuse("a link in a scalar field"))?;
                        link_value(targets.link(store, to, target)?)
                    }
                    _ => RealmValue::NULL,
                });
            }
            if set.taken(store, self.model, &mut values)?.is_some() {
                return Err(self.refused(store, set));
            }
        }
        Ok(())
    }

    /// Two records agree.
    pub fn refused(&self, store: &Store, set: &WatchedSet) -> EngineError {
        let model = &store.schema.models[self.model];
        let names = set.fields.iter();
        let names: Vec<&str> = names.map(|f| model.fields[*f].name.as_str()).collect();
        refused(format!("{} ({}) is taken", model.name, names.join(", ")))
    }
}

impl WatchedSet {
    /// The object that has these values; a null agrees with nothing.
    pub fn taken(
        &self,
        store: &Store,
        model: ModelId,
        values: &mut [RealmValue],
    ) -> Result<Option<i64>, EngineError> {
        if values.iter().any(|value| value.kind == kind::NULL) {
            return Ok(None);
        }
        let query = store.realm.parse(store.class(model), &self.text, values)?;
        let first = store.realm.first(&query)?;
        Ok(first.map(|link| link.object))
    }

    /// The values of an object, of which some are to be others.
    pub fn values(
        &self,
        store: &Store,
        model: ModelId,
        key: i64,
        changed: &[(FieldId, Value)],
    ) -> Result<Vec<Value>, EngineError> {
        let mut values = Vec::with_capacity(self.fields.len());
        let mut object = None;
        for field in &self.fields {
            if let Some((_, value)) = changed.iter().find(|(f, _)| f == field) {
                values.push(value.clone());
                continue;
            }
            if object.is_none() {
                object = store.object(model, key)?;
            }
            values.push(match &object {
                Some(object) => store.follow(model, object, &[*field], &[])?.into_value(),
                None => Value::Null,
            });
        }
        Ok(values)
    }

    /// Owned values as arguments: links come as object keys.
    pub fn encode(
        &self,
        store: &Store,
        model: ModelId,
        values: &[Value],
    ) -> Result<Vec<RealmValue>, EngineError> {
        let pairs = self.fields.iter().zip(values);
        pairs
            .map(|(field, value)| {
                let property = store.layout.property(model, *field);
                match (property.map(|p| &p.holds), value) {
                    (Some(Holds::One(target)), Value::Int(key)) => {
                        Ok(link_value(crate::engines::realm::ffi::types::Link {
                            class: store.class(*target),
                            object: *key,
                        }))
                    }
                    _ => encode(value),
                }
            })
            .collect()
    }
}
