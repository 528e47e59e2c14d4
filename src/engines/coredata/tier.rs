//! Durability that SQLite promises under Core Data's pragmas.
//!
//! Core Data opens its stores in WAL mode with `synchronous` at NORMAL unless
//! `NSSQLitePragmasOption` says otherwise; what that means is SQLite's to say
//! (see `engines/sqlite/tier.rs`).

use super::options::with_defaults;
use crate::engines::{Options, sqlite};
use crate::plan::Tier;

/// The tier under these options.
pub fn tier(options: &Options) -> Tier {
    sqlite::tier::tier(&with_defaults(options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Value;

    #[test]
    fn the_default_survives_power_loss_up_to_a_checkpoint() {
        let mut options = Options::new();
        assert_eq!(tier(&options), Tier::T2);
        options.insert("synchronous".into(), Value::Text("full".into()));
        assert_eq!(tier(&options), Tier::T3);
        options.insert("synchronous".into(), Value::Text("off".into()));
        assert_eq!(tier(&options), Tier::T1);
        options.insert("journal_mode".into(), Value::Text("memory".into()));
        assert_eq!(tier(&options), Tier::T0);
    }
}
