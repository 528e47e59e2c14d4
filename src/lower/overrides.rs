//! What the command line changes of an experiment.

use crate::plan::Expr;

/// Changes of one run; the file itself stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// `--set NAME=V[,V…]`: replaces a param (several values make it an axis) or a sweep.
    pub set: Vec<(String, Vec<Expr>)>,
    /// `--engine L,…`: only these rows.
    pub engines: Option<Vec<String>>,
    /// `--trial L,…`: only these trials.
    pub trials: Option<Vec<String>>,
    /// `--runs K`: wins over the file's and over `--quick`'s.
    pub runs: Option<u32>,
    /// `--budget T`, in nanoseconds.
    pub budget_ns: Option<u64>,
    /// `--quick`
    pub quick: bool,
    /// All of these as typed, for the archive.
    pub typed: Vec<String>,
}
