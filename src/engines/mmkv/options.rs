//! Options.

use super::instance::Settings;
use crate::base::Value;
use crate::engines::records::Encoding;
use crate::engines::{EngineError, ErrorKind, OptionKind, OptionSpec, Options};

/// What `mmkv` takes.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "encoding",
        kind: OptionKind::Symbol(&["json", "binary"]),
        default: "json",
        about: "form of a record above MMKV: JSON, or a compact one that is read field by field",
    },
    OptionSpec {
        name: "sync",
        kind: OptionKind::Symbol(&["none", "async", "full"]),
        default: "none",
        about: "what a commit does after its writes: nothing, MMKV's sync without waiting, or with",
    },
    OptionSpec {
        name: "expected_capacity",
        kind: OptionKind::Size {
            low: 0,
            high: 1 << 31,
        },
        default: "0 (one page, doubled as needed)",
        about: "size that each model's file has from the start, and that trimming keeps",
    },
    OptionSpec {
        name: "compare_before_set",
        kind: OptionKind::Bool,
        default: "false",
        about: "compare a value with the old one first and leave it where they agree",
    },
    OptionSpec {
        name: "on_error",
        kind: OptionKind::Symbol(&["discard", "recover"]),
        default: "discard",
        about: "what MMKV does with a file whose checksum is wrong, as a kill while it rewrites \
                a full file leaves it: empty it, or keep what it can read",
    },
];

/// What a commit does after its writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Nothing: the operating system writes the mapped pages back when it likes.
    None,
    /// `msync(MS_ASYNC)`, on Linux no more than that.
    Async,
    /// `msync(MS_SYNC)` of the file and its checksum.
    Full,
}

/// The options taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub encoding: Encoding,
    pub sync: Sync,
    pub settings: Settings,
}

impl Chosen {
    /// Takes options apart; what is not given has its default.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] for one that is not declared.
    pub fn of(options: &Options) -> Result<Chosen, EngineError> {
        let mut chosen = Chosen {
            encoding: Encoding::Json,
            sync: Sync::None,
            settings: Settings::default(),
        };
        for (name, value) in options {
            match (name.as_str(), value) {
                ("encoding", Value::Text(text)) if text == "json" => {}
                ("encoding", Value::Text(text)) if text == "binary" => {
                    chosen.encoding = Encoding::Binary;
                }
                ("sync", Value::Text(text)) if text == "none" => {}
                ("sync", Value::Text(text)) if text == "async" => chosen.sync = Sync::Async,
                ("sync", Value::Text(text)) if text == "full" => chosen.sync = Sync::Full,
                ("expected_capacity", Value::Int(bytes)) if *bytes >= 0 => {
                    chosen.settings.expected_capacity = *bytes as usize;
                }
                ("compare_before_set", Value::Bool(on)) => {
                    chosen.settings.compare_before_set = *on;
                }
                ("on_error", Value::Text(text)) if text == "discard" => {}
                ("on_error", Value::Text(text)) if text == "recover" => {
                    chosen.settings.recover = true;
                }
                _ => {
                    return Err(EngineError::new(
                        ErrorKind::Unsupported,
                        format!("option `{name}` did not take"),
                    ));
                }
            }
        }
        Ok(chosen)
    }
}
