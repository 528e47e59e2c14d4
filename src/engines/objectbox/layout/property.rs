//! Properties: how a value is kept in an object.

use std::ffi::c_int;

use crate::engines::objectbox::ffi::types::property;
use crate::plan::schema::ModelId;

/// One property of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name in the store.
    pub name: String,
    /// Id in its entity, from 1.
    pub id: u32,
    /// How its value is kept.
    pub storage: Storage,
    /// Flags of the C API.
    pub flags: u32,
    /// Whether it has an index, which a to-one relation always has.
    pub indexed: bool,
    /// Whether the engine itself refuses the same value twice.
    pub unique: bool,
    /// Whether null is allowed.
    pub optional: bool,
}

impl Property {
    /// Its offset in the object's table of fields.
    /// Source: the FlatBuffers format: two 16-bit sizes, then one entry a field.
    pub fn slot(&self) -> usize {
        2 + 2 * self.id as usize
    }
}

/// How a value is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Storage {
    /// The object's own id.
    Id,
    /// A byte, 0 or 1.
    Bool,
    /// 64 bits.
    Long,
    /// 64 bits, milliseconds.
    Date,
    /// A double.
    Double,
    /// UTF-8.
    Text,
    /// UTF-8, JSON in it.
    Json,
    /// 36 characters: byte vectors can have no index.
    UuidText,
    /// 16 bytes.
    UuidBytes,
    /// A vector of bytes.
    Bytes,
    /// 32 bits: the place of the case among these, which are sorted by bytes,
    /// so that the order of the numbers is that of the texts.
    Enum(Vec<String>),
    /// The id of an object of that entity, 0 for none.
    ToOne(ModelId),
    /// A vector.
    Vector(Element),
}

/// What a vector holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Bytes, 0 or 1.
    Bool,
    /// 64 bits.
    Long,
    /// 64 bits, milliseconds.
    Date,
    /// Doubles.
    Double,
    /// Texts, enum cases too.
    Text,
    /// Texts, JSON in them.
    Json,
    /// Texts of 36 characters.
    Uuid,
    /// Each as its length in 32 bits and its bytes, in one vector of bytes:
    /// there are no vectors of vectors.
    Blob,
}

impl Storage {
    /// The type that the C API has for it.
    pub fn kind(&self) -> c_int {
        match self {
            Storage::Id | Storage::Long => property::LONG,
            Storage::Bool => property::BOOL,
            Storage::Date => property::DATE,
            Storage::Double => property::DOUBLE,
            Storage::Text | Storage::Json | Storage::UuidText => property::STRING,
            Storage::UuidBytes | Storage::Bytes => property::BYTE_VECTOR,
            Storage::Enum(_) => property::INT,
            Storage::ToOne(_) => property::RELATION,
            Storage::Vector(element) => match element {
                Element::Bool => property::BOOL_VECTOR,
                Element::Long => property::LONG_VECTOR,
                Element::Date => property::DATE_VECTOR,
                Element::Double => property::DOUBLE_VECTOR,
                Element::Text | Element::Json | Element::Uuid => property::STRING_VECTOR,
                Element::Blob => property::BYTE_VECTOR,
            },
        }
    }

    /// Whether there can be an index over it, and of which sort: `Some(true)`
    /// for a text, which has a choice.
    pub fn index(&self) -> Option<bool> {
        match self {
            Storage::Text | Storage::Json | Storage::UuidText => Some(true),
            Storage::Bool | Storage::Long | Storage::Date | Storage::Enum(_) => Some(false),
            Storage::Id
            | Storage::Double
            | Storage::UuidBytes
            | Storage::Bytes
            | Storage::ToOne(_)
            | Storage::Vector(_) => None,
        }
    }
}
