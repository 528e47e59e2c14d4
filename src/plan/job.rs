//! One engine, one trial, one point: what a cell runs.

use serde::{Deserialize, Serialize};

use super::expr::Expr;
use super::schema::{ModelId, Schema};
use super::step::Step;
use crate::base::Value;

/// Values of the axes, in the order of the file.
pub type Point = Vec<(String, Value)>;

/// What every run of one (engine, trial, point) does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// `label/trial/n=1000,batch=10`: unique in the plan, stable across plans of the same file.
    pub id: String,
    /// Position of the engine in [`super::Plan::engines`].
    pub engine: usize,
    /// Options of the engine at this point (axes filled in).
    pub options: std::collections::BTreeMap<String, Value>,
    /// Durability tier at this point.
    pub tier: Option<super::engine::Tier>,
    /// Label of the trial.
    pub trial: String,
    /// Where on the axes; only those that this job names.
    pub point: Point,
    /// Top-level objects that the trial creates: the size by which small ones go first.
    pub size: u64,
    /// Counted runs.
    pub runs: u32,
    /// Whether this point is left out, and why (`skip when …`).
    pub skipped: Option<String>,
    /// What is stored.
    pub schema: Schema,
    /// Generator of each field, as in the schema; `None` for back-links.
    pub generators: Vec<Vec<Option<Expr>>>,
    /// Which rows exist by which step, and what they could link to.
    pub extents: Vec<Extent>,
    /// Untimed steps before the measured ones.
    pub setup: Vec<Step>,
    /// Measured steps.
    pub steps: Vec<Step>,
    /// Jobs with the same answers have the same key: a digest over what the answers depend on
    /// (seed, schema without indexes, generators, steps), not over the engine.
    pub answer_key: String,
}

/// A run of rows of one model made by one step.
///
/// `one of School` picks among the schools that existed when its step ran, so
/// a row can only be generated again with the populations of that moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// Their model.
    pub model: ModelId,
    /// First row.
    pub first_row: u64,
    /// How many.
    pub count: u64,
    /// Rows `0..populations[m]` of model `m` that could be linked to.
    pub populations: Vec<u64>,
}

/// A pool: a named list of texts (or other constants).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pool {
    /// Its name, qualified if it came from a module (`people.first_name`).
    pub name: String,
    /// Its entries, in order.
    pub values: Vec<Value>,
}
