//! Deleting records, and what goes with them.

use std::collections::{HashMap, HashSet};

use super::fields::Fields;
use super::layout::is_owned;
use super::store::{Store, is_back_link};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, FieldKind, ModelId};

/// A link: the model that declares it, and the field.
type Link = (ModelId, FieldId);

/// Records to be deleted.
struct Gone {
    /// In the order in which they were found.
    order: Vec<(ModelId, Box<[u8]>)>,
    /// Their links, per model and key; the other fields are null.
    rows: Vec<HashMap<Box<[u8]>, Vec<Value>>>,
    /// How many of a model's were found through each link.
    through: HashMap<(ModelId, Link), usize>,
}

impl Gone {
    fn has(&self, model: ModelId, key: &[u8]) -> bool {
        self.rows[model].contains_key(key)
    }
}

impl Store {
    /// Deletes the records under these keys with all that they cascade to; links
    /// to what is gone become null, entries of to-many links go, a required link refuses.
    pub fn delete(&mut self, model: ModelId, keys: Vec<Box<[u8]>>) -> Result<(), EngineError> {
        let gone = self.cascade(model, keys)?;
        for target in 0..gone.rows.len() {
            if !gone.rows[target].is_empty() {
                self.unlink(target, &gone)?;
                self.leave_children(target, &gone)?;
            }
        }
        for (model, key) in &gone.order {
            self.remove(*model, key)?;
        }
        Ok(())
    }

    /// These records and all that their cascading links lead to, to any depth.
    fn cascade(&self, model: ModelId, keys: Vec<Box<[u8]>>) -> Result<Gone, EngineError> {
        let models = &self.schema.models;
        let mut gone = Gone {
            order: Vec::new(),
            rows: vec![HashMap::new(); models.len()],
            through: HashMap::new(),
        };
        let links: Vec<Fields> = models
            .iter()
            .map(|model| {
                let mut links = Fields::none(model.fields.len());
                let fields = model.fields.iter().enumerate();
                fields
                    .filter(|(_, field)| field.kind.target().is_some())
                    .for_each(|(at, _)| links.add(at));
                links
            })
            .collect();
        let reader = self.plain_reader();
        let mut ahead: Vec<(ModelId, Box<[u8]>, Option<Link>)> = Vec::new();
        ahead.extend(keys.into_iter().rev().map(|key| (model, key, None)));
        let mut bytes = Vec::new();
        while let Some((model, key, link)) = ahead.pop() {
            if gone.has(model, &key) {
                continue;
            }
            let mut row = Vec::new();
            if !links[model].is_empty() {
                bytes.clear();
                if !reader.get(model, &key, &mut bytes)? {
                    continue;
                }
                reader.decode(model, &links[model], &bytes, &mut row)?;
            } else if !reader.contains(model, &key)? {
                continue;
            }
            for (field, value) in row.iter().enumerate() {
                let (FieldKind::ToOne {
                    target,
                    cascade: true,
                    ..
                }
                | FieldKind::ToMany {
                    target,
                    cascade: true,
                    ..
                }) = models[model].fields[field].kind
                else {
                    continue;
                };
                for key in self.keys(target, value) {
                    ahead.push((target, key, Some((model, field))));
                }
            }
            if let Some(link) = link {
                *gone.through.entry((model, link)).or_default() += 1;
            }
            gone.order.push((model, key.clone()));
            gone.rows[model].insert(key, row);
        }
        Ok(gone)
    }

    /// Keys of the records that a link's value names.
    fn keys(&self, target: ModelId, value: &Value) -> Vec<Box<[u8]>> {
        let identities = match value {
            Value::List(identities) => identities.as_slice(),
            one => std::slice::from_ref(one),
        };
        let keys = identities.iter().filter_map(|identity| {
            let mut key = Vec::new();
            let written = self.layouts[target].key.write(identity, &mut key);
            written.then(|| key.into())
        });
        keys.collect()
    }

