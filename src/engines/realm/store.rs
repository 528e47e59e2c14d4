//! The open file with its schema, and the keys of everything in it.

use std::path::Path;

use super::api::{Object, Realm, open};
use super::classes::c_text;
use super::error::misuse;
use super::ffi::types::{ClassKey, PropertyKey};
use super::layout::{Class, Holds, Key, Layout};
use super::options::Chosen;
use crate::engines::{EngineError, Setting};
use crate::plan::schema::{FieldId, ModelId, Schema};

/// Name of the main file.
pub const FILE: &str = "store.realm";

/// An open file.
pub struct Store {
    /// The file.
    pub realm: Realm,
    /// Its models.
    pub schema: Schema,
    /// Their classes.
    pub layout: Layout,
    /// Their keys, one per model.
    pub keys: Vec<ClassKeys>,
}

/// Keys of a class and its properties.
#[derive(Clone, Debug)]
pub struct ClassKeys {
    /// Its own.
    pub class: ClassKey,
    /// One per field.
    pub properties: Vec<PropertyKey>,
    /// Of the markers of optional lists.
    pub markers: Vec<Option<PropertyKey>>,
}

impl Store {
    /// Opens the file in `directory`, creating it if it is not there.
    pub fn open(directory: &Path, setting: &Setting<'_>) -> Result<Store, EngineError> {
        let chosen = Chosen::of(setting.options);
        let layout = Layout::of(setting.schema, chosen.embedded);
        let realm = open::open(&directory.join(FILE), &layout, chosen)?;
        let keys = layout
            .classes
            .iter()
            .map(|class| keys(&realm, class))
            .collect::<Result<_, _>>()?;
        Ok(Store {
            realm,
            schema: setting.schema.clone(),
            layout,
            keys,
        })
    }

    /// The key of a model's class.
    #[inline]
    pub fn class(&self, model: ModelId) -> ClassKey {
        self.keys[model].class
    }

    /// The key of a field's property.
    #[inline]
    pub fn property(&self, model: ModelId, field: FieldId) -> Result<PropertyKey, EngineError> {
        let key = self.keys[model].properties.get(field).copied();
        key.ok_or_else(|| misuse("a field that the model does not have"))
    }

    /// An object of a model by its object key.
    pub fn object(&self, model: ModelId, key: i64) -> Result<Option<Object>, EngineError> {
        self.realm.object(self.class(model), key)
    }

    /// The indexes of the file, in its own words: what was declared is asked back.
    pub fn indexes(&self) -> Result<Vec<String>, EngineError> {
        let mut all = Vec::new();
        for class in &self.layout.classes {
            let key = self.realm.class(&c_text(&class.name)?)?;
            if let Key::Row(name) = &class.key {
                all.push(format!("primary key {}.{name}", class.name));
            }
            for property in &class.properties {
                let named = format!("{}.{}", class.name, property.name);
                let (_, flags) = self.realm.property(key, &c_text(&property.name)?)?;
                if flags & super::ffi::types::flag::PRIMARY_KEY != 0 {
                    all.push(format!("primary key {named}"));
                } else if flags & super::ffi::types::flag::INDEXED != 0 {
                    all.push(match property.index.as_deref() {
                        Some(index) if !index.is_empty() => {
                            format!("search index {named} ({index})")
                        }
                        _ => format!("search index {named}"),
                    });
                }
                if matches!(property.holds, Holds::One(_) | Holds::Many(_)) {
                    all.push(format!("backlinks of {named}"));
                }
            }
        }
        Ok(all)
    }
}

fn keys(realm: &Realm, class: &Class) -> Result<ClassKeys, EngineError> {
    let key = realm.class(&c_text(&class.name)?)?;
    let named = |name: &str| realm.property(key, &c_text(name)?).map(|(key, _)| key);
    let properties = class.properties.iter();
    Ok(ClassKeys {
        class: key,
        properties: properties
            .clone()
            .map(|property| named(&property.name))
            .collect::<Result<_, _>>()?,
        markers: properties
            .map(|property| property.marker.as_deref().map(named).transpose())
            .collect::<Result<_, _>>()?,
    })
}
