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
    MissingFile = 20 "a module or file that is not there or cannot be read"
    ModuleCycle = 21 "modules that use each other in a circle"
    FileEscape = 22 "a path that leaves the experiment's folder"
    ModuleContent = 23 "something that a module cannot hold"
    NoExperiment = 24 "no `experiment`, or a second one"
    // E03x: names
    UnknownName = 30 "a name that nothing has"
    DuplicateName = 31 "a name that two things have"
    UnknownModel = 32 "a model that is declared nowhere"
    UnknownField = 33 "a field that the model has not"
    UnknownModule = 34 "a module that no `use` names, or a name that it has not"
    TakenName = 35 "a name that the language itself uses"
    UsedTooEarly = 36 "a param or sweep that is declared further down"
    Unused = 37 "something that nothing uses"
    // E04x: types
    WrongType = 40 "a value of another type than the place takes"
    NotComparable = 41 "two sides that cannot be compared"
    UnknownCase = 42 "a text that is no case of the enum"
    BadArguments = 43 "a call with too few, too many or misnamed arguments"
    BadRange = 44 "a range that is empty, or a number outside what is possible"
    NotHere = 45 "an expression that cannot stand in this place"
    NullNotAllowed = 46 "null where the field is not optional"
    BadPath = 47 "a path that leads through something it cannot pass"
    BadSweep = 48 "a param or sweep that is empty, mixes kinds, does not progress or has too many values"
    // E05x: models and generators
    BadAttribute = 50 "an attribute that the field cannot have"
    BadKey = 51 "a key that is optional, no scalar, or the second one"
    NotUnique = 52 "a generator that repeats where every value must be unique"
    MissingGenerator = 53 "a field without a generator"
    BadGenerator = 54 "a generator that does not fit its field"
    NotEarlier = 55 "a generator that names a field which is not declared before it"
    BadEnum = 56 "an enum whose cases or weights are wrong"
    BadRelationship = 57 "a relationship that cannot be stored as declared"
    OwnershipCycle = 58 "models that own each other in a circle"
    BadIndex = 59 "an index over what cannot be indexed"
    // E06x: steps
    DuplicateLabel = 60 "two steps or trials with the same label"
    BadClause = 61 "a clause that the step cannot have"
    NotTotal = 62 "a limit over an order that leaves open which records come first"
    BadSet = 63 "a `set` on a field that no update can change"
    ChangedField = 64 "point access by a field that the trial has changed before"
    NotStored = 65 "records that no step before has stored"
    BadDelete = 66 "a delete that engines would carry out differently, or that breaks a required link"
    StoreState = 67 "a step that needs an open store while it is closed, or the reverse"
    MisplacedStep = 68 "a step that cannot stand here"
    BadExpect = 69 "an `expect` about something that no step before has"
    // E07x: engines and options
    UnknownEngine = 70 "an engine or preset that is not known"
    UnknownOption = 71 "an option that the engine does not take"
    BadOption = 72 "a value that the option does not take"
    BadFact = 73 "a setting of the experiment with an impossible value"
    BadQuick = 74 "a `quick` value that replaces nothing"
    // E08x: claims
    BadClaim = 80 "a comparison that no claim can make"
    UnknownInClaim = 81 "a metric, engine, trial or step that is not there"
    WrongMetric = 82 "a metric that the step does not have"
    BadCondition = 83 "a condition over an axis or value that the trial does not have"
    NothingSelected = 84 "a claim that speaks of no cell"
    WrongUnit = 85 "sides of a claim in different units"
    AxisNeeded = 86 "a claim that must say over which axis"
    // E09x: hooks
    HookName = 90 "a hook or a parameter named by a word of rhai"
    HookSyntax = 91 "a hook whose body is not rhai, or uses what no hook has"
    // E10x: what only a point, or the command line, shows
    UnknownOverride = 100 "`--set`, `--engine`, `--trial` or `--require` names something that the file has not"
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
    // E12x: bringing engines
    InstallUnknown = 120 "a name that is no engine which a package brings"
    InstallArchitecture = 121 "an engine whose package has nothing for this machine"
    ClientMissing = 122 "a package client that is not there"
    CompilerMissing = 123 "a compiler that is not there"
    DownloadFailed = 124 "a package that its client did not bring"
    WrongHash = 125 "a package that is not the pinned one"
    BadPackage = 126 "a package that cannot be unpacked, or lacks what is needed"
    CompileFailed = 127 "sources that the compiler or linker refuses"
    NoSpace = 128 "not enough room on the disk"
    HomeUnusable = 129 "no place for engines: it cannot be found, read or written"
    GivenFile = 130 "a file given with `--from` that is not there or is not the pinned package"
    RequiredMissing = 131 "an engine that `--require` names and that cannot run here"
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
