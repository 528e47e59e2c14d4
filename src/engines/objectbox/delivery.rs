//! Columns of a read: what of each record goes to the sink.

use std::borrow::Cow;

use super::keys;
use super::layout::{Entity, Place, Storage};
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
    /// The int key that its id stands for.
    Key,
    /// An int, by its slot.
    Long(usize),
    /// A moment, by its slot.
    Date(usize),
    /// A double, by its slot.
    Double(usize),
    /// A text, by its slot.
    Text(usize),
    /// Another property, by its place.
    Property(usize),
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
                        OwnColumn::Long(slot) => decode::long(&seen.row, *slot),
                        OwnColumn::Text(slot) => decode::text_at(&seen.row, *slot)?,
                        OwnColumn::Date(slot) => decode::date(&seen.row, *slot),
                        OwnColumn::Double(slot) => decode::double(&seen.row, *slot),
                        OwnColumn::Key => ValueRef::Int(keys::key_of(seen.id())),
                        OwnColumn::Identity => ValueRef::Int(seen.id() as i64),
                        OwnColumn::Property(at) => {
                            decode::scalar(&entity.properties[*at], &seen.row, false)?
                        }
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
        Place::Id => Some(OwnColumn::Key),
        Place::Property(at) => {
            let property = entity.properties.get(*at)?;
            let slot = property.slot();
            match property.storage {
                Storage::Long => Some(OwnColumn::Long(slot)),
                Storage::Date => Some(OwnColumn::Date(slot)),
                Storage::Double => Some(OwnColumn::Double(slot)),
                Storage::Text => Some(OwnColumn::Text(slot)),
                Storage::Vector(_) => None,
                _ => Some(OwnColumn::Property(*at)),
            }
        }
        _ => None,
    }
}
