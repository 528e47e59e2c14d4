//! `report DIR`

use crate::archive;
use crate::cli::args::{Format, ReportArgs};
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::diagnostics::Sources;
use crate::report::{self, Report};

pub(super) fn report(args: &ReportArgs) -> Exit {
    match archive::open(&args.directory) {
        Ok(archive) => {
            let report = report::of_archive(&archive);
            print(&report, args.format);
            exit(&report)
        }
        Err(error) => {
            output::diagnostics(&[error], &Sources::new());
            Exit::Environment
        }
    }
}

/// Prints a report to standard output.
pub(super) fn print(report: &Report, format: Format) {
    output::data(&match format {
        Format::Table => report::terminal::render(report, output::table_style()),
        Format::Markdown => report::markdown::render(report),
        Format::Csv => report::csv::render(report),
        Format::Json => report::json::render(report),
    });
}

pub(super) fn exit(report: &Report) -> Exit {
    if report.good { Exit::Good } else { Exit::Bad }
}
