//! What is set of a new object, in which order.

use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::value::{encode, int_value, link_value};
use crate::engines::realm::error::{misuse, refused};
use crate::engines::realm::ffi::types::{Link, PropertyKey, RealmValue, kind};
use crate::engines::realm::layout::{Holds, Key};
use crate::engines::realm::store::Store;
use crate::plan::schema::{FieldId, FieldKind, ModelId, Ownership};
use crate::workload::{Content, Record};

/// The properties of a model, sorted by how they are set.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its model.
    pub model: ModelId,
    /// Set in one call: scalars, links, markers of lists.
    pub singles: Vec<(Single, PropertyKey)>,
    /// Their keys, in order.
    pub keys: Vec<PropertyKey>,
    /// Filled after it: lists, to-many links, children.
    pub manys: Vec<(FieldId, PropertyKey, Many)>,
    /// Owned to-one objects that are not embedded: stored before it.
    pub before: Vec<(FieldId, ModelId)>,
    /// Embedded to-one objects: made after it.
    pub embedded: Vec<(FieldId, PropertyKey, ModelId)>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Single {
    /// A scalar.
    Scalar(FieldId),
    /// A link to a stored object, or to one that is owned and stored before.
    Link {
        /// The field.
        field: FieldId,
        /// Whether it must lead somewhere.
        required: bool,
    },
    /// Whether an optional list is there.
    Marker(FieldId),
}

/// What a list is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// Values.
    Values,
    /// Links to stored objects, or to new children.
    Links(ModelId),
    /// Embedded children.
    Embedded(ModelId),
}

impl Shape {
    /// Of a model.
    pub fn of(store: &Store, model: ModelId) -> Result<Shape, EngineError> {
        let class = &store.layout.classes[model];
        let mut shape = Shape {
            model,
            singles: Vec::new(),
            keys: Vec::new(),
            manys: Vec::new(),
            before: Vec::new(),
            embedded: Vec::new(),
        };
        for (field, property) in class.properties.iter().enumerate() {
            let key = store.property(model, field)?;
            let embedded = |target: ModelId| store.layout.classes[target].embedded;
            match &property.holds {
                Holds::Scalar(_) if class.key == Key::Field(field) => {}
                Holds::Scalar(_) => shape.singles.push((Single::Scalar(field), key)),
                Holds::List(_) => shape.manys.push((field, key, Many::Values)),
                Holds::Many(target) if embedded(*target) => {
                    shape.manys.push((field, key, Many::Embedded(*target)));
                }
                Holds::Many(target) => shape.manys.push((field, key, Many::Links(*target))),
                Holds::One(target) if embedded(*target) => {
                    shape.embedded.push((field, key, *target));
                }
                Holds::One(target) => {
                    if owns_one(store, model, field) {
                        shape.before.push((field, *target));
                    }
                    let required = !property.optional;
                    shape.singles.push((Single::Link { field, required }, key));
                }
                Holds::Back { .. } => {}
            }
            if let Some(Some(marker)) = store.keys[model].markers.get(field) {
                shape.singles.push((Single::Marker(field), *marker));
            }
        }
        shape.keys = shape.singles.iter().map(|(_, key)| *key).collect();
        Ok(shape)
    }

    /// The values of a record's singles, as they lie in the record. `links`
    /// gives a link field's target.
    pub fn values(
        &self,
        store: &Store,
        record: &Record,
        mut links: impl FnMut(FieldId) -> Result<Option<Link>, EngineError>,
        values: &mut Vec<RealmValue>,
    ) -> Result<(), EngineError> {
        values.clear();
        for (single, _) in &self.singles {
            values.push(match single {
                Single::Scalar(field) => match &record.fields[*field] {
                    Content::Value(value) => encode(value)?,
                    _ => return Err(misuse("a scalar field does not hold a value")),
                },
                Single::Marker(field) => {
                    let there = matches!(&record.fields[*field], Content::Value(Value::List(_)));
                    encode(&Value::Bool(there))?
                }
                Single::Link { field, required } => match links(*field)? {
                    Some(link) => link_value(link),
                    None if *required => return Err(null_link(store, self.model, *field)),
                    None => RealmValue::NULL,
                },
            });
        }
        Ok(())
    }

    /// The primary key of a record; `None` where the class has none.
    #[inline]
    pub fn key(&self, store: &Store, record: &Record) -> Result<Option<RealmValue>, EngineError> {
        match &store.layout.classes[self.model].key {
            Key::None => Ok(None),
            Key::Row(_) => row(record.row).map(Some),
            Key::Field(field) => match &record.fields[*field] {
                Content::Value(value) => {
                    let key = encode(value)?;
                    if key.kind == kind::NULL {
                        return Err(refused("a key is null"));
                    }
                    Ok(Some(key))
                }
                _ => Err(misuse("a key is no value")),
            },
        }
    }
}

/// A record's number.
pub fn row(row: u64) -> Result<RealmValue, EngineError> {
    let row = i64::try_from(row);
    row.map(int_value)
        .map_err(|_| refused("row numbers above 2^63 have no key"))
}

/// A required link that leads nowhere.
pub fn null_link(store: &Store, model: ModelId, field: FieldId) -> EngineError {
    let model = &store.schema.models[model];
    refused(format!(
        "{}.{} may not be null",
        model.name, model.fields[field].name
    ))
}

fn owns_one(store: &Store, model: ModelId, field: FieldId) -> bool {
    matches!(
        store.schema.models[model].fields[field].kind,
        FieldKind::ToOne {
            ownership: Ownership::Owned { .. },
            inverse_of: None,
            ..
        }
    )
}
