//! `report DIR`

use std::path::Path;

use crate::archive::{self, Note};
use crate::cli::args::{Format, ReportArgs};
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::diagnostics::Sources;
use crate::report::{self, Report};

pub(super) fn report(args: &ReportArgs) -> Exit {
    match archive::open(&args.directory) {
        Ok(mut archive) => {
            archive.manifest.notes.extend(changed(&args.directory));
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

/// What no longer is as the run left it.
fn changed(directory: &Path) -> Option<Note> {
    let files = match archive::verify(directory) {
        Ok(found) if found.intact() => return None,
        Ok(found) => {
            let gone = found.missing.iter().map(|file| format!("{file} (gone)"));
            found.changed.iter().cloned().chain(gone).collect()
        }
        Err(error) => vec![error.message],
    };
    Some(Note::Changed { files })
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
