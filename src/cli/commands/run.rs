//! `run FILE`

use super::install;
use super::prepare::{Experiment, Prepared};
use super::report::{exit, print};
use super::require;
use crate::archive::{self, State};
use crate::cli::args::RunArgs;
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::diagnostics::{Diagnostic, Sources};
use crate::report;
use crate::run::{RunOptions, StderrProgress, execute};

pub(super) fn run(args: &RunArgs) -> Exit {
    let prepared = match prepare(args) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    match measure(args, &prepared) {
        Ok(exit) => exit,
        Err(error) => {
            output::diagnostics(&[error], &Sources::new());
            Exit::Environment
        }
    }
}

/// The plan, with the engines that it needs brought if that is asked for, and
/// those that must be here looked for.
fn prepare(args: &RunArgs) -> Result<Prepared, Exit> {
    let experiment = Experiment::check(&args.file)?;
    let mut prepared = experiment.lower(&args.changes)?;
    require::known(&args.require, &prepared.plan)?;
    if args.install {
        let pins = install::needed(&prepared.plan);
        if !pins.is_empty() {
            match install::bring(&pins, None, None) {
                Exit::Good => {}
                exit => return Err(exit),
            }
            // Versions and tiers are those of what is here now.
            prepared = experiment.lower(&args.changes)?;
        }
    }
    require::here(&args.require, &prepared.plan)?;
    Ok(prepared)
}

fn measure(args: &RunArgs, prepared: &Prepared) -> Result<Exit, Diagnostic> {
    let mut options = RunOptions::from_environment()?;
    options.out.clone_from(&args.out);
    options.resume.clone_from(&args.resume);
    let mut progress = StderrProgress::new();
    let summary = execute(&prepared.plan, &prepared.sources, &options, &mut progress)?;
    // From the archive and nothing else: what is printed is what was kept.
    let archive = archive::open(&summary.directory)?;
    let report = report::of_archive(&archive);
    print(&report, args.format);
    Ok(match summary.state {
        State::Interrupted => Exit::Interrupted,
        _ => exit(&report),
    })
}
