//! What the steps of a cell work with.

use std::rc::Rc;

use super::clock::Clock;
use super::steps::expect::Answers;
use super::store::Store;
use super::weight::Weight;
use crate::plan::Job;
use crate::workload::{HookRunner, Source};

/// The work bench of one cell.
pub struct Bench<'a> {
    /// What is done.
    pub job: &'a Job,
    /// Generated data.
    pub source: &'a Source,
    /// The experiment's hooks.
    pub hooks: Rc<dyn HookRunner>,
    /// The engine's store.
    pub store: Store<'a>,
    /// Timed windows of the running step.
    pub clock: Clock,
    /// Answers of the steps so far.
    pub answers: Answers,
    /// What was instantiated and not stored yet.
    pub instantiated: Weight,
    /// Share of the files' pages that is resident before the running step.
    pub resident_before: Option<f64>,
}
