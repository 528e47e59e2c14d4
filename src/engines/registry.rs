//! Every engine known by name: here, or to come.

use super::contract::Engine;
use super::coredata::CoreData;
use super::memory::MemoryEngine;
use super::mmkv::Mmkv;
use super::null::NullEngine;
use super::objectbox::ObjectBox;
use super::presence::Presence;
use super::realm::RealmEngine;
use super::room::Room;
use super::sqlite::Sqlite;
use super::swiftdata::SwiftData;
use super::zerocopy::Zerocopy;
use crate::plan::Fidelity;

/// What the registry knows of a kind.
#[derive(Clone, Copy)]
pub enum Known {
    /// This version has an adapter for it; [`Engine::presence`] says whether it can run.
    Adapter(&'static dyn Engine),
    /// A file may name it; its row says that it is not here.
    Missing(&'static MissingEngine),
}

/// An engine without an adapter.
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

/// Engines that this version has an adapter for, in the order of `persist-lab engines`.
pub fn adapters() -> &'static [&'static dyn Engine] {
    static ADAPTERS: &[&dyn Engine] = &[
        &MemoryEngine,
        &NULL,
        &Zerocopy,
        &Sqlite,
        &RealmEngine,
        &Mmkv,
        &ObjectBox,
        &CoreData,
        &SwiftData,
        &Room,
    ];
    ADAPTERS
}

/// Those of them that can run on this machine.
pub fn here() -> impl Iterator<Item = &'static dyn Engine> {
    adapters()
        .iter()
        .copied()
        .filter(|engine| engine.presence() == Presence::Here)
}

/// Engines that are known by name and have no adapter yet.
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
    ];
    ALL
}

/// What is known of a kind; `None` for a name that no engine has.
pub fn find(kind: &str) -> Option<Known> {
    if let Some(engine) = adapters().iter().find(|e| e.kind() == kind) {
        return Some(Known::Adapter(*engine));
    }
    missing()
        .iter()
        .find(|m| m.kind == kind)
        .map(Known::Missing)
}

/// All names, for did-you-mean.
pub fn kinds() -> Vec<&'static str> {
    adapters()
        .iter()
        .map(|e| e.kind())
        .chain(missing().iter().map(|m| m.kind))
        .collect()
}
