//! The way through a check.

use std::path::Path;

use super::checked::Checked;
use super::checker::Checker;
use super::imports::import;
use super::loader::Loader;
use crate::diagnostics;

/// Parses and checks a file with all its modules; every finding at once.
///
/// Never fails: a file that cannot be read is a finding too. A module on its
/// own is checked as far as it goes, and gives no experiment.
pub fn check(root: &Path, loader: &dyn Loader) -> Checked {
    let (units, sources, mut found) = import(root, loader);
    let experiment = {
        let mut checker = Checker::new(&units.list, &sources);
        checker.run();
        found.append(&mut checker.out);
        let runnable = checker.runnable && !units.list.is_empty();
        (runnable && !diagnostics::has_errors(&found)).then_some(checker.exp)
    };
    diagnostics::sort(&mut found);
    found.dedup();
    Checked {
        experiment,
        sources,
        diagnostics: found,
        files: units.kept,
    }
}

impl Checker<'_> {
    /// Everything, in an order in which each part finds what it needs.
    fn run(&mut self) {
        self.declare();
        self.check_hooks();
        self.check_quantities();
        self.check_facts();
        self.check_enums();
        self.check_pools();
        self.check_engines();
        self.declare_fields();
        self.check_ownership();
        self.check_generators();
        self.check_indexes();
        self.check_trials();
        self.check_claims();
        // What is wrong may be what would have named it.
        if !diagnostics::has_errors(&self.out) {
            self.check_unused();
        }
    }
}
