//! What an upsert overwrote, for a statement that fails inside a transaction
//! that goes on: Realm has no savepoints.

use super::insert::append_values;
use super::shape::{Many, Shape, Single};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::realm::api::Object;
use crate::engines::realm::api::value::{encode, link_value};
use crate::engines::realm::ffi::types::{Link, RealmValue};
use crate::engines::realm::layout::Holds;
use crate::engines::realm::store::Store;

/// Changes of one statement, oldest first.
#[derive(Default)]
pub struct Undo {
    changes: Vec<Change>,
}

struct Change {
    key: i64,
    /// Values of the singles and the manys; `None` of a new object.
    before: Option<(Vec<Value>, Vec<Value>)>,
}

impl Undo {
    /// Remembers an object as it is.
    pub fn remember(
        &mut self,
        store: &Store,
        shape: &Shape,
        object: &Object,
        new: bool,
    ) -> Result<(), EngineError> {
        let read = |field: usize| {
            let got = store.follow(shape.model, object, &[field], &[])?;
            Ok(got.into_value())
        };
        let before = if new {
            None
        } else {
            let single = |(single, _): &(Single, _)| match single {
                Single::Scalar(field) | Single::Link { field, .. } => read(*field),
                Single::Marker(field) => {
                    let null = store.list_is_null(shape.model, object, *field)?;
                    Ok(Value::Bool(!null))
                }
            };
            let singles = shape.singles.iter().map(single);
            let manys = shape.manys.iter().map(|(field, _, _)| read(*field));
            Some((
                singles.collect::<Result<_, EngineError>>()?,
                manys.collect::<Result<_, EngineError>>()?,
            ))
        };
        self.changes.push(Change {
            key: object.key(),
            before,
        });
        Ok(())
    }

    /// Puts everything back, newest first.
    pub fn run(self, store: &mut Store, shape: &Shape) -> Result<(), EngineError> {
        for change in self.changes.into_iter().rev() {
            let Some(object) = store.object(shape.model, change.key)? else {
                continue;
            };
            let Some((singles, manys)) = change.before else {
                store.realm.delete(&object)?;
                continue;
            };
            let values = shape
                .singles
                .iter()
                .zip(&singles)
                .map(|((single, _), value)| match single {
                    Single::Link { field, .. } => as_link(store, shape, *field, value),
                    _ => encode(value),
                })
                .collect::<Result<Vec<_>, EngineError>>()?;
            store.realm.set(&object, &shape.keys, &values)?;
            for ((field, property, many), value) in shape.manys.iter().zip(&manys) {
                let list = store.realm.list(&object, *property)?;
                store.realm.clear(&list)?;
                let items = match value {
                    Value::List(items) => items.as_slice(),
                    _ => &[],
                };
                if *many == Many::Values {
                    append_values(store, &list, items)?;
                    continue;
                }
                for (at, item) in items.iter().enumerate() {
                    let link = as_link(store, shape, *field, item)?;
                    store.realm.put(&list, at, link)?;
                }
            }
        }
        Ok(())
    }
}

fn as_link(
    store: &Store,
    shape: &Shape,
    field: usize,
    value: &Value,
) -> Result<RealmValue, EngineError> {
    let property = store.layout.property(shape.model, field);
    match (property.map(|p| &p.holds), value) {
        (Some(Holds::One(target) | Holds::Many(target)), Value::Int(object)) => {
            Ok(link_value(Link {
                class: store.class(*target),
                object: *object,
            }))
        }
        _ => Ok(RealmValue::NULL),
    }
}
