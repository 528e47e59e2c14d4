//! What SQLite promises about an acknowledged commit, by its options.
//!
//! | journal_mode | synchronous | tier | source |
//! | --- | --- | --- | --- |
//! | off | any | T0 | "if the application crashes in the middle of a transaction when the OFF journaling mode is set, then the database file will very likely go corrupt" (1) |
//! | memory | any | T0 | the same of a crash in MEMORY mode (1) |
//! | others | off | T1 | "if the application running SQLite crashes, the data will be safe, but the database might become corrupted if the operating system crashes or the computer loses power" (2): writes are in the page cache, which outlives the process |
//! | wal | normal | T2 | "WAL mode does lose durability. A transaction committed in WAL mode with synchronous=NORMAL might roll back following a power loss" (2) |
//! | wal | full, extra | T3 | the log is synced at each commit (2) |
//! | delete, truncate, persist | normal | T2 | synced "at the most critical moments, but less often than in FULL mode" (2) |
//! | truncate, persist | full, extra | T3 | the cleared journal itself is synced (3) |
//! | delete | full | T2 | the journal is unlinked but the directory is not synced: a journal that comes back after power loss rolls the last transaction back. "EXTRA provides additional durability if the commit is followed closely by a power loss" (2, 3) |
//! | delete | extra | T3 | the directory is synced too (2) |
//!
//! With `locking_mode: exclusive` a rollback journal is cleared instead of
//! deleted (4), so that delete counts as persist.
//!
//! 1. <https://sqlite.org/pragma.html#pragma_journal_mode>
//! 2. <https://sqlite.org/pragma.html#pragma_synchronous>
//! 3. SQLite's `pager.c`, `pager_end_transaction`: after truncating, "make sure
//!    the new file size is written into the inode right away. Otherwise the
//!    journal might resurrect following a power loss and cause the last
//!    transaction to roll back"; after unlinking, the directory is synced only
//!    with EXTRA (`extraSync`).
//! 4. <https://sqlite.org/pragma.html#pragma_locking_mode>

use super::options::symbol;
use crate::engines::Options;
use crate::plan::Tier;

/// The tier under these options, SQLite's defaults (delete, full) filled in.
pub fn tier(options: &Options) -> Tier {
    let journal = symbol(options, "journal_mode").unwrap_or("delete");
    let synchronous = symbol(options, "synchronous").unwrap_or("full");
    let exclusive = symbol(options, "locking_mode") == Some("exclusive");
    match (journal, synchronous) {
        ("off" | "memory", _) => Tier::T0,
        (_, "off") => Tier::T1,
        (_, "normal") => Tier::T2,
        ("delete", "full") if !exclusive => Tier::T2,
        _ => Tier::T3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Value;

    fn of(pairs: &[(&str, &str)]) -> Tier {
        let options = pairs
            .iter()
            .map(|(name, value)| ((*name).into(), Value::Text((*value).into())))
            .collect();
        tier(&options)
    }

    #[test]
    fn tiers_follow_the_documentation() {
        let rows = [
            ("off", ["T0", "T0", "T0", "T0"]),
            ("memory", ["T0", "T0", "T0", "T0"]),
            ("wal", ["T1", "T2", "T3", "T3"]),
            ("truncate", ["T1", "T2", "T3", "T3"]),
            ("persist", ["T1", "T2", "T3", "T3"]),
            ("delete", ["T1", "T2", "T2", "T3"]),
        ];
        for (journal, expected) in rows {
            for (sync, tier) in ["off", "normal", "full", "extra"].iter().zip(expected) {
                let got = of(&[("journal_mode", journal), ("synchronous", sync)]);
                assert_eq!(format!("{got:?}"), tier, "{journal} {sync}");
            }
        }
        assert_eq!(of(&[]), Tier::T2);
        assert_eq!(of(&[("locking_mode", "exclusive")]), Tier::T3);
    }
}
