//! What a run is told from outside.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::diagnostics::{Code, Diagnostic};

/// What a run is told from outside.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Directory of the archive; by default one below [`RunOptions::results`], by the
    /// experiment's name and the time.
    pub out: Option<PathBuf>,
    /// Archive to go on with; nothing of it is run again.
    pub resume: Option<PathBuf>,
    /// Where archives go that are given no place.
    pub results: PathBuf,
    /// Where the stores of the cells go; by default into the archive's directory, so
    /// that they lie on its disk.
    pub work: Option<PathBuf>,
    /// How a worker is started.
    pub worker: WorkerCommand,
}

/// A program that takes an [`Assignment`](crate::plan::Assignment) on standard
/// input and answers with frames.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl RunOptions {
    /// The defaults: this very program as worker, stores where
    /// `PERSIST_LAB_WORK` says.
    ///
    /// # Errors
    /// Where the system does not tell which program this is.
    pub fn from_environment() -> Result<RunOptions, Diagnostic> {
        let program = std::env::current_exe().map_err(|error| {
            Diagnostic::general(
                Code::WorkerUnavailable,
                format!("cannot find this program to start workers with: {error}"),
            )
        })?;
        Ok(RunOptions {
            out: None,
            resume: None,
            results: PathBuf::from("results/local"),
            work: std::env::var_os("PERSIST_LAB_WORK")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
            worker: WorkerCommand {
                program,
                arguments: vec!["worker".into()],
            },
        })
    }
}
