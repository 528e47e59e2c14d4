//! What a report is computed from: what an archive holds, and nothing else.

use crate::plan::Plan;
use crate::sample::CellRecord;
use crate::stats::Harness;

/// Everything recorded about a run.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Finished cells, in the order they were recorded.
    pub records: &'a [CellRecord],
    /// What the null engine took.
    pub harness: &'a Harness,
    /// Whether the tool was built without optimisation.
    pub debug_build: bool,
    /// Machine, tool and engines, as lines.
    pub environment: &'a [(String, String)],
}
