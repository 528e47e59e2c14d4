//! Exit codes, and the words that document them.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Good,
    /// A cell is void or died, an `expect` failed, `fmt --check` found something to
    /// do, or `engines verify` found damage.
    Bad,
    /// The file, or the command line, is wrong.
    Wrong,
    /// The environment refuses: a disk, an archive, a worker that cannot start.
    Environment,
    /// Interrupted; `--resume` goes on.
    Interrupted,
}

/// For `--help`.
pub const HELP: &str = "\
Exit codes:
  0    good
  1    a cell is void or died, an `expect` failed, `fmt --check` found something to do,
       or `engines verify` found damage
  2    the file or the command line is wrong
  3    the environment refuses: a disk, an archive, a worker that cannot start,
       an engine that cannot be brought or is required and missing
  130  interrupted; `run … --resume DIR` goes on

Files:
  FILE is a path, or the name of an experiment that persist-lab brings along
  (`tuning`, `experiments/tuning.exp`). Data goes to standard output, all else to
  standard error. NO_COLOR is respected; PERSIST_LAB_WORK names the directory for stores,
  PERSIST_LAB_HOME that of installed engines.";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Good => 0,
            Exit::Bad => 1,
            Exit::Wrong => 2,
            Exit::Environment => 3,
            Exit::Interrupted => 130,
        })
    }
}
