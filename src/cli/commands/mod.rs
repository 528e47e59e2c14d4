//! One file per command.

mod check;
mod engines;
mod fmt;
mod install;
mod new;
mod plan;
mod prepare;
mod report;
mod require;
mod run;
mod verify;

use super::args::{Command, EnginesAction};
use super::exit::Exit;

/// Carries a command out.
pub fn run(command: &Command) -> Exit {
    match command {
        Command::Run(args) => run::run(args),
        Command::Check(args) => check::check(args),
        Command::Plan(args) => plan::plan(args),
        Command::Report(args) => report::report(args),
        Command::Fmt(args) => fmt::fmt(args),
        Command::Engines(args) => match &args.action {
            None => engines::engines(),
            Some(EnginesAction::Install(args)) => install::install(args),
            Some(EnginesAction::Remove(args)) => install::remove(args),
            Some(EnginesAction::Verify(args)) => verify::verify(args),
        },
        Command::New(args) => new::new(args),
        // Answered before: a worker is a program of its own.
        Command::Worker => Exit::Wrong,
    }
}
