//! Upserts: got or created by primary key, then every property set.

use super::insert::{Inserts, append_values};
use super::shape::{Many, Shape};
use super::undo::Undo;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::Object;
use crate::engines::realm::api::value::{encode, link_value};
use crate::engines::realm::error::{misuse, refused, unsupported};
use crate::engines::realm::layout::Key;
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::{Content, Record};

impl Inserts {
    /// Stores records by key. Where that fails, what was done is undone if
    /// `keep` is set.
    pub fn upsert(
        &mut self,
        store: &mut Store,
        model: ModelId,
        records: &[Record],
        keep: bool,
    ) -> Result<(), EngineError> {
        let key = store.schema.models[model].key;
        let key = key.ok_or_else(|| unsupported("an upsert needs a key"))?;
        let shape = self.shape(store, model)?;
        let mut undo = Undo::default();
        let result = records.iter().try_for_each(|record| {
            self.upsert_one(store, &shape, key, record, keep.then_some(&mut undo))
        });
        if result.is_err() && keep {
            undo.run(store, &shape)?;
        }
        result
    }

    fn upsert_one(
        &mut self,
        store: &mut Store,
        shape: &Shape,
        key: FieldId,
        record: &Record,
        undo: Option<&mut Undo>,
    ) -> Result<(), EngineError> {
        let model = shape.model;
        let class = store.class(model);
        // What can be refused is found before anything is changed.
        let mut values = Vec::new();
        let targets = &mut self.targets;
        shape.values(
            store,
            record,
            |field| match &record.fields[field] {
                Content::Link(Some(target)) => {
                    let to = store.schema.models[model].fields[field].kind.target();
                    let to = to.ok_or_else(|| misuse("a link in a scalar field"))?;
                    targets.link(store, to, target).map(Some)
                }
                Content::Link(None) => Ok(None),
                _ => Err(unsupported("an upsert of a record that owns others")),
            },
            &mut values,
        )?;
        let there = self.there(store, shape, key, record)?;
        if !store.layout.classes[model].watched.is_empty() {
            let watch = self.watch(store, model)?;
            for set in &watch.sets {
                let own = |field: &FieldId| match &record.fields[*field] {
                    Content::Value(value) => Ok((*field, value.clone())),
                    Content::Link(Some(target)) => {
                        let to = store.schema.models[model].fields[*field].kind.target();
                        let to = to.ok_or_else(|| misuse("a link in a scalar field"))?;
                        let link = self.targets.link(store, to, target)?;
                        Ok((*field, Value::Int(link.object)))
                    }
                    _ => Ok((*field, Value::Null)),
                };
                let new: Vec<(FieldId, Value)> = set
                    .fields
                    .iter()
                    .map(own)
                    .collect::<Result<_, EngineError>>()?;
                let new: Vec<Value> = new.into_iter().map(|(_, value)| value).collect();
                let mut encoded = set.encode(store, model, &new)?;
                let taken = set.taken(store, model, &mut encoded)?;
                if taken.is_some() && taken != there.as_ref().map(Object::key) {
                    return Err(watch.refused(store, set));
                }
            }
        }
        let (object, new) = match (there, shape.key(store, record)?) {
            (Some(object), _) => (object, false),
            (None, Some(key)) => store.realm.get_or_create(class, key)?,
            (None, None) => return Err(refused("an upsert needs a key")),
        };
        if let Some(undo) = undo {
            undo.remember(store, shape, &object, new)?;
        }
        if !shape.keys.is_empty() {
            store.realm.set(&object, &shape.keys, &values)?;
        }
        for (field, property, many) in &shape.manys {
            let list = store.realm.list(&object, *property)?;
            if !new {
                store.realm.clear(&list)?;
            }
            match (&record.fields[*field], many) {
                (Content::Value(Value::List(items)), Many::Values) => {
                    append_values(store, &list, items)?;
                }
                (Content::Value(Value::Null), Many::Values) => {}
                (Content::Links(links), Many::Links(target)) => {
                    for (at, link) in links.iter().enumerate() {
                        let link = self.targets.link(store, *target, link)?;
                        store.realm.put(&list, at, link_value(link))?;
                    }
                }
                _ => return Err(unsupported("an upsert of a record that owns others")),
            }
        }
        Ok(())
    }

    /// The object that has the record's key already.
    fn there(
        &mut self,
        store: &Store,
        shape: &Shape,
        key: FieldId,
        record: &Record,
    ) -> Result<Option<Object>, EngineError> {
        let Content::Value(value) = &record.fields[key] else {
            return Err(misuse("a key is no value"));
        };
        let model = shape.model;
        if store.layout.classes[model].key == Key::Field(key) {
            return store.realm.by_key(store.class(model), encode(value)?);
        }
        let watch = self.watch(store, model)?;
        let own = watch.sets.iter().find(|set| set.fields == [key]);
        let own = own.ok_or_else(|| misuse("a key that nobody watches"))?;
        match own.taken(store, model, &mut [encode(value)?])? {
            Some(key) => store.object(model, key),
            None => Ok(None),
        }
    }
}
