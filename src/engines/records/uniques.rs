//! Values that may stand once, kept in memory above the engine.
//!
//! An engine that finds values by their keys alone has nothing to say about
//! other fields. What an app does: it knows the values that are taken. They
//! are gathered by one scan before the first write to a model that needs them.

use std::collections::HashSet;

use super::canonical::canonical;
use super::fields::Fields;
use super::reader::Reader;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId, Schema};

/// Unique indexes of all models.
#[derive(Debug)]
pub struct Uniques {
    models: Vec<Guarded>,
}

#[derive(Debug)]
struct Guarded {
    indexes: Vec<Unique>,
    touched: Fields,
    gathered: bool,
}

#[derive(Debug)]
struct Unique {
    name: String,
    fields: Vec<FieldId>,
    taken: HashSet<Box<[u8]>>,
}

/// A record's value under each unique index of its model; `None` where a field
/// is null, which agrees with nothing.
pub type Values = Vec<Option<Box<[u8]>>>;

impl Uniques {
    pub fn of(schema: &Schema) -> Uniques {
        let models = schema.models.iter().map(|model| {
            let mut touched = Fields::none(model.fields.len());
            let unique = model.indexes.iter().filter(|index| index.unique);
            let indexes = unique.map(|index| {
                let fields: Vec<FieldId> = index.columns.iter().map(|c| c.field).collect();
                fields.iter().for_each(|field| touched.add(*field));
                Unique {
                    name: index.name.clone(),
                    fields,
                    taken: HashSet::new(),
                }
            });
            Guarded {
                indexes: indexes.collect(),
                touched,
                gathered: false,
            }
        });
        Uniques {
            models: models.collect(),
        }
    }

    /// Whether a model has a unique index besides its key.
    pub fn guards(&self, model: ModelId) -> bool {
        self.models
            .get(model)
            .is_some_and(|m| !m.indexes.is_empty())
    }

    /// Whether its values are gathered.
    pub fn is_gathered(&self, model: ModelId) -> bool {
        self.models.get(model).is_none_or(|m| m.gathered)
    }

    /// The values of a record.
    pub fn values(
        &self,
        reader: &Reader<'_>,
        model: ModelId,
        bytes: &[u8],
    ) -> Result<Values, EngineError> {
        let guarded = &self.models[model];
        let mut row = Vec::new();
        reader.decode(model, &guarded.touched, bytes, &mut row)?;
        let values = guarded.indexes.iter().map(|index| {
            let mut bytes = Vec::new();
            for field in &index.fields {
                match &row[*field] {
                    Value::Null => return None,
                    value => canonical(value, &mut bytes),
                }
            }
            Some(bytes.into())
        });
        Ok(values.collect())
    }

    /// Takes all values in.
    pub fn gather(&mut self, model: ModelId, values: Vec<Values>) {
        for one in values {
            self.add(model, one);
        }
        self.models[model].gathered = true;
    }

    /// Takes a record's values in; the name of the index in which one was taken.
    pub fn add(&mut self, model: ModelId, values: Values) -> Option<&str> {
        let indexes = self.models[model].indexes.iter_mut().zip(values);
        let mut taken = None;
        for (index, value) in indexes {
            if value.is_some_and(|value| !index.taken.insert(value)) {
                taken = Some(index.name.as_str());
            }
        }
        taken
    }

    /// Gives a record's values back.
    pub fn remove(&mut self, model: ModelId, values: &Values) {
        for (index, value) in self.models[model].indexes.iter_mut().zip(values) {
            if let Some(value) = value {
                index.taken.remove(value);
            }
        }
    }

    /// Forgets what was gathered: after writes were undone.
    pub fn scatter(&mut self) {
        for model in &mut self.models {
            model.gathered = false;
            for index in &mut model.indexes {
                index.taken.clear();
            }
        }
    }

    /// What is kept, in words.
    pub fn words(&self, schema: &Schema) -> Vec<String> {
        let models = schema.models.iter().zip(&self.models);
        models
            .flat_map(|(model, guarded)| {
                guarded.indexes.iter().map(|index| {
                    format!(
                        "{}: {} above the engine, as a set in memory",
                        model.name, index.name
                    )
                })
            })
            .collect()
    }
}
