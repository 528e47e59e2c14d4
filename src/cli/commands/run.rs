//! `run FILE`

use super::prepare::prepare;
use super::report::{exit, print};
use crate::archive::{self, State};
use crate::cli::args::RunArgs;
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::diagnostics::{Diagnostic, Sources};
use crate::report;
use crate::run::{RunOptions, StderrProgress, execute};

pub(super) fn run(args: &RunArgs) -> Exit {
    let prepared = match prepare(&args.file, &args.changes) {
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

fn measure(args: &RunArgs, prepared: &super::prepare::Prepared) -> Result<Exit, Diagnostic> {
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
