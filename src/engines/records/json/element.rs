//! Reading one value, or a list of them.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde_json::value::RawValue;

use super::base64;
use crate::base::Value;
use crate::engines::records::slot::{set_blob, set_json, set_list, set_text};
use crate::plan::Scalar;

/// One value of that type, or null.
pub struct OneOf<'r> {
    pub scalar: &'r Scalar,
    pub slot: &'r mut Value,
}

impl<'de> DeserializeSeed<'de> for OneOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        if *self.scalar == Scalar::Json {
            set_json(self.slot, <&RawValue>::deserialize(from)?.get());
            return Ok(());
        }
        from.deserialize_any(self)
    }
}

impl Visitor<'_> for OneOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.scalar)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        *self.slot = Value::Null;
        Ok(())
    }

    fn visit_bool<E: Error>(self, bool: bool) -> Result<(), E> {
        match self.scalar {
            Scalar::Bool => *self.slot = Value::Bool(bool),
            _ => return Err(E::invalid_type(Unexpected::Bool(bool), &self)),
        }
        Ok(())
    }

    fn visit_i64<E: Error>(self, int: i64) -> Result<(), E> {
        *self.slot = match self.scalar {
            Scalar::Int => Value::Int(int),
            Scalar::Timestamp => Value::Timestamp(int),
            _ => return Err(E::invalid_type(Unexpected::Signed(int), &self)),
        };
        Ok(())
    }

    fn visit_u64<E: Error>(self, int: u64) -> Result<(), E> {
        match i64::try_from(int) {
            Ok(int) => self.visit_i64(int),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(int), &self)),
        }
    }

    fn visit_f64<E: Error>(self, float: f64) -> Result<(), E> {
        match self.scalar {
            Scalar::Float => *self.slot = Value::Float(float),
            _ => return Err(E::invalid_type(Unexpected::Float(float), &self)),
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let wrong = || E::invalid_value(Unexpected::Str(text), &"the text of such a value");
        match self.scalar {
            Scalar::Text | Scalar::Enum(_) => set_text(self.slot, text),
            Scalar::Uuid => {
                let uuid = uuid::Uuid::try_parse(text).map_err(|_| wrong())?;
                *self.slot = Value::Uuid(uuid.into_bytes());
            }
            Scalar::Blob => {
                set_blob(self.slot, |bytes| {
                    base64::decode(text, bytes).ok_or_else(wrong)
                })?;
            }
            Scalar::Float => {
                *self.slot = Value::Float(match text {
                    "inf" => f64::INFINITY,
                    "-inf" => f64::NEG_INFINITY,
                    "NaN" => f64::NAN,
                    _ => return Err(wrong()),
                });
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

/// A list of values of that type, or null.
pub struct ItemsOf<'r> {
    pub scalar: &'r Scalar,
    pub slot: &'r mut Value,
}

impl<'de> DeserializeSeed<'de> for ItemsOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ItemsOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {:?}", self.scalar)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        *self.slot = Value::Null;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let scalar = self.scalar;
        set_list(self.slot, |slot| {
            Ok(seq.next_element_seed(OneOf { scalar, slot })?.is_some())
        })
    }
}
