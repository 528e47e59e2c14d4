//! Records as JSON: one object, fields by name in the order of the model.
//!
//! | value | as |
//! | --- | --- |
//! | null | the field is left out; in a list, `null` |
//! | bool, int, timestamp | `true`, `-5` |
//! | float | the shortest decimal that reads back the same, with a point or exponent; `"inf"`, `"-inf"` |
//! | text, enum | a string |
//! | uuid | a string, hyphenated |
//! | blob | a string, Base64 (RFC 4648, section 4) |
//! | json | itself, nested |
//! | list | an array |
//! | to-one link, back-link | the identity of its target |
//! | to-many link | an array of identities |
//!
//! Written and read by `serde_json`. Reading goes over the whole text, checks
//! it, and makes values of the wanted fields alone.

mod base64;
mod element;
mod read;
mod write;

pub use read::read;
pub use write::Writer;
