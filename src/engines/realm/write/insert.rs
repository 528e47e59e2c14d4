//! New objects.

use std::rc::Rc;

use super::shape::{Many, Shape, null_link};
use super::target::Targets;
use super::watch::Watch;
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::value::{encode, link_value};
use crate::engines::realm::api::{List, Object};
use crate::engines::realm::error::{misuse, unsupported};
use crate::engines::realm::ffi::types::{Link, PropertyKey, RealmValue};
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldId, ModelId};
use crate::workload::{Content, Record};

/// How records of each model are stored, with reused room.
pub struct Inserts {
    shapes: Vec<Option<Rc<Shape>>>,
    watches: Vec<Option<Rc<Watch>>>,
    /// Objects that links lead to.
    pub targets: Targets,
    /// Objects of the current statement, to be deleted where it fails inside
    /// a transaction that goes on.
    made: Vec<(ModelId, i64)>,
}

impl Inserts {
    /// For a store.
    pub fn new(store: &Store) -> Inserts {
        let none = || store.schema.models.iter();
        Inserts {
            shapes: none().map(|_| None).collect(),
            watches: none().map(|_| None).collect(),
            targets: Targets::new(store),
            made: Vec::new(),
        }
    }

    /// How objects of a model are set.
    pub fn shape(&mut self, store: &Store, model: ModelId) -> Result<Rc<Shape>, EngineError> {
        if let Some(shape) = &self.shapes[model] {
            return Ok(Rc::clone(shape));
        }
        let shape = Rc::new(Shape::of(store, model)?);
        self.shapes[model] = Some(Rc::clone(&shape));
        Ok(shape)
    }

    /// What is watched of a model.
    pub fn watch(&mut self, store: &Store, model: ModelId) -> Result<Rc<Watch>, EngineError> {
        if let Some(watch) = &self.watches[model] {
            return Ok(Rc::clone(watch));
        }
        let watch = Rc::new(Watch::of(store, model)?);
        self.watches[model] = Some(Rc::clone(&watch));
        Ok(watch)
    }

    /// Stores records with all that they own. Where that fails, what was made
    /// is deleted again if `keep` is set: the transaction goes on.
    pub fn store(
        &mut self,
        store: &mut Store,
        model: ModelId,
        records: &[Record],
        keep: bool,
    ) -> Result<(), EngineError> {
        if store.layout.classes[model].embedded {
            return Err(unsupported("embedded objects are stored with their owner"));
        }
        self.made.clear();
        let shape = self.shape(store, model)?;
        let mut room = Vec::new();
        let result = records
            .iter()
            .try_for_each(|record| self.one(store, &shape, record, &mut room, keep).map(drop));
        if result.is_err() && keep {
            self.undo(store)?;
        }
        result
    }

    fn undo(&mut self, store: &mut Store) -> Result<(), EngineError> {
        self.targets.forget();
        while let Some((model, key)) = self.made.pop() {
            if let Some(object) = store.object(model, key)? {
                store.realm.delete(&object)?;
            }
        }
        Ok(())
    }

    /// Stores a record as an object of its own; its object key.
    fn one(
        &mut self,
        store: &mut Store,
        shape: &Shape,
        record: &Record,
        values: &mut Vec<RealmValue>,
        keep: bool,
    ) -> Result<Link, EngineError> {
        let model = shape.model;
        let mut owned: Vec<(FieldId, Link)> = Vec::new();
        for (field, target) in &shape.before {
            if let Content::Children(children) = &record.fields[*field] {
                let inner = self.shape(store, *target)?;
                for child in children {
                    let link = self.one(store, &inner, child, &mut Vec::new(), keep)?;
                    owned.push((*field, link));
                }
            }
        }
        if !store.layout.classes[model].watched.is_empty() {
            let watch = self.watch(store, model)?;
            watch.check_record(store, &mut self.targets, record)?;
        }
        let targets = &mut self.targets;
        shape.values(
            store,
            record,
            |field| match &record.fields[field] {
                Content::Link(None) => Ok(None),
                Content::Link(Some(target)) => {
                    let to = store.schema.models[model].fields[field].kind.target();
                    let to = to.ok_or_else(|| misuse("a link in a scalar field"))?;
                    targets.link(store, to, target).map(Some)
                }
                Content::Children(_) => Ok(owned
                    .iter()
                    .find(|(of, _)| *of == field)
                    .map(|(_, link)| *link)),
                _ => Err(misuse("a link field does not hold a link")),
            },
            values,
        )?;
        let class = store.class(model);
        let object = match shape.key(store, record)? {
            Some(key) => store.realm.create_with_key(class, key)?,
            None => store.realm.create(class)?,
        };
        let link = Link {
            class,
            object: object.key(),
        };
        if keep {
            self.made.push((model, link.object));
        }
        if !shape.keys.is_empty() {
            store.realm.set(&object, &shape.keys, values)?;
        }
        self.rest(store, shape, record, &object, keep)?;
        Ok(link)
    }

