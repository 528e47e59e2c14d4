//! What a check hands out.

use super::model::Experiment;
use crate::diagnostics::{Diagnostic, Sources};

/// A checked file with its modules.
#[derive(Debug)]
pub struct Checked {
    /// The experiment; `None` where anything is wrong, or where the file is a
    /// module and holds none.
    pub experiment: Option<Experiment>,
    /// All texts; the first is the file itself, if it could be read.
    pub sources: Sources,
    /// Every finding, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// What an archive must keep: the experiment first, then each module and
    /// pool file, by a name relative to the experiment (`std/people.exp`).
    pub files: Vec<(String, String)>,
}

impl Checked {
    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        crate::diagnostics::has_errors(&self.diagnostics)
    }
}
