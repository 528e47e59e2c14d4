//! Arguments, commands, exit codes.
//!
//! Data goes to standard output, everything else to standard error. A reader
//! that goes away (`| head`) ends the output quietly.

mod args;
mod commands;
mod exit;
mod find;
mod output;
mod set;

use std::process::ExitCode;

use clap::Parser;

pub use exit::Exit;

/// The whole program: arguments in, exit code out.
pub fn main() -> ExitCode {
    let command = args::Args::parse().command;
    // Another program's memory limits and signals: before anything else runs.
    if matches!(command, args::Command::Worker) {
        return crate::worker::main();
    }
    match commands::run(&command) {
        Exit::Good | Exit::Bad if !output::whole() => Exit::Environment.into(),
        exit => exit.into(),
    }
}
