//! An engine as a row of the comparison.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::Value;

/// One row of the comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineRow {
    /// Its label in tables (`sqlite_wal`); unique in the experiment.
    pub label: String,
    /// The engine's kind (`sqlite`).
    pub kind: String,
    /// Options as given, checked against what the engine declares; defaults are not filled in.
    /// Symbols are text, sizes are ints in bytes, times ints in nanoseconds.
    pub options: BTreeMap<String, Value>,
    /// What stands behind the name.
    pub fidelity: Fidelity,
    /// Durability promised under these options; `None` where the engine is not here.
    pub tier: Option<Tier>,
    /// The highest tier that a test of this project shows for the engine, whatever
    /// its options promise beyond; `None` where nothing was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tested: Option<Tier>,
    /// Version of the engine; `None` where it is not here.
    pub version: Option<String>,
    /// Why this row cannot run here and how to get it; `None` where it can.
    pub missing: Option<String>,
}

/// What stands behind an engine's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fidelity {
    /// The real engine.
    Native,
    /// Its documented mechanism, re-created on a real store.
    Model,
    /// This project's own.
    Own,
}

/// What is promised about an acknowledged commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Tier {
    /// Nothing.
    T0,
    /// It survives a kill of the process.
    T1,
    /// It survives power loss up to the last sync or checkpoint.
    T2,
    /// It survives power loss.
    T3,
}
