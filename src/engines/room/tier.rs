//! What Room promises about an acknowledged commit: what SQLite promises under
//! the pragmas that the platform sets.
//!
//! | journal_mode | synchronous | tier |
//! | --- | --- | --- |
//! | write_ahead_logging | normal (the default) | T2 |
//! | write_ahead_logging | full | T3 |
//! | truncate | full (the default) | T3 |
//! | truncate | normal | T2 |
//!
//! The sources are those of [`crate::engines::sqlite::tier`]. The platform says
//! the same where it sets its default: "WAL mode does lose durability. A
//! transaction committed in WAL mode with synchronous=NORMAL might roll back
//! following a power loss or system crash" (frameworks/base,
//! core/res/res/values/config.xml, `db_wal_sync_mode`).

use super::options::Configuration;
use crate::engines::Options;
use crate::plan::Tier;

/// The tier under these options.
pub fn tier(options: &Options) -> Tier {
    match Configuration::of(options) {
        Ok(configuration) if configuration.full => Tier::T3,
        _ => Tier::T2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Value;

    #[test]
    fn tiers_follow_the_pragmas() {
        let of = |pairs: &[(&str, &str)]| {
            let options = pairs
                .iter()
                .map(|(name, value)| ((*name).into(), Value::Text((*value).into())))
                .collect();
            tier(&options)
        };
        assert_eq!(of(&[]), Tier::T2);
        assert_eq!(of(&[("synchronous", "full")]), Tier::T3);
        assert_eq!(of(&[("journal_mode", "truncate")]), Tier::T3);
        let normal = [("journal_mode", "truncate"), ("synchronous", "normal")];
        assert_eq!(of(&normal), Tier::T2);
    }
}
