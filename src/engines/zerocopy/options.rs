//! Options of the store.

use super::store::Settings;
use crate::base::Value;
use crate::engines::{OptionKind, OptionSpec, Options};

/// Longest file that an option may ask for.
const MOST_BYTES: i64 = 1 << 40;

/// What `zerocopy` takes.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "durability",
        kind: OptionKind::Symbol(&["full", "none"]),
        default: "full",
        about: "whether a commit waits until the disk has it",
    },
    OptionSpec {
        name: "initial_size",
        kind: OptionKind::Size {
            low: 0,
            high: MOST_BYTES,
        },
        default: "0 (as little as there is)",
        about: "length of a new file",
    },
    OptionSpec {
        name: "growth",
        kind: OptionKind::Size {
            low: 0,
            high: MOST_BYTES,
        },
        default: "0 (an eighth of the file, at least 16 KiB)",
        about: "by how much the file grows at least when it must",
    },
];

/// Whether a commit waits for the disk under these options.
pub fn is_durable(options: &Options) -> bool {
    options.get("durability") != Some(&Value::Text("none".into()))
}

/// How a store is opened under these options.
pub fn settings(options: &Options) -> Settings {
    let size = |name: &str| match options.get(name) {
        Some(Value::Int(bytes)) => u64::try_from(*bytes).unwrap_or(0),
        _ => 0,
    };
    Settings {
        durable: is_durable(options),
        initial_size: size("initial_size"),
        growth: size("growth"),
    }
}
