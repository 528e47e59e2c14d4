//! MMKV: values under keys in a file that is mapped into memory.
//!
//! One instance per model, a record one value under its key. Everything beyond
//! `get` and `set` runs above it, in [`crate::engines::records`], and
//! `explain` says so. See `docs/engines/mmkv.md`.

mod engine;
mod explain;
mod ffi;
mod instance;
mod options;
mod tier;
mod values;

pub use engine::Mmkv;
