//! From a file to its plan, for the commands that need one.

use std::path::Path;

use crate::archive::SourceFile;
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

/// Checks and lowers a file; what is wrong has been said when it fails.
pub(super) fn prepare(file: &Path, changes: &Changes) -> Result<Prepared, Exit> {
    let checked = find::checked(file);
    output::diagnostics(&checked.diagnostics, &checked.sources);
    if checked.has_errors() {
        return Err(Exit::Wrong);
    }
    let Some(experiment) = &checked.experiment else {
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
    };
    let plan = set::overrides(changes, experiment)
        .and_then(|overrides| lower::lower(experiment, &overrides));
    match plan {
        Ok(plan) => Ok(Prepared {
            plan,
            sources: checked
                .files
                .into_iter()
                .map(|(name, text)| SourceFile { name, text })
                .collect(),
        }),
        Err(errors) => {
            output::diagnostics(&errors, &checked.sources);
            Err(Exit::Wrong)
        }
    }
}
