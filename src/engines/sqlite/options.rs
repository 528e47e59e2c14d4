//! Options: SQLite's pragmas, applied in the order that makes them take, and
//! read back.

use rusqlite::Connection;

use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, OptionKind, OptionSpec, Options};

/// What `sqlite` takes. Defaults are SQLite's own.
pub const OPTIONS: &[OptionSpec] = &[
    spec(
        "journal_mode",
        OptionKind::Symbol(&["delete", "truncate", "persist", "memory", "wal", "off"]),
        "delete",
        "where a transaction's undo or redo data goes",
    ),
    spec(
        "synchronous",
        OptionKind::Symbol(SYNCHRONOUS),
        "full",
        "how often it waits for the disk",
    ),
    spec(
        "temp_store",
        OptionKind::Symbol(TEMP_STORE),
        "default (files)",
        "where temporary tables and sorts go",
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
        "mmap_size",
        OptionKind::Size {
            low: 0,
            high: MMAP_MAX,
        },
        "0 (none)",
        "how much of the file is memory-mapped",
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
        "locking_mode",
        OptionKind::Symbol(&["normal", "exclusive"]),
        "normal",
        "whether the file stays locked between transactions",
    ),
    spec(
        "auto_vacuum",
        OptionKind::Symbol(AUTO_VACUUM),
        "none",
        "whether freed pages are given back by themselves",
    ),
    spec(
        "busy_timeout",
        OptionKind::Duration,
        "0",
        "how long it waits for a lock, in whole milliseconds",
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
];

const SYNCHRONOUS: &[&str] = &["off", "normal", "full", "extra"];
const TEMP_STORE: &[&str] = &["default", "file", "memory"];
const AUTO_VACUUM: &[&str] = &["none", "full", "incremental"];
/// SQLITE_MAX_MMAP_SIZE.
const MMAP_MAX: i64 = 0x7fff_0000;

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

/// A symbol option, if given.
pub fn symbol<'o>(options: &'o Options, name: &str) -> Option<&'o str> {
    match options.get(name) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

/// Applies all options. Page size and auto-vacuum come before anything that
/// writes the first page, and so before WAL; exclusive locking before the first
/// use of WAL, so that no shared memory is made.
pub fn apply(connection: &Connection, options: &Options) -> Result<(), EngineError> {
    for name in options.keys() {
        if !OPTIONS.iter().any(|o| o.name == name) {
            return Err(refused(name, "there is no such option"));
        }
    }
    number(connection, options, "page_size", 1)?;
    place(connection, options, "auto_vacuum", AUTO_VACUUM)?;
    word(connection, options, "locking_mode")?;
    // rusqlite sets 5 s; SQLite's own default is none.
    connection.busy_timeout(std::time::Duration::ZERO)?;
    number(connection, options, "busy_timeout", 1_000_000)?;
    word(connection, options, "journal_mode")?;
    place(connection, options, "synchronous", SYNCHRONOUS)?;
    place(connection, options, "temp_store", TEMP_STORE)?;
    number(connection, options, "cache_size", 1)?;
    number(connection, options, "mmap_size", 1)?;
    number(connection, options, "wal_autocheckpoint", 1)?;
    connection.execute_batch("PRAGMA foreign_keys = ON")?;
    let on: i64 = connection.query_row("PRAGMA foreign_keys", [], |r| r.get(0))?;
    if on != 1 {
        return Err(refused("foreign_keys", "it stays off"));
    }
    Ok(())
}

/// A pragma that reads back as the word that was set.
fn word(connection: &Connection, options: &Options, name: &str) -> Result<(), EngineError> {
    let Some(value) = options.get(name) else {
        return Ok(());
    };
    let Value::Text(value) = value else {
        return Err(refused(name, "it takes a word"));
    };
    set(connection, name, value)?;
    let got: String = connection.query_row(&format!("PRAGMA {name}"), [], |r| r.get(0))?;
    check(name, value, &got)
}

/// A pragma that reads back as the position of the word.
fn place(
    connection: &Connection,
    options: &Options,
    name: &str,
    words: &[&str],
) -> Result<(), EngineError> {
    let Some(value) = options.get(name) else {
        return Ok(());
    };
    let Value::Text(value) = value else {
        return Err(refused(name, "it takes a word"));
    };
    set(connection, name, value)?;
    let got: i64 = connection.query_row(&format!("PRAGMA {name}"), [], |r| r.get(0))?;
    let got = usize::try_from(got).ok().and_then(|at| words.get(at));
    check(name, value, got.copied().unwrap_or("something else"))
}

/// A pragma with a number, given in units of `unit`.
fn number(
    connection: &Connection,
    options: &Options,
    name: &str,
    unit: i64,
) -> Result<(), EngineError> {
    let Some(value) = options.get(name) else {
        return Ok(());
    };
    let Value::Int(value) = value else {
        return Err(refused(name, "it takes a number"));
    };
    let value = (value / unit).to_string();
    set(connection, name, &value)?;
    let got: i64 = connection.query_row(&format!("PRAGMA {name}"), [], |r| r.get(0))?;
    check(name, &value, &got.to_string())
}

fn set(connection: &Connection, name: &str, value: &str) -> Result<(), EngineError> {
    // A symbol is one of the declared ones, checked by reading it back; it is
    // quoted all the same, since it comes from a file.
    let sql = if value.parse::<i64>().is_ok() {
        format!("PRAGMA {name} = {value}")
    } else {
        format!("PRAGMA {name} = {}", super::sql::names::text(value))
    };
    connection.execute_batch(&sql).map_err(EngineError::from)
}

fn check(name: &str, want: &str, got: &str) -> Result<(), EngineError> {
    if want.eq_ignore_ascii_case(got) {
        Ok(())
    } else {
        Err(refused(name, &format!("asked for {want}, got {got}")))
    }
}

fn refused(name: &str, why: &str) -> EngineError {
    EngineError::new(
        ErrorKind::Unsupported,
        format!("option `{name}` did not take: {why}"),
    )
}
