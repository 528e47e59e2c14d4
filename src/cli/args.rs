//! The command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use super::exit;
use crate::base::units::{exact_duration, parse_time};

/// A laboratory for embedded persistence: declarative experiments, real
/// storage engines, checked answers.
#[derive(Debug, Parser)]
#[command(name = "persist-lab", version, after_help = exit::HELP, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run an experiment, keep its archive, print its tables
    #[command(after_help = exit::HELP)]
    Run(RunArgs),
    /// Check files, reporting every mistake at once
    Check(CheckArgs),
    /// Show what would run: cells, each step in the engines' own words, time and disk
    Plan(PlanArgs),
    /// Print the tables of a finished or interrupted run again
    Report(ReportArgs),
    /// Format files in place
    Fmt(FmtArgs),
    /// List the engines: what is here, its options, how to get what is missing
    #[command(after_help = ENGINES_HELP)]
    Engines(EnginesArgs),
    /// Write a commented starter file that runs
    New(NewArgs),
    /// One cell, for the supervisor
    #[command(hide = true)]
    Worker,
}

/// What of an experiment is changed; `run` and `plan` alike.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct Changes {
    /// Replace a param or the values of a sweep (`--set n=1k,10k`)
    #[arg(long = "set", value_name = "NAME=V[,V…]")]
    pub set: Vec<String>,
    /// Only these engines, by label
    #[arg(long = "engine", value_name = "L,…", value_delimiter = ',')]
    pub engines: Vec<String>,
    /// Only these trials, by label
    #[arg(long = "trial", value_name = "L,…", value_delimiter = ',')]
    pub trials: Vec<String>,
    /// Counted runs of each row
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub runs: Option<u32>,
    /// Start no further cell after this time (`15min`)
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = budget)]
    pub budget: Option<u64>,
    /// A first look: 3 runs, nothing above 10k, or what the file's `quick` block says
    #[arg(long)]
    pub quick: bool,
}

/// `run`
#[derive(Debug, ClapArgs)]
pub struct RunArgs {
    /// The experiment
    pub file: PathBuf,
    /// What of it is changed.
    #[command(flatten)]
    pub changes: Changes,
    /// Where the archive goes; a new directory below `results/local` by default
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Go on with an interrupted run; nothing finished is run again
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// First install the engines that the experiment needs and a package brings
    #[arg(long)]
    pub install: bool,
    /// Run nothing unless these engines can run here, by label or kind
    #[arg(long, value_name = "L,…", value_delimiter = ',')]
    pub require: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// `check`
#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// Experiments or modules
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print a station on the way instead, as JSON
    #[arg(long, value_enum)]
    pub emit: Option<Emit>,
    /// How to print findings: text on standard error, JSON on standard output
    #[arg(long, value_enum, default_value_t)]
    pub format: CheckFormat,
}

/// `plan`
#[derive(Debug, ClapArgs)]
pub struct PlanArgs {
    /// The experiment
    pub file: PathBuf,
    /// What of it is changed.
    #[command(flatten)]
    pub changes: Changes,
}

