//! Every engine known by name: here, or to come.

use super::contract::Engine;
use super::memory::MemoryEngine;
use super::null::NullEngine;
use super::sqlite::Sqlite;
use crate::plan::Fidelity;

/// What the registry knows of a kind.
#[derive(Clone, Copy)]
pub enum Known {
    /// It can run here.
    Here(&'static dyn Engine),
    /// A file may name it; its row says that it is not here.
    Missing(&'static MissingEngine),
}

/// An engine that is not here.
#[derive(Clone, Copy, Debug)]
pub struct MissingEngine {
    /// Its name in experiments.
    pub kind: &'static str,
    /// One line for `persist-lab engines`.
    pub about: &'static str,
    /// What would stand behind the name.
    pub fidelity: Fidelity,
    /// Why it is not here and what to do.
    pub how: &'static str,
}

static NULL: NullEngine = NullEngine::idle();

/// Engines that can run here, in the order of `persist-lab engines`.
pub fn here() -> &'static [&'static dyn Engine] {
    static HERE: &[&dyn Engine] = &[&MemoryEngine, &NULL, &Sqlite];
    HERE
}

/// Engines that are known and not here.
pub fn missing() -> &'static [MissingEngine] {
    const LATER: &str = "not here yet: this version has no adapter for it";
    const fn later(kind: &'static str, about: &'static str, fidelity: Fidelity) -> MissingEngine {
        MissingEngine {
            kind,
            about,
            fidelity,
            how: LATER,
        }
    }
    const ALL: &[MissingEngine] = &[
        later(
            "realm",
            "Realm Core, the object store of the Realm SDKs",
            Fidelity::Native,
        ),
        later(
            "objectbox",
            "ObjectBox, an object store over LMDB",
            Fidelity::Native,
        ),
        later(
            "mmkv",
            "MMKV, Tencent's memory-mapped key-value store",
            Fidelity::Native,
        ),
        later(
            "swiftdata",
            "SwiftData's mechanism over SQLite",
            Fidelity::Model,
        ),
        later(
            "coredata",
            "Core Data's mechanism over SQLite",
            Fidelity::Model,
        ),
        later("room", "Room's mechanism over SQLite", Fidelity::Model),
        later("lmdb", "LMDB, a memory-mapped B+-tree", Fidelity::Native),
        later(
            "redb",
            "redb, a copy-on-write B-tree in Rust",
            Fidelity::Native,
        ),
        later(
            "fjall",
            "fjall, a log-structured merge tree in Rust",
            Fidelity::Native,
        ),
        later(
            "zerocopy",
            "this project's memory-mapped columnar store",
            Fidelity::Own,
        ),
    ];
    ALL
}

/// What is known of a kind; `None` for a name that no engine has.
pub fn find(kind: &str) -> Option<Known> {
    if let Some(engine) = here().iter().find(|e| e.kind() == kind) {
        return Some(Known::Here(*engine));
    }
    missing()
        .iter()
        .find(|m| m.kind == kind)
        .map(Known::Missing)
}

/// All names, for did-you-mean.
pub fn kinds() -> Vec<&'static str> {
    here()
        .iter()
        .map(|e| e.kind())
        .chain(missing().iter().map(|m| m.kind))
        .collect()
}
