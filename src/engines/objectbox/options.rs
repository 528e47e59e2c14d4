//! Options: what a user of ObjectBox would tune.

use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, OptionKind, OptionSpec, Options};

use super::api::PutMode;

/// What `objectbox` takes.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "max_db_size",
        kind: OptionKind::Size {
            low: 64 << 10,
            high: 1 << 46,
        },
        default: "1 GiB",
        about: "the size that the file cannot grow past, in whole KiB; address space, not memory",
    },
    OptionSpec {
        name: "text_index",
        kind: OptionKind::Symbol(&["value", "hash", "hash64"]),
        default: "hash, as the language bindings have it",
        about: "what an index over texts holds: the text, or a hash of 32 or 64 bits",
    },
    OptionSpec {
        name: "text_matching",
        kind: OptionKind::Symbol(&["case_sensitive", "case_insensitive"]),
        default: "case_sensitive",
        about: "how conditions on texts are put to the engine; insensitively, as old versions did by default, no index helps and each hit is compared again above",
    },
    OptionSpec {
        name: "put_mode",
        kind: OptionKind::Symbol(&["insert", "put"]),
        default: "insert",
        about: "how new objects are put: refused where the id is taken, or in its place",
    },
];

const DEFAULT_MAX_DB_SIZE_KIB: u64 = 1 << 20;

/// What an index over texts holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextIndex {
    /// The text itself.
    Value,
    /// A hash of 32 bits.
    Hash,
    /// A hash of 64 bits.
    Hash64,
}

/// Options, typed, defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set {
    /// KiB.
    pub max_db_size_kib: u64,
    /// What an index over texts holds.
    pub text_index: TextIndex,
    /// Whether conditions on texts are put case-insensitively.
    pub case_insensitive: bool,
    /// How new objects are put.
    pub put_mode: PutMode,
}

impl Set {
    /// Reads them.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for what [`OPTIONS`] does not list.
    pub fn of(options: &Options) -> Result<Set, EngineError> {
        let mut set = Set {
            max_db_size_kib: DEFAULT_MAX_DB_SIZE_KIB,
            text_index: TextIndex::Hash,
            case_insensitive: false,
            put_mode: PutMode::Insert,
        };
        for (name, value) in options {
            match (name.as_str(), value) {
                ("max_db_size", Value::Int(bytes)) if *bytes > 0 => {
                    set.max_db_size_kib = (*bytes as u64).div_ceil(1024);
                }
                ("text_index", Value::Text(text)) => {
                    set.text_index = match text.as_str() {
                        "value" => TextIndex::Value,
                        "hash" => TextIndex::Hash,
                        "hash64" => TextIndex::Hash64,
                        _ => return Err(refused(name)),
                    }
                }
                ("text_matching", Value::Text(text)) => {
                    set.case_insensitive = match text.as_str() {
                        "case_sensitive" => false,
                        "case_insensitive" => true,
                        _ => return Err(refused(name)),
                    }
                }
                ("put_mode", Value::Text(text)) => {
                    set.put_mode = match text.as_str() {
                        "insert" => PutMode::Insert,
                        "put" => PutMode::Put,
                        _ => return Err(refused(name)),
                    }
                }
                _ => return Err(refused(name)),
            }
        }
        Ok(set)
    }
}

fn refused(name: &str) -> EngineError {
    EngineError::new(
        ErrorKind::Unsupported,
        format!("`objectbox` does not take this for `{name}`"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_and_choices() {
        let set = Set::of(&Options::new()).expect("defaults");
        assert_eq!(set.max_db_size_kib, 1 << 20);
        assert_eq!(set.put_mode, PutMode::Insert);
        let options = Options::from([
            ("max_db_size".into(), Value::Int((1 << 20) + 1)),
            ("text_index".into(), Value::Text("value".into())),
            (
                "text_matching".into(),
                Value::Text("case_insensitive".into()),
            ),
        ]);
        let set = Set::of(&options).expect("known options");
        assert_eq!(set.max_db_size_kib, 1025);
        assert_eq!(set.text_index, TextIndex::Value);
        assert!(set.case_insensitive);
        let wrong = Options::from([("text_index".into(), Value::Text("no".into()))]);
        assert!(Set::of(&wrong).is_err());
    }
}
