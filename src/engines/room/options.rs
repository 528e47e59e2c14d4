//! Options: what an app can choose of Room and of the platform below it.

use rusqlite::Connection;

use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, OptionKind, OptionSpec, Options};

/// What `room` takes. Defaults are those of an app on a current phone.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "journal_mode",
        kind: OptionKind::Symbol(&["write_ahead_logging", "truncate"]),
        default: "write_ahead_logging",
        about: "Room's JournalMode; its AUTOMATIC is write_ahead_logging unless the device is low on memory",
    },
    OptionSpec {
        name: "synchronous",
        kind: OptionKind::Symbol(&["normal", "full"]),
        default: "normal with write_ahead_logging, full with truncate (the platform's)",
        about: "how often SQLite waits for the disk",
    },
    OptionSpec {
        name: "observed",
        kind: OptionKind::Symbol(&["all", "none"]),
        default: "all",
        about: "tables with live queries, and so with the invalidation tracker's triggers",
    },
    OptionSpec {
        name: "rows",
        kind: OptionKind::Symbol(&["entity", "columns"]),
        default: "entity",
        about: "what a query selects: whole entities, or the columns that are asked for",
    },
    OptionSpec {
        name: "cursor_window",
        kind: OptionKind::Size {
            low: 16 << 10,
            high: 64 << 20,
        },
        default: "2 MiB (the platform's)",
        about: "size of the window that rows are copied into",
    },
];

/// Options with all defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Write-ahead logging, else a truncated rollback journal.
    pub wal: bool,
    /// `synchronous=FULL`, else NORMAL.
    pub full: bool,
    /// Whether every table has an observer.
    pub observed: bool,
    /// Whether queries select whole entities.
    pub entities: bool,
    /// Size of a cursor window.
    pub window_bytes: usize,
}

/// `config_cursorWindowSize`, 2048 KiB
/// (frameworks/base, core/res/res/values/config.xml).
pub const WINDOW_BYTES: usize = 2048 << 10;

impl Configuration {
    /// Options as given over the defaults.
    pub fn of(options: &Options) -> Result<Configuration, EngineError> {
        for name in options.keys() {
            if !OPTIONS.iter().any(|o| o.name == name) {
                return Err(refused(name, "there is no such option"));
            }
        }
        let one_of = |name: &str, first: &str, second: &str| match options.get(name) {
            None => Ok(None),
            Some(Value::Text(word)) if word == first => Ok(Some(true)),
            Some(Value::Text(word)) if word == second => Ok(Some(false)),
            Some(_) => Err(refused(name, &format!("it takes {first} or {second}"))),
        };
        let wal = one_of("journal_mode", "write_ahead_logging", "truncate")?.unwrap_or(true);
        let window_bytes = match options.get("cursor_window") {
            None => WINDOW_BYTES,
            Some(Value::Int(bytes)) => {
                usize::try_from(*bytes).map_err(|_| refused("cursor_window", "it takes a size"))?
            }
            Some(_) => return Err(refused("cursor_window", "it takes a size")),
        };
        Ok(Configuration {
            wal,
            full: one_of("synchronous", "full", "normal")?.unwrap_or(!wal),
            observed: one_of("observed", "all", "none")?.unwrap_or(true),
            entities: one_of("rows", "entity", "columns")?.unwrap_or(true),
            window_bytes,
        })
    }

    /// Sets a connection up as the platform does, in its order
    /// (`SQLiteConnection.open`), with what it compiles into its SQLite.
    pub fn apply(&self, connection: &Connection) -> Result<(), EngineError> {
        for (pragma, value) in [
            // -DSQLITE_DEFAULT_AUTOVACUUM=1, -DSQLITE_SECURE_DELETE and
            // -DSQLITE_TEMP_STORE=3 (external/sqlite, dist/Android.bp).
            ("auto_vacuum", "1"),
            ("secure_delete", "1"),
            ("temp_store", "2"),
            // The block size of /data (SQLiteGlobal.getDefaultPageSize).
            ("page_size", "4096"),
            // Room's generated onOpen, where an entity has a foreign key.
            ("foreign_keys", "1"),
            ("journal_mode", if self.wal { "wal" } else { "truncate" }),
            ("synchronous", if self.full { "2" } else { "1" }),
            // db_journal_size_limit and db_wal_autocheckpoint (config.xml).
            ("journal_size_limit", "524288"),
            ("wal_autocheckpoint", "100"),
        ] {
            connection.execute_batch(&format!("PRAGMA {pragma} = {value}"))?;
            let got = connection.query_row(&format!("PRAGMA {pragma}"), [], |row| {
                Ok(match row.get_ref(0)? {
                    rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                    other => other.as_str()?.to_owned(),
                })
            })?;
            if got != value {
                return Err(refused(pragma, &format!("asked for {value}, got {got}")));
            }
        }
        // One process, one thread: a lock that is held is a fault, not a wait.
        connection.busy_timeout(std::time::Duration::ZERO)?;
        Ok(())
    }
}

fn refused(name: &str, why: &str) -> EngineError {
    EngineError::new(
        ErrorKind::Unsupported,
        format!("option `{name}` did not take: {why}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_platform_syncs_a_log_less_than_a_journal() {
        let of = |pairs: &[(&str, &str)]| {
            let options = pairs
                .iter()
                .map(|(name, value)| ((*name).into(), Value::Text((*value).into())))
                .collect();
            Configuration::of(&options)
        };
        let default = of(&[]).unwrap();
        assert!(default.wal && !default.full && default.observed && default.entities);
        let truncate = of(&[("journal_mode", "truncate")]).unwrap();
        assert!(!truncate.wal && truncate.full);
        assert!(of(&[("synchronous", "full")]).unwrap().full);
        assert!(of(&[("synchronous", "off")]).is_err());
        assert!(of(&[("journal", "wal")]).is_err());
    }

    #[test]
    fn every_pragma_takes() {
        let directory = tempfile::tempdir().unwrap();
        for (wal, full) in [(true, false), (true, true), (false, true)] {
            let configuration = Configuration {
                wal,
                full,
                observed: true,
                entities: true,
                window_bytes: WINDOW_BYTES,
            };
            let file = directory.path().join(format!("{wal}{full}"));
            let connection = Connection::open(file).unwrap();
            configuration.apply(&connection).unwrap();
        }
    }
}
