//! Options.

use crate::base::Value;
use crate::engines::{OptionKind, OptionSpec, Options};

/// What `realm` takes.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "durability",
        kind: OptionKind::Symbol(&["full", "off"]),
        default: "full",
        about: "whether a commit waits for the disk",
    },
    OptionSpec {
        name: "in_memory",
        kind: OptionKind::Bool,
        default: "false",
        about: "nothing is kept on disk; closing forgets everything",
    },
    OptionSpec {
        name: "children",
        kind: OptionKind::Symbol(&["objects", "embedded"]),
        default: "objects",
        about: "whether what a cascading owner owns are objects of their own or embedded ones",
    },
];

/// Options as the adapter reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// `durability: off`
    pub unsynced: bool,
    /// `in_memory: true`
    pub in_memory: bool,
    /// `children: embedded`
    pub embedded: bool,
}

impl Chosen {
    /// Reads them, defaults filled in.
    pub fn of(options: &Options) -> Chosen {
        let is = |name: &str, symbol: &str| matches!(options.get(name), Some(Value::Text(text)) if text == symbol);
        Chosen {
            unsynced: is("durability", "off"),
            in_memory: options.get("in_memory") == Some(&Value::Bool(true)),
            embedded: is("children", "embedded"),
        }
    }
}
