//! A layout as the C API wants it declared.

use std::ffi::{CStr, CString, c_int, c_uint};

use super::error::misuse;
use super::ffi::types::*;
use super::layout::{Class, Holds, Key, Layout, Property};
use crate::engines::EngineError;
use crate::plan::Scalar;

/// Classes and properties, with the texts that they point to.
pub struct Declared {
    classes: Vec<ClassInfo>,
    properties: Vec<Vec<PropertyInfo>>,
    /// Never touched again: `classes` and `properties` point into them.
    _texts: Vec<CString>,
}

impl Declared {
    /// Declares a layout.
    pub fn of(layout: &Layout) -> Result<Declared, EngineError> {
        let mut texts = Texts::default();
        let mut declared = (Vec::new(), Vec::new());
        for class in &layout.classes {
            let properties = properties(layout, class, &mut texts)?;
            let computed = class.properties.iter();
            let computed = computed.filter(|p| matches!(p.holds, Holds::Back { .. }));
            let computed = computed.count();
            let key = match &class.key {
                Key::None => "",
                Key::Field(field) => &class.properties[*field].name,
                Key::Row(name) => name,
            };
            declared.0.push(ClassInfo {
                name: texts.add(&class.name)?,
                primary_key: texts.add(key)?,
                properties: properties.len() - computed,
                computed_properties: computed,
                key: NO_CLASS,
                flags: if class.embedded { flag::EMBEDDED } else { 0 },
            });
            declared.1.push(properties);
        }
        Ok(Declared {
            classes: declared.0,
            properties: declared.1,
            _texts: texts.0,
        })
    }

    /// One per class.
    pub fn classes(&self) -> &[ClassInfo] {
        &self.classes
    }

    /// Per class, where its properties begin.
    pub fn properties(&self) -> Vec<*const PropertyInfo> {
        self.properties.iter().map(|all| all.as_ptr()).collect()
    }
}

/// Texts whose bytes stay where they are.
#[derive(Default)]
struct Texts(Vec<CString>);

impl Texts {
    fn add(&mut self, text: &str) -> Result<*const std::ffi::c_char, EngineError> {
        let text = c_text(text)?;
        let at = text.as_ptr();
        self.0.push(text);
        Ok(at)
    }
}

/// A text for the C API.
pub fn c_text(text: &str) -> Result<CString, EngineError> {
    CString::new(text).map_err(|_| misuse("a name holds a zero byte"))
}

/// An empty text.
const EMPTY: &CStr = c"";

/// Stored properties first, computed ones after them.
fn properties(
    layout: &Layout,
    class: &Class,
    texts: &mut Texts,
) -> Result<Vec<PropertyInfo>, EngineError> {
    let mut stored = Vec::new();
    let mut computed = Vec::new();
    let plain = |name, kind, flags| PropertyInfo {
        name,
        public_name: EMPTY.as_ptr(),
        kind,
        collection: collection::NONE,
        link_target: EMPTY.as_ptr(),
        link_origin_property: EMPTY.as_ptr(),
        key: NO_PROPERTY,
        flags,
    };
    if let Key::Row(name) = &class.key {
        stored.push(plain(texts.add(name)?, property::INT, flag::PRIMARY_KEY));
    }
    for (field, declared) in class.properties.iter().enumerate() {
        let name = texts.add(&declared.name)?;
        let linked = |target: usize, texts: &mut Texts| {
            let class = layout.classes.get(target);
            texts.add(&class.ok_or_else(|| misuse("a link to nowhere"))?.name)
        };
        match &declared.holds {
            Holds::Scalar(scalar) => {
                let key = class.key == Key::Field(field);
                stored.push(plain(name, kind_of(scalar), flags(declared, key)));
            }
            Holds::List(scalar) => stored.push(PropertyInfo {
                collection: collection::LIST,
                ..plain(name, kind_of(scalar), 0)
            }),
            Holds::One(target) => stored.push(PropertyInfo {
                link_target: linked(*target, texts)?,
                ..plain(name, property::OBJECT, flag::NULLABLE)
            }),
            Holds::Many(target) => stored.push(PropertyInfo {
                collection: collection::LIST,
                link_target: linked(*target, texts)?,
                ..plain(name, property::OBJECT, 0)
            }),
            Holds::Back { owner, field } => {
                let origin = layout.property(*owner, *field);
                let origin = origin.ok_or_else(|| misuse("a back-link of nothing"))?;
                computed.push(PropertyInfo {
                    collection: collection::LIST,
                    link_target: linked(*owner, texts)?,
                    link_origin_property: texts.add(&origin.name)?,
                    ..plain(name, property::LINKING_OBJECTS, 0)
                });
            }
        }
        if let Some(marker) = &declared.marker {
            stored.push(plain(texts.add(marker)?, property::BOOL, 0));
        }
    }
    stored.extend(computed);
    Ok(stored)
}

fn flags(property: &Property, key: bool) -> c_int {
    let mut flags = 0;
    if property.optional {
        flags |= flag::NULLABLE;
    }
    if property.index.is_some() {
        flags |= flag::INDEXED;
    }
    if key {
        flags |= flag::PRIMARY_KEY;
    }
    flags
}

/// Enum cases are strings: Realm has no enums of its own. JSON is kept as text.
fn kind_of(scalar: &Scalar) -> c_uint {
    match scalar {
        Scalar::Bool => property::BOOL,
        Scalar::Int => property::INT,
        Scalar::Float => property::DOUBLE,
        Scalar::Text | Scalar::Json | Scalar::Enum(_) => property::STRING,
        Scalar::Uuid => property::UUID,
        Scalar::Timestamp => property::TIMESTAMP,
        Scalar::Blob => property::BINARY,
    }
}
