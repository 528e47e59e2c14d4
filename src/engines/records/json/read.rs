//! Reading.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::element::{ItemsOf, OneOf};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::records::encoding::corrupt;
use crate::engines::records::fields::Fields;
use crate::engines::records::layout::{Layout, Shape};

/// Reads the wanted fields of a record into their places.
pub fn read(
    layout: &Layout,
    wanted: &Fields,
    bytes: &[u8],
    row: &mut [Value],
) -> Result<(), EngineError> {
    let record = RecordOf {
        layout,
        wanted,
        row,
    };
    let mut text = serde_json::Deserializer::from_slice(bytes);
    record.deserialize(&mut text).map_err(corrupt)?;
    text.end().map_err(corrupt)
}

struct RecordOf<'r> {
    layout: &'r Layout,
    wanted: &'r Fields,
    row: &'r mut [Value],
}

impl<'de> DeserializeSeed<'de> for RecordOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RecordOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let layout = self.layout;
        // Fields stand in the order of the model: those passed over are null.
        let mut next = 0;
        while let Some(field) = map.next_key_seed(NameOf { layout, next })? {
            self.row[next..field]
                .iter_mut()
                .zip(next..)
                .filter(|(_, field)| self.wanted.contains(*field))
                .for_each(|(slot, _)| *slot = Value::Null);
            next = field + 1;
            if !self.wanted.contains(field) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let slot = &mut self.row[field];
            match &layout.fields[field].shape {
                Shape::One(scalar) => map.next_value_seed(OneOf { scalar, slot })?,
                Shape::Many(scalar) => map.next_value_seed(ItemsOf { scalar, slot })?,
            }
        }
        for field in self.wanted.iter().filter(|field| *field >= next) {
            self.row[field] = Value::Null;
        }
        Ok(())
    }
}

/// The position of a named field from `next` on.
#[derive(Clone, Copy)]
struct NameOf<'r> {
    layout: &'r Layout,
    next: usize,
}

impl<'de> DeserializeSeed<'de> for NameOf<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for NameOf<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field, in the order of the model")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let ahead = self.layout.fields.iter().enumerate().skip(self.next);
        ahead
            .filter(|(_, field)| field.name == name)
            .map(|(at, _)| at)
            .next()
            .ok_or_else(|| E::custom(format_args!("`{name}` is no field, or out of order")))
    }
}
