//! `--require`: engines without which nothing is run.

use crate::cli::exit::Exit;
use crate::cli::output;
use crate::diagnostics::{Code, Diagnostic, Sources, did_you_mean_or_all};
use crate::plan::{EngineRow, Plan};

/// Refuses names that no row of the plan has, be it as label or as kind.
pub(super) fn known(names: &[String], plan: &Plan) -> Result<(), Exit> {
    let errors: Vec<Diagnostic> = names
        .iter()
        .filter(|name| rows(name, plan).next().is_none())
        .map(|name| unknown(name, plan))
        .collect();
    refuse(&errors, Exit::Wrong)
}

/// Refuses where a required row cannot run here.
pub(super) fn here(names: &[String], plan: &Plan) -> Result<(), Exit> {
    let mut errors: Vec<Diagnostic> = Vec::new();
    for row in names.iter().flat_map(|name| rows(name, plan)) {
        let Some(how) = &row.missing else { continue };
        let error = Diagnostic::general(
            Code::RequiredMissing,
            format!("{} is required and cannot run here", row.label),
        )
        .help(how.clone());
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    refuse(&errors, Exit::Environment)
}

fn rows<'p>(name: &'p str, plan: &'p Plan) -> impl Iterator<Item = &'p EngineRow> {
    plan.engines
        .iter()
        .filter(move |row| row.label == name || row.kind == name)
}

fn unknown(name: &str, plan: &Plan) -> Diagnostic {
    let mut names: Vec<&str> = Vec::new();
    for row in &plan.engines {
        for name in [row.label.as_str(), row.kind.as_str()] {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Diagnostic::general(
        Code::UnknownOverride,
        format!("`--require {name}`: no engine of this run has that label or kind"),
    )
    .maybe_help(did_you_mean_or_all(name, names.iter().copied()))
}

fn refuse(errors: &[Diagnostic], exit: Exit) -> Result<(), Exit> {
    if errors.is_empty() {
        return Ok(());
    }
    output::diagnostics(errors, &Sources::new());
    Err(exit)
}
