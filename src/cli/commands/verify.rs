//! `engines verify`: whether a store's file is sound.

use std::fmt::Write as _;

use crate::base::units::format_size;
use crate::cli::args::VerifyArgs;
use crate::cli::exit::Exit;
use crate::cli::output;
use crate::engines::ErrorKind;
use crate::engines::zerocopy::{self, Report};

pub(super) fn verify(args: &VerifyArgs) -> Exit {
    match zerocopy::verify(&args.file) {
        Ok(report) => {
            output::data(&words(&report));
            match report.faults.is_empty() {
                true => Exit::Good,
                false => Exit::Bad,
            }
        }
        Err(error) if error.kind == ErrorKind::Corrupt => {
            output::data(&format!("damaged: {error}\n"));
            Exit::Bad
        }
        Err(error) => {
            output::say(&format!("{}: {error}", args.file.display()));
            Exit::Environment
        }
    }
}

fn words(report: &Report) -> String {
    let mut text = String::new();
    for fault in &report.faults {
        let _ = writeln!(text, "damaged: {fault}");
    }
    // Nothing is known of a file without a whole version.
    if report.nodes == 0 {
        return text;
    }
    let size = |bytes: u64| format_size(bytes as f64);
    let _ = writeln!(
        text,
        "version {}: {} nodes of {}, {} free, {} waiting to be free",
        report.version,
        report.nodes,
        size(report.used_bytes),
        size(report.free_bytes),
        size(report.waiting_bytes)
    );
    for (model, count) in &report.records {
        let _ = writeln!(text, "{model}: {count}");
    }
    text
}
