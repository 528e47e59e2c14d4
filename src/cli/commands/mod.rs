//! One file per command.

mod check;
mod engines;
mod fmt;
mod new;
mod plan;
mod prepare;
mod report;
mod run;

use super::args::Command;
use super::exit::Exit;

/// Carries a command out.
pub fn run(command: &Command) -> Exit {
    match command {
        Command::Run(args) => run::run(args),
        Command::Check(args) => check::check(args),
        Command::Plan(args) => plan::plan(args),
        Command::Report(args) => report::report(args),
        Command::Fmt(args) => fmt::fmt(args),
        Command::Engines => engines::engines(),
        Command::New(args) => new::new(args),
        // Answered before: a worker is a program of its own.
        Command::Worker => Exit::Wrong,
    }
}
