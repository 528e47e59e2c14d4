//! What the supervisor hands to one worker on standard input.

use serde::{Deserialize, Serialize};

use super::hook::Hook;
use super::job::{Job, Pool};

/// One cell's work, self-contained: a worker reads nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// [`super::PLAN_VERSION`].
    pub version: u32,
    /// Kind of the engine to open; `null` and `memory` (the oracle) among them.
    pub kind: String,
    /// The job.
    pub job: Job,
    /// Pools that its generators name (same positions as in the plan).
    pub pools: Vec<Pool>,
    /// Hooks (same positions as in the plan).
    pub hooks: Vec<Hook>,
    /// Seed of all data and draws.
    pub seed: u64,
    /// Whether the store is made cold once, between setup and the first measured step.
    pub cold: bool,
    /// Fresh, empty directory for the store.
    pub directory: std::path::PathBuf,
    /// Anonymous memory allowed, in bytes.
    pub memory_bytes: u64,
    /// Whether the untimed second pass runs.
    pub verify: bool,
    /// For `null`: how many records each step delivers, setup first, as the oracle counted.
    pub deliver: Option<Vec<u64>>,
}
