//! Options: pragmas as `NSSQLitePragmasOption` passes them, and how fetches and
//! writes are made.

use super::context::Settings;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, OptionKind, OptionSpec, Options};

/// Names that are pragmas, with Core Data's own value.
const PRAGMAS: &[(&str, Default)] = &[
    ("journal_mode", Default::Word("wal")),
    ("synchronous", Default::Word("normal")),
    ("page_size", Default::Int(4096)),
    ("auto_vacuum", Default::Word("incremental")),
    ("cache_size", Default::Unset),
    ("wal_autocheckpoint", Default::Unset),
];

#[derive(Clone, Copy)]
enum Default {
    Word(&'static str),
    Int(i64),
    Unset,
}

/// What `coredata` takes.
pub const OPTIONS: &[OptionSpec] = &[
    spec(
        "journal_mode",
        OptionKind::Symbol(&["delete", "truncate", "persist", "memory", "wal", "off"]),
        "wal",
        "where a transaction's undo or redo data goes",
    ),
    spec(
        "synchronous",
        OptionKind::Symbol(&["off", "normal", "full", "extra"]),
        "normal",
        "how often it waits for the disk",
    ),
    spec(
        "page_size",
        OptionKind::Size {
            low: 512,
            high: 65_536,
        },
        "4096",
        "bytes of a page, a power of two",
    ),
    spec(
        "auto_vacuum",
        OptionKind::Symbol(&["none", "full", "incremental"]),
        "incremental",
        "whether freed pages can be given back without rewriting the file",
    ),
    spec(
        "cache_size",
        OptionKind::Int {
            low: -(1 << 31) + 1,
            high: (1 << 31) - 1,
        },
        "-2000 (2000 KiB)",
        "page cache: pages, or KiB where negative",
    ),
    spec(
        "wal_autocheckpoint",
        OptionKind::Int {
            low: 0,
            high: (1 << 31) - 1,
        },
        "1000",
        "pages in the write-ahead log that start a checkpoint; 0 for never",
    ),
    spec(
        "fetch_batch_size",
        OptionKind::Int {
            low: 0,
            high: 1 << 20,
        },
        "0 (all at once)",
        "objects whose rows a read fetches at a time",
    ),
    spec(
        "returns_objects_as_faults",
        OptionKind::Bool,
        "true",
        "whether a fetched object's values wait in the row cache until they are asked for",
    ),
    spec(
        "relationship_prefetching",
        OptionKind::Bool,
        "false",
        "whether a read fetches what its columns lead to many objects at a time",
    ),
    spec(
        "delete_prefetching",
        OptionKind::Bool,
        "true",
        "whether delete rules fetch what a level's relationships lead to many objects at a time",
    ),
    spec(
        "batch_insert",
        OptionKind::Bool,
        "false",
        "NSBatchInsertRequest where an entity has no relationships",
    ),
    spec(
        "batch_delete",
        OptionKind::Bool,
        "false",
        "NSBatchDeleteRequest where an entity has no relationships",
    ),
];

const fn spec(
    name: &'static str,
    kind: OptionKind,
    default: &'static str,
    about: &'static str,
) -> OptionSpec {
    OptionSpec {
        name,
        kind,
        default,
        about,
    }
}

/// The pragmas that a store is opened with, Core Data's own filled in.
pub fn with_defaults(options: &Options) -> Options {
    let mut pragmas = Options::new();
    for (name, default) in PRAGMAS {
        let value = options.get(*name).cloned().or(match default {
            Default::Word(word) => Some(Value::Text((*word).into())),
            Default::Int(int) => Some(Value::Int(*int)),
            Default::Unset => None,
        });
        if let Some(value) = value {
            pragmas.insert((*name).into(), value);
        }
    }
    pragmas
}

/// How a context with these options fetches and writes.
pub fn settings(options: &Options, declared: &[OptionSpec]) -> Result<Settings, EngineError> {
    for name in options.keys() {
        if !declared.iter().any(|option| option.name == name) {
            return Err(refused(name, "there is no such option"));
        }
    }
    let switch = |name: &str, default: bool| match options.get(name) {
        None => Ok(default),
        Some(Value::Bool(on)) => Ok(*on),
        Some(_) => Err(refused(name, "it is true or false")),
    };
    let fetch_batch_size = match options.get("fetch_batch_size") {
        None => 0,
        Some(Value::Int(size)) => {
            u64::try_from(*size).map_err(|_| refused("fetch_batch_size", "it is 0 or more"))?
        }
        Some(_) => return Err(refused("fetch_batch_size", "it takes an int")),
    };
    Ok(Settings {
        fetch_batch_size,
        filled: !switch("returns_objects_as_faults", true)?,
        prefetching: switch("relationship_prefetching", false)?,
        delete_prefetching: switch("delete_prefetching", true)?,
        batch_update: true,
        batch_insert: switch("batch_insert", false)?,
        batch_delete: switch("batch_delete", false)?,
    })
}

fn refused(name: &str, why: &str) -> EngineError {
    EngineError::new(ErrorKind::Unsupported, format!("{name}: {why}"))
}