    /// Takes the links to what is gone out of every record that stays.
    fn unlink(&mut self, target: ModelId, gone: &Gone) -> Result<(), EngineError> {
        for (model, field) in self.links_to(target) {
            for key in self.linking(target, (model, field), gone)? {
                let Some(mut row) = self.load(model, &key)? else {
                    continue;
                };
                let form = &self.layouts[target].key;
                let stays = |identity: &Value| {
                    let mut key = Vec::new();
                    form.write(identity, &mut key) && !gone.has(target, &key)
                };
                match &mut row[field] {
                    Value::List(identities) => identities.retain(stays),
                    one => {
                        if !stays(one) {
                            *one = Value::Null;
                        }
                    }
                }
                self.check_nulls(model, &row)?;
                self.replace(model, &key, &row)?;
            }
        }
        Ok(())
    }

    /// Keys of the records that stay and whose link names something that is gone.
    fn linking(
        &self,
        target: ModelId,
        link: Link,
        gone: &Gone,
    ) -> Result<Vec<Box<[u8]>>, EngineError> {
        let (model, field) = link;
        let kind = &self.schema.models[model].fields[field].kind;
        let through = gone.through.get(&(target, link)).copied().unwrap_or(0);
        if is_owned(kind) && through == gone.rows[target].len() {
            // Each has one owner by this link, and goes with it.
            return Ok(Vec::new());
        }
        if let Some(back) = self.back_link(model, field) {
            // Each names its owner.
            let owners = gone.rows[target].values().filter_map(|row| row.get(back));
            let mut seen = HashSet::new();
            let keys = owners.flat_map(|owner| self.keys(model, owner));
            return Ok(keys
                .filter(|key| !gone.has(model, key) && seen.insert(key.clone()))
                .collect());
        }
        let mut wanted = Fields::none(self.schema.models[model].fields.len());
        wanted.add(field);
        let (reader, mut row) = (self.plain_reader(), Vec::new());
        let mut found = Vec::new();
        reader.scan(model, &mut |key, bytes| {
            reader.decode(model, &wanted, bytes, &mut row)?;
            let named = self.keys(target, &row[field]);
            if named.iter().any(|key| gone.has(target, key)) && !gone.has(model, key) {
                found.push(key.into());
            }
            Ok(true)
        })?;
        Ok(found)
    }

    /// Children of owners that are gone, which stay: where they need an owner
    /// it is an error, elsewhere they have none.
    fn leave_children(&mut self, owner: ModelId, gone: &Gone) -> Result<(), EngineError> {
        for field in 0..self.schema.models[owner].fields.len() {
            let kind = &self.schema.models[owner].fields[field].kind;
            let (Some(target), Some(back)) = (kind.target(), self.back_link(owner, field)) else {
                continue;
            };
            let values = gone.rows[owner].values().filter_map(|row| row.get(field));
            let staying: Vec<Box<[u8]>> = values
                .flat_map(|value| self.keys(target, value))
                .filter(|key| !gone.has(target, key))
                .collect();
            let required = !self.schema.models[target].fields[back].optional;
            if required && !staying.is_empty() {
                return Err(self.refuse(target, "a record needs its owner"));
            }
            for key in staying {
                if let Some(mut row) = self.load(target, &key)? {
                    row[back] = Value::Null;
                    self.replace(target, &key, &row)?;
                }
            }
        }
        Ok(())
    }

    /// Every forward link to a model.
    fn links_to(&self, target: ModelId) -> Vec<Link> {
        let models = self.schema.models.iter().enumerate();
        models
            .flat_map(|(model, declared)| {
                let fields = declared.fields.iter().enumerate();
                fields
                    .filter(move |(_, field)| {
                        field.kind.target() == Some(target) && !is_back_link(&field.kind)
                    })
                    .map(move |(field, _)| (model, field))
            })
            .collect()
    }
}
