//! Every diagnostic code with what it stands for. Numbers are stable: a code
//! that falls out of use leaves a gap.

/// Declares [`Code`]: `Name = number "what it stands for"`.
macro_rules! codes {
    ($($(#[$group:meta])* $name:ident = $number:literal $doc:literal)*) => {
        /// What a diagnostic is about, as a stable number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $doc] $name = $number,)*
        }

        impl Code {
            /// Every code, in the order of the numbers.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// One line on what the code stands for.
            pub fn explain(self) -> &'static str {
                match self {
                    $(Code::$name => $doc,)*
                }
            }
        }
    };
}

codes! {
    // E00x–E01x: syntax
    Unexpected = 1 "something stands where something else is expected"
    UnknownItem = 2 "a line in column 1 that begins no item"
    UnclosedBrace = 3 "a brace, bracket or parenthesis that is never closed"
    UnclosedText = 4 "a text without its closing quote"
    BadText = 5 "an escape or a filled-in expression in a text that cannot be read"
    BadNumber = 6 "a number that cannot be read: leading zeros, unknown or spaced unit, too large"
    BadDate = 7 "a date that cannot be read"
    BadName = 8 "a name in the wrong case, or a reserved word as a name"
    UnknownStep = 9 "a step with an unknown verb"
    ClauseOrder = 10 "a clause out of its order, or twice"
    BadOperator = 11 "an operator of another language"
    TooDeep = 12 "nesting deeper than anyone can read"
    StrayBrace = 13 "a closing brace, bracket or parenthesis that closes nothing"
    TrialOrder = 14 "`skip`, `runs` or `setup` after a trial's first step, or two `setup`"
    CallSpacing = 15 "a space between a call's name and its parenthesis"
    FileTooLarge = 16 "a file too large to be an experiment"
    MisplacedFill = 17 "`{…}` in a text that is not filled in"
    // E02x: imports
    // E03x: names
    // E04x: types
    // E05x: models and generators
    // E06x: steps
    // E07x: engines and options
    // E08x: claims
    // E09x: hooks
    HookName = 90 "a hook or a parameter named by a word of rhai"
    HookSyntax = 91 "a hook whose body is not rhai, or uses what no hook has"
    // E10x: what only a point, or the command line, shows
    UnknownOverride = 100 "`--set`, `--engine` or `--trial` names something that the file has not"
    BadQuantity = 101 "a quantity that is negative, fractional or too large at some point"
    BadPoint = 102 "an expression that has no value at some point"
    TooManyCells = 103 "more cells than anyone can run"
    NothingToRun = 104 "no trial, engine or point is left to run"
    // E11x: archives and the run
    ArchiveUnreadable = 110 "an archive of a run that cannot be read"
    ArchiveNewer = 111 "an archive that a newer version of the tool has written"
    ArchiveBusy = 112 "an archive that another run is writing to"
    ArchiveOther = 113 "an archive of another plan than the one to be resumed"
    ArchiveChanged = 114 "an archive that was changed after it was sealed"
    ArchiveUnwritable = 115 "an archive that cannot be written"
    WorkerUnavailable = 116 "a worker process that cannot be started"
    WorkDirectory = 117 "no place for the stores of the cells"
}

impl Code {
    pub fn number(self) -> u16 {
        self as u16
    }
}

/// `E001`.
impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "E{:03}", self.number())
    }
}

/// As its text, `"E001"`.
impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_and_every_code_is_explained() {
        for pair in Code::ALL.windows(2) {
            assert!(pair[0].number() < pair[1].number(), "{pair:?}");
        }
        assert!(Code::ALL.iter().all(|code| !code.explain().is_empty()));
        assert_eq!(Code::Unexpected.to_string(), "E001");
    }
}
