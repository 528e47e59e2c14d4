//! Options that an engine takes: typed, so that `check` can refuse a wrong one.

use std::collections::BTreeMap;

use crate::base::Value;

/// Options by name, as the plan carries them.
pub type Options = BTreeMap<String, Value>;

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name (`journal_mode`).
    pub name: &'static str,
    /// What it takes.
    pub kind: OptionKind,
    /// The engine's own default, in words.
    pub default: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
}

/// What an option takes.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// One of these symbols; carried as text.
    Symbol(&'static [&'static str]),
    /// An int in this range.
    Int {
        /// Smallest.
        low: i64,
        /// Largest.
        high: i64,
    },
    /// A size in bytes in this range (`4KiB`), carried as an int.
    Size {
        /// Smallest.
        low: i64,
        /// Largest.
        high: i64,
    },
    /// A time (`5s`), carried as an int in nanoseconds.
    Duration,
    /// `true` or `false`.
    Bool,
}
