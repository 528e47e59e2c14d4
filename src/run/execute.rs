//! A whole run: every cell of a plan, or as many as the budget allows.

use super::events::Events;
use super::interrupt::Interrupt;
use super::options::RunOptions;
use super::portable;
use super::setout::set_out;
use super::summary::Summary;
use super::supervisor::Supervisor;
use crate::archive::SourceFile;
use crate::diagnostics::Diagnostic;
use crate::plan::Plan;

/// Runs a plan and leaves an archive. `sources` are the experiment's own text,
/// then the modules and pool files that it uses.
///
/// An interruption (SIGINT, SIGTERM) and a spent budget are no errors: the
/// summary says how far the run got.
///
/// # Errors
/// Where the environment refuses: the archive cannot be written or is another
/// plan's, no worker can be started. What was finished before stays in the archive.
pub fn execute(
    plan: &Plan,
    sources: &[SourceFile],
    options: &RunOptions,
    events: &mut dyn Events,
) -> Result<Summary, Diagnostic> {
    let interrupt = Interrupt::install();
    let plan = portable::plan(plan, sources);
    let setout = set_out(&plan, sources, options)?;
    Supervisor::new(&plan, options, setout, &interrupt, events).run()
}
