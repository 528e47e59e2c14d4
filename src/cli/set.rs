//! What the command line changes of an experiment.

use super::args::Changes;
use crate::check;
use crate::check::model::Experiment;
use crate::diagnostics::{Code, Diagnostic};
use crate::lower::{self, Overrides};

/// The changes as `lower` takes them; all that is wrong with them at once.
pub fn overrides(changes: &Changes, experiment: &Experiment) -> Result<Overrides, Vec<Diagnostic>> {
    let mut set: Vec<(String, _)> = Vec::new();
    let mut errors = Vec::new();
    for text in &changes.set {
        match check::set(experiment, text) {
            Ok((name, _)) if set.iter().any(|(other, _)| *other == name) => errors.push(
                Diagnostic::general(
                    Code::UnknownOverride,
                    format!("`--set {text}`: `{name}` is set twice"),
                )
                .help(format!(
                    "write all its values at once: `--set {name}=1k,10k`"
                )),
            ),
            Ok(one) => set.push(one),
            Err(error) => errors.push(error),
        }
    }
    errors.extend(lower::unknown_labels(
        experiment,
        &changes.engines,
        &changes.trials,
    ));
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
