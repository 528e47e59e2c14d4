//! Records over an engine that knows values under keys, and nothing else.
//!
//! What an app writes above such an engine: a record is one value under its
//! key ([`key`]), as JSON or in a compact form ([`encoding`]); links are
//! identities inside it; a question that does not ask for one key is a scan
//! that decodes what it touches and evaluates the rest; a transaction is a
//! buffer that is handed over at commit. An engine under it implements
//! [`KeyValue`].

mod ask;
mod binary;
mod block;
mod canonical;
mod delete;
pub mod encoding;
mod explain;
mod fields;
mod find;
mod insert;
mod json;
pub mod key;
pub mod keyvalue;
pub mod layout;
mod page;
mod pending;
mod program;
mod reader;
pub mod session;
mod slot;
mod store;
#[cfg(test)]
mod tests;
mod uniques;
mod update;
mod view;
mod wanted;

pub use encoding::Encoding;
pub use explain::{Access, above, access};
pub use keyvalue::{KeyValue, Visit, Write};
pub use session::RecordSession;
