//! What a run tells while it runs.

use std::path::Path;
use std::time::Duration;

use super::summary::Summary;
use crate::plan::order::Cell;
use crate::plan::{Job, Plan};
use crate::sample::CellRecord;

/// Where a run stands.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Cells done, those of earlier sessions included.
    pub done: u64,
    /// Cells of the plan.
    pub total: u64,
    /// Time left, as far as it can be told.
    pub left: Option<Duration>,
}

/// Takes what a run tells. Every method may do nothing.
pub trait Events {
    /// The archive is there; the first cell comes next.
    fn began(&mut self, _directory: &Path, _progress: &Progress<'_>) {}
    /// The oracle is asked about a job.
    fn oracle(&mut self, _job: &Job, _progress: &Progress<'_>) {}
    /// A cell begins.
    fn cell(&mut self, _cell: Cell, _job: &Job, _progress: &Progress<'_>) {}
    /// A worker has been at work for so long; about every second.
    fn pulse(&mut self, _lived: Duration) {}
    /// A cell has its record.
    fn ended(&mut self, _record: &CellRecord, _progress: &Progress<'_>) {}
    /// The run has ended, in whatever state.
    fn finished(&mut self, _summary: &Summary) {}
}

/// Tells nothing.
#[derive(Debug)]
pub struct Silent;

impl Events for Silent {}
