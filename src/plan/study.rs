//! The whole plan: the experiment's facts and all its jobs.

use serde::{Deserialize, Serialize};

use super::claim::Claim;
use super::engine::EngineRow;
use super::hook::Hook;
use super::job::{Job, Pool};

/// What is run: complete, and the only thing that `run` and `report` need of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// [`super::PLAN_VERSION`] when written.
    pub version: u32,
    /// Facts about the experiment.
    pub study: Study,
    /// Rows of the comparison, in the order of the file.
    pub engines: Vec<EngineRow>,
    /// Trials, in the order of the file: label and title.
    pub trials: Vec<TrialTitle>,
    /// Pools that generators name.
    pub pools: Vec<Pool>,
    /// Hooks, in the order of the file.
    pub hooks: Vec<Hook>,
    /// All jobs: trials in the order of the file, points ascending, engines in order.
    pub jobs: Vec<Job>,
    /// What the author claims.
    pub claims: Vec<Claim>,
}

/// Label and title of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialTitle {
    /// `simple`
    pub label: String,
    /// `Simple objects`
    pub title: String,
}

/// Facts about the experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Its title.
    pub title: String,
    /// `source` lines.
    pub sources: Vec<String>,
    /// `about`, if given.
    pub about: Option<String>,
    /// `authors`, if given.
    pub authors: Option<String>,
    /// Seed of all data, draws and the order of cells.
    pub seed: u64,
    /// Rounds that are run and discarded.
    pub warmup: u32,
    /// Whether engines take turns within a round.
    pub interleaved: bool,
    /// Whether the store is cold before every measured step's trial.
    pub cold: bool,
    /// Whether the author knows that tiers differ.
    pub tiers_mixed: bool,
    /// Wall time after which no further cell is started, in nanoseconds.
    pub budget_ns: Option<u64>,
    /// For one cell.
    pub limits: Limits,
    /// Whether this is a `--quick` run.
    pub quick: bool,
    /// Changes made on the command line (`--set`, `--runs` …), as typed.
    pub overrides: Vec<String>,
}

/// Limits of one cell; past them the cell is a result, not a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Anonymous memory of the worker, in bytes.
    pub memory_bytes: u64,
    /// Wall time, in nanoseconds.
    pub time_ns: u64,
    /// Allocated bytes in the cell's directory.
    pub disk_bytes: u64,
}
