//! A run on disk: one directory, written cell by cell, sealed at the end.
//!
//! `docs/archive.md` describes the files. [`Recorder`] writes them, [`open`]
//! reads them back, of an interrupted run as well; reports are computed from
//! what [`open`] gives and from nothing else.

pub mod answers;
pub mod atomic;
pub mod differ;
pub mod environment;
pub mod fault;
pub mod format;
pub mod hashes;
pub mod lines;
pub mod lock;
pub mod manifest;
pub mod other_plan;
pub mod reader;
pub mod recorder;
pub mod source;

pub use answers::{AnswerRecord, Expected, ExpectedStep, HarnessRecord};
pub use environment::Environment;
pub use format::ARCHIVE_VERSION;
pub use hashes::{Verification, verify};
pub use manifest::{Manifest, Note, Session, State};
pub use reader::{Archive, open};
pub use recorder::Recorder;
pub use source::{SourceEntry, SourceFile};