/// `report`
#[derive(Debug, ClapArgs)]
pub struct ReportArgs {
    /// The archive's directory
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// `fmt`
#[derive(Debug, ClapArgs)]
pub struct FmtArgs {
    /// Files to format
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Change nothing; name the files that would change, and exit with 1
    #[arg(long)]
    pub check: bool,
}

/// Where engines lie, and who brings them.
const ENGINES_HELP: &str = "\
realm, objectbox and mmkv are not part of this program. `engines install` has their
packages fetched by npm and pip as they are set up here, compares the hash with the one
in this program, builds realm and mmkv with the C++ compiler of the machine (CXX, CC),
and puts the libraries below PERSIST_LAB_HOME, or persist-lab in the user's data directory.";

/// `engines`
#[derive(Debug, ClapArgs)]
pub struct EnginesArgs {
    /// What to do; lists them if nothing is said.
    #[command(subcommand)]
    pub action: Option<EnginesAction>,
}

/// What to do with engines.
#[derive(Debug, Subcommand)]
pub enum EnginesAction {
    /// Fetch, build and keep engines that this program does not carry
    Install(InstallArgs),
    /// Remove what was installed
    Remove(RemoveArgs),
    /// Check a store's file: every node, link, index entry and piece of space
    Verify(VerifyArgs),
}

/// `engines install`
#[derive(Debug, ClapArgs)]
pub struct InstallArgs {
    /// realm, objectbox, mmkv, or all
    #[arg(required = true, value_name = "KIND")]
    pub kinds: Vec<String>,
    /// Take the package from a file instead of fetching it
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// Compiles at a time; as many as there are processors and memory for by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// `engines remove`
#[derive(Debug, ClapArgs)]
pub struct RemoveArgs {
    /// realm, objectbox, mmkv, or all
    #[arg(required = true, value_name = "KIND")]
    pub kinds: Vec<String>,
}

/// `engines verify`
#[derive(Debug, ClapArgs)]
pub struct VerifyArgs {
    /// zerocopy: the only engine whose files can be checked here
    #[arg(value_name = "KIND", value_parser = ["zerocopy"])]
    pub kind: String,
    /// The file, which must not be open elsewhere
    pub file: PathBuf,
}

/// `new`
#[derive(Debug, ClapArgs)]
pub struct NewArgs {
    /// Name of the experiment; the file is NAME.exp
    pub name: PathBuf,
}

/// How to print a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a terminal
    #[default]
    Table,
    /// For a page
    Markdown,
    /// One line per row and step, plain numbers
    Csv,
    /// Everything, as `docs/json.md` describes it
    Json,
}

/// How to print findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// With the source line marked
    #[default]
    Text,
    /// As data
    Json,
}

/// A station on the way from text to cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The syntax tree
    Ast,
    /// The checked model: names resolved, params and axes open
    Model,
    /// The plan: everything explicit
    Plan,
}

fn budget(text: &str) -> Result<u64, String> {
    match parse_time(text) {
        Some(0) => Err("no time at all".into()),
        Some(ns) => Ok(ns),
        None if too_long(text) => Err("longer than can be counted".into()),
        None => Err("a time is written like `90s`, `15min` or `2h`".into()),
    }
}

/// Whether only its size keeps it from being a time.
fn too_long(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < text.len() && parse_time(&format!("1{unit}")).is_some()
}

impl Changes {
    /// As typed, one entry per option.
    pub fn typed(&self) -> Vec<String> {
        let mut typed: Vec<String> = self.set.iter().map(|s| format!("--set {s}")).collect();
        if !self.engines.is_empty() {
            typed.push(format!("--engine {}", self.engines.join(",")));
        }
        if !self.trials.is_empty() {
            typed.push(format!("--trial {}", self.trials.join(",")));
        }
        if let Some(runs) = self.runs {
            typed.push(format!("--runs {runs}"));
        }
        if let Some(budget) = self.budget {
            typed.push(format!("--budget {}", exact_duration(budget)));
        }
        if self.quick {
            typed.push("--quick".into());
        }
        typed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn what_is_typed_is_kept() {
        let args = Args::parse_from([
            "persist-lab",
            "run",
            "a.exp",
            "--set",
            "n=1k,10k",
            "--engine",
            "sqlite,memory",
            "--runs",
            "3",
            "--budget",
            "15min",
            "--quick",
        ]);
        let Command::Run(run) = args.command else {
            panic!("{args:?}")
        };
        assert_eq!(
            run.changes.typed(),
            [
                "--set n=1k,10k",
                "--engine sqlite,memory",
                "--runs 3",
                "--budget 15min",
                "--quick"
            ]
        );
        assert_eq!(run.changes.budget, Some(900_000_000_000));
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in [
            vec!["persist-lab", "run", "a.exp", "--budget", "soon"],
            vec!["persist-lab", "run", "a.exp", "--budget", "0s"],
            vec!["persist-lab", "run", "a.exp", "--runs", "0"],
            vec!["persist-lab", "run", "a.exp", "--out", "x", "--resume", "y"],
            vec!["persist-lab", "report"],
        ] {
            assert!(Args::try_parse_from(&wrong).is_err(), "{wrong:?}");
        }
    }
}
