//! How a schema lies in classes: names, primary keys, what is embedded.

use super::names::{class_name, property_name};
use crate::plan::schema::{FieldId, FieldKind, Model, ModelId, Ownership, Scalar, Schema};

/// All classes of a schema.
#[derive(Clone, Debug)]
pub struct Layout {
    /// One per model.
    pub classes: Vec<Class>,
}

/// The class of one model.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its primary key.
    pub key: Key,
    /// One property per field of the model, in order.
    pub properties: Vec<Property>,
    /// Whether its objects live inside their owner.
    pub embedded: bool,
    /// Field sets in which no two objects may agree and that Realm does not
    /// watch over: the adapter does.
    pub watched: Vec<Vec<FieldId>>,
}

/// What names an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// Only Realm's own object key.
    None,
    /// The model's key field.
    Field(FieldId),
    /// An int property of that name that holds the record's number: the model
    /// has no key that Realm can take, and links lead to it.
    Row(String),
}

/// The property of one field.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name in the schema and in queries.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// Whether a scalar may be null.
    pub optional: bool,
    /// Whether it gets a search index, and which of the author's it is; an
    /// empty name where only the adapter looks by it.
    pub index: Option<String>,
    /// A bool property that is true where an optional list is there: Realm's
    /// lists are never null.
    pub marker: Option<String>,
}

/// What a property holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// One value.
    Scalar(Scalar),
    /// A list of values.
    List(Scalar),
    /// A link.
    One(ModelId),
    /// A list of links.
    Many(ModelId),
    /// Computed: the objects of `owner` whose `field` leads here.
    Back {
        /// The linking model.
        owner: ModelId,
        /// Its link.
        field: FieldId,
    },
}

impl Layout {
    /// The layout of a schema.
    pub fn of(schema: &Schema, embedded: bool) -> Layout {
        let classes = schema.models.iter().enumerate();
        Layout {
            classes: classes
                .map(|(at, model)| class(schema, at, model, embedded))
                .collect(),
        }
    }

    /// The property of a field.
    pub fn property(&self, model: ModelId, field: FieldId) -> Option<&Property> {
        self.classes.get(model)?.properties.get(field)
    }
}

fn class(schema: &Schema, at: ModelId, model: &Model, embedded: bool) -> Class {
    let native = model.key.filter(|key| {
        matches!(
            &model.fields[*key].kind,
            FieldKind::Scalar(Scalar::Int | Scalar::Text | Scalar::Uuid | Scalar::Enum(_))
        )
    });
    let mut taken: Vec<String> = Vec::new();
    let mut name = |wanted: &str| {
        let name = property_name(wanted, &taken);
        taken.push(name.clone());
        name
    };
    let mut properties: Vec<Property> = model
        .fields
        .iter()
        .map(|field| Property {
            name: name(&field.name),
            holds: holds(&field.kind),
            optional: field.optional,
            index: None,
            marker: None,
        })
        .collect();
    for property in &mut properties {
        if property.optional && matches!(property.holds, Holds::List(_)) {
            property.marker = Some(name(&format!("{}_there", property.name)));
        }
    }
    let key = match native {
        Some(key) => Key::Field(key),
        None if linked_to(schema, at) || model.key.is_some() => Key::Row(name("row")),
        None => Key::None,
    };
    let unique = model.indexes.iter().filter(|index| index.unique);
    let mut watched: Vec<Vec<FieldId>> = unique
        .map(|index| index.columns.iter().map(|column| column.field).collect())
        .collect();
    if native.is_none() {
        watched.extend(model.key.map(|key| vec![key]));
    }
    index(&mut properties, model, &watched, &key);
    Class {
        name: class_name(&model.name, at),
        embedded: embedded && embeddable(schema, at),
        key,
        properties,
        watched,
    }
}

fn holds(kind: &FieldKind) -> Holds {
    match kind {
        FieldKind::Scalar(scalar) => Holds::Scalar(scalar.clone()),
        FieldKind::List(scalar) => Holds::List(scalar.clone()),
        FieldKind::ToOne {
            target,
            inverse_of: Some(field),
            ..
        } => Holds::Back {
            owner: *target,
            field: *field,
        },
        FieldKind::ToOne { target, .. } => Holds::One(*target),
        FieldKind::ToMany { target, .. } => Holds::Many(*target),
    }
}

/// Indexes of one column are search indexes; of several there are none, but
/// where the adapter must look for duplicates it looks by the first column.
fn index(properties: &mut [Property], model: &Model, watched: &[Vec<FieldId>], key: &Key) {
    let single = model
        .indexes
        .iter()
        .filter(|index| index.columns.len() == 1);
    let single = single.map(|index| (index.columns[0].field, index.name.clone()));
    let first = watched.iter().filter_map(|fields| {
        let mut fields = fields.iter().copied();
        let field = fields.find(|field| indexable(&properties[*field].holds));
        field.map(|field| (field, String::new()))
    });
    let all: Vec<(FieldId, String)> = single.chain(first).collect();
    for (field, name) in all {
        let property = &mut properties[field];
        if indexable(&property.holds) && *key != Key::Field(field) {
            property.index.get_or_insert(name);
        }
    }
}

/// Types that take a search index (`Property::type_is_indexable`).
fn indexable(holds: &Holds) -> bool {
    matches!(
        holds,
        Holds::Scalar(
            Scalar::Int
                | Scalar::Bool
                | Scalar::Text
                | Scalar::Json
                | Scalar::Enum(_)
                | Scalar::Timestamp
                | Scalar::Uuid
        )
    )
}

/// Every forward link to a model, with its owner and whether it owns its target.
fn links_to(schema: &Schema, to: ModelId) -> impl Iterator<Item = (ModelId, bool, bool)> {
    let fields = schema.models.iter().enumerate();
    let fields = fields.flat_map(|(at, model)| model.fields.iter().map(move |f| (at, &f.kind)));
    fields.filter_map(move |(at, kind)| match kind {
        FieldKind::ToOne {
            target,
            ownership,
            cascade,
            inverse_of: None,
        }
        | FieldKind::ToMany {
            target,
            ownership,
            cascade,
            ..
        } if *target == to => Some((at, matches!(ownership, Ownership::Owned { .. }), *cascade)),
        _ => None,
    })
}

/// Whether records name an object of this model by its number.
fn linked_to(schema: &Schema, model: ModelId) -> bool {
    links_to(schema, model).any(|(_, owned, _)| !owned)
}

/// Whether objects of a model can live inside their owner: nothing else leads
/// to them, they go with it, and they have no key.
fn embeddable(schema: &Schema, model: ModelId) -> bool {
    let mut links = links_to(schema, model).peekable();
    links.peek().is_some()
        && links.all(|(from, owned, cascade)| owned && cascade && from != model)
        && schema.models[model].key.is_none()
        && schema.models[model]
            .indexes
            .iter()
            .all(|index| !index.unique)
}
