//! Records in a compact form in which each field has its place.
//!
//! All integers little-endian. A model's fields fall into those of fixed width
//! and pieces; both keep the order of the model.
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | version of this format: 1 |
//! | ⌈fields / 8⌉ | one bit per field, lowest first: whether it is null |
//! | per fixed field | bool 1, enum 2 (number of the case), int, float (IEEE 754 bits), timestamp, row of a link 8, uuid 16; zeros where null |
//! | 4 per piece | where the piece ends, from the beginning of the first |
//! | … | the pieces: text, json, blob as their bytes, lists, to-many links |
//!
//! A list is a sequence of items: a byte that says whether there is a value
//! (1) or a null (0), then the value; a value of no fixed width has its length
//! in 4 bytes before it. A to-one link is the identity of its target, in the
//! form of that target's key field. So a field is found by its number alone,
//! whatever stands before it.

mod item;
mod read;
mod write;

pub use read::read;
pub use write::Writer;