    /// Fills an embedded object.
    fn fill(
        &mut self,
        store: &mut Store,
        model: ModelId,
        record: &Record,
        object: &Object,
        keep: bool,
    ) -> Result<(), EngineError> {
        let shape = self.shape(store, model)?;
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
                _ => Err(unsupported("an embedded object that owns others")),
            },
            &mut values,
        )?;
        if !shape.keys.is_empty() {
            store.realm.set(object, &shape.keys, &values)?;
        }
        self.rest(store, &shape, record, object, keep)
    }

    /// Lists, links and children of an object.
    fn rest(
        &mut self,
        store: &mut Store,
        shape: &Shape,
        record: &Record,
        object: &Object,
        keep: bool,
    ) -> Result<(), EngineError> {
        for (field, key, target) in &shape.embedded {
            match &record.fields[*field] {
                Content::Children(children) => {
                    for child in children {
                        let inner = store.realm.embed(object, *key)?;
                        self.fill(store, *target, child, &inner, keep)?;
                    }
                    let required = !store.layout.classes[shape.model].properties[*field].optional;
                    if children.is_empty() && required {
                        return Err(null_link(store, shape.model, *field));
                    }
                }
                _ => return Err(misuse("an owned field does not hold children")),
            }
        }
        for (field, key, many) in &shape.manys {
            self.many(store, record, object, (*field, *key, *many), keep)?;
        }
        Ok(())
    }

    fn many(
        &mut self,
        store: &mut Store,
        record: &Record,
        object: &Object,
        (field, key, many): (FieldId, PropertyKey, Many),
        keep: bool,
    ) -> Result<(), EngineError> {
        match (&record.fields[field], many) {
            (Content::Value(Value::Null), Many::Values) => Ok(()),
            (Content::Value(Value::List(items)), Many::Values) => {
                if items.is_empty() {
                    return Ok(());
                }
                let list = store.realm.list(object, key)?;
                append_values(store, &list, items)
            }
            (Content::Links(links), Many::Links(target)) => {
                if links.is_empty() {
                    return Ok(());
                }
                let list = store.realm.list(object, key)?;
                for (at, link) in links.iter().enumerate() {
                    let link = self.targets.link(store, target, link)?;
                    store.realm.put(&list, at, link_value(link))?;
                }
                Ok(())
            }
            (Content::Children(children), Many::Links(target)) => {
                if children.is_empty() {
                    return Ok(());
                }
                let list = store.realm.list(object, key)?;
                let shape = self.shape(store, target)?;
                let mut values = Vec::new();
                for (at, child) in children.iter().enumerate() {
                    let link = self.one(store, &shape, child, &mut values, keep)?;
                    store.realm.put(&list, at, link_value(link))?;
                }
                Ok(())
            }
            (Content::Children(children), Many::Embedded(target)) => {
                if children.is_empty() {
                    return Ok(());
                }
                let list = store.realm.list(object, key)?;
                for (at, child) in children.iter().enumerate() {
                    let inner = store.realm.put_embedded(&list, at)?;
                    self.fill(store, target, child, &inner, keep)?;
                }
                Ok(())
            }
            _ => Err(misuse("a list field holds something else")),
        }
    }
}

/// Fills an empty list.
pub fn append_values(store: &mut Store, list: &List, items: &[Value]) -> Result<(), EngineError> {
    for (at, item) in items.iter().enumerate() {
        store.realm.put(list, at, encode(item)?)?;
    }
    Ok(())
}
