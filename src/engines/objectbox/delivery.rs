//! Columns of a read: what of each record goes to the sink.

use std::borrow::Cow;

use super::keys;
use super::layout::{Entity, Place};
use super::record::decode;
use super::view::Seen;
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::plan::Column;
use crate::workload::Sink;
use crate::workload::sinks::deliver;

/// How the columns of a read are got.
pub enum Delivery {
    /// All lie in the object itself: they are handed on without a copy.
    Own(Vec<OwnColumn>),
    /// Some lie elsewhere, or are lists.
    Any(Vec<Column>),
}

/// A column in the object itself.
#[derive(Clone, Copy)]
pub enum OwnColumn {
    /// Its id.
    Identity,
    /// A property; whether it stands for an int key.
    Property(usize, bool),
}

impl Delivery {
    /// For these columns of an entity.
    pub fn of(entity: &Entity, columns: &[Column]) -> Delivery {
        let own = columns.iter().map(|column| own_column(entity, column));
        match own.collect::<Option<Vec<_>>>() {
            Some(own) => Delivery::Own(own),
            None => Delivery::Any(columns.to_vec()),
        }
    }

    /// Hands one record over. `values` is room that is used again.
    #[inline]
    pub fn hand<'t>(
        &self,
        entity: &'t Entity,
        seen: &Seen<'t>,
        values: &mut Vec<ValueRef<'t>>,
        sink: &mut dyn Sink,
    ) -> Result<(), EngineError> {
        match self {
            Delivery::Own(columns) => {
                values.clear();
                for column in columns {
                    values.push(match column {
                        OwnColumn::Property(at, key) => {
                            decode::scalar(&entity.properties[*at], &seen.row, *key)?
                        }
                        OwnColumn::Identity => ValueRef::Int(seen.id() as i64),
                    });
                }
                sink.row(values);
            }
            Delivery::Any(columns) => {
                let row = columns
                    .iter()
                    .map(|column| match column {
                        Column::Identity => Ok(Cow::Owned(keys::identity(seen.id()))),
                        Column::Path(path) => seen.follow(&path.hops, &path.json).map(Cow::Owned),
                    })
                    .collect::<Result<Vec<Cow<'_, Value>>, EngineError>>()?;
                deliver(sink, &row);
            }
        }
        Ok(())
    }
}

fn own_column(entity: &Entity, column: &Column) -> Option<OwnColumn> {
    let path = match column {
        Column::Identity => return Some(OwnColumn::Identity),
        Column::Path(path) => path,
    };
    let ([field], []) = (path.hops.as_slice(), path.json.as_slice()) else {
        return None;
    };
    match entity.places.get(*field)? {
        Place::Id => Some(OwnColumn::Property(0, true)),
        Place::Property(at) => {
            let storage = &entity.properties.get(*at)?.storage;
            let list = matches!(storage, super::layout::Storage::Vector(_));
            (!list).then_some(OwnColumn::Property(*at, false))
        }
        _ => None,
    }
}
