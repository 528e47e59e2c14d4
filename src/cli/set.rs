//! What the command line changes of an experiment.

use super::args::Changes;
use crate::check;
use crate::check::model::Experiment;
use crate::diagnostics::Diagnostic;
use crate::lower::Overrides;

/// The changes as `lower` takes them; all that is wrong with `--set` at once.
pub fn overrides(changes: &Changes, experiment: &Experiment) -> Result<Overrides, Vec<Diagnostic>> {
    let mut set = Vec::new();
    let mut errors = Vec::new();
    for text in &changes.set {
        match check::set(experiment, text) {
            Ok(one) => set.push(one),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let chosen = |labels: &[String]| (!labels.is_empty()).then(|| labels.to_vec());
    Ok(Overrides {
        set,
        engines: chosen(&changes.engines),
        trials: chosen(&changes.trials),
        runs: changes.runs,
        budget_ns: changes.budget,
        quick: changes.quick,
        typed: changes.typed(),
    })
}
