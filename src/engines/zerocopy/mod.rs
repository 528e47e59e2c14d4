//! `zerocopy`: our own store. Multi-version copy-on-write trees of columnar
//! leaves in one memory-mapped file; the format is docs/zerocopy-format.md.

mod answer;
mod batch;
mod block;
mod branch;
mod bytes;
mod catalog;
mod changes;
mod cluster;
mod commit;
mod compact;
mod condition;
mod delete;
mod deliver;
mod directory;
mod draft;
mod engine;
mod entries;
mod error;
mod explain;
mod extent;
mod found;
mod header;
mod insert;
mod key;
mod keys;
mod layout;
mod leaf;
mod links;
mod map;
mod merge;
mod node;
mod options;
mod order;
mod picks;
mod plan;
mod reader;
mod references;
mod roots;
mod row;
mod rows;
mod rowset;
mod scan;
mod select;
mod session;
mod snapshot;
mod space;
mod storage;
mod store;
mod test;
mod tree;
mod update;
mod upsert;
mod verify;
mod workspace;

#[cfg(test)]
mod tests;

pub use engine::Zerocopy;
pub use store::FILE;
pub use verify::{Report, verify};
