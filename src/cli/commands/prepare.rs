//! From a file to its plan, for the commands that need one.

use std::path::Path;

use crate::archive::SourceFile;
use crate::check::Checked;
use crate::cli::args::Changes;
use crate::cli::exit::Exit;
use crate::cli::{find, output, set};
use crate::diagnostics::{Code, Diagnostic};
use crate::lower;
use crate::plan::Plan;

/// A plan with the texts that it came from.
pub(super) struct Prepared {
    pub(super) plan: Plan,
    /// The experiment, then what it uses.
    pub(super) sources: Vec<SourceFile>,
}

/// A checked file without errors.
pub(super) struct Experiment {
    checked: Checked,
}

impl Experiment {
    /// Checks a file; what is wrong has been said when it fails.
    pub(super) fn check(file: &Path) -> Result<Experiment, Exit> {
        let checked = find::checked(file);
        output::diagnostics(&checked.diagnostics, &checked.sources);
        if checked.has_errors() {
            return Err(Exit::Wrong);
        }
        if checked.experiment.is_none() {
            let error = Diagnostic::general(
                Code::NothingToRun,
                format!(
                    "{} is a module: it has no experiment to run",
                    file.display()
                ),
            )
            .help("a file that can be run has an `experiment \"title\" { … }`");
            output::diagnostics(&[error], &checked.sources);
            return Err(Exit::Wrong);
        }
        Ok(Experiment { checked })
    }

    /// Lowers it with the engines as they are here now; what is wrong has been
    /// said when it fails.
    pub(super) fn lower(&self, changes: &Changes) -> Result<Prepared, Exit> {
        let Some(experiment) = &self.checked.experiment else {
            return Err(Exit::Wrong);
        };
        let plan = set::overrides(changes, experiment)
            .and_then(|overrides| lower::lower(experiment, &overrides));
        match plan {
            Ok(plan) => Ok(Prepared {
                plan,
                sources: self
                    .checked
                    .files
                    .iter()
                    .map(|(name, text)| SourceFile {
                        name: name.clone(),
                        text: text.clone(),
                    })
                    .collect(),
            }),
            Err(errors) => {
                output::diagnostics(&errors, &self.checked.sources);
                Err(Exit::Wrong)
            }
        }
    }
}
