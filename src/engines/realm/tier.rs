//! What Realm Core promises about an acknowledged commit, by its options.
//!
//! | durability | in_memory | tier | source |
//! | --- | --- | --- | --- |
//! | full | false | T3 | `GroupWriter::commit`: "Make sure that that all data relating to the new snapshot is written to stable storage before flipping the slot selector", then the selector is flipped and synced too (1): 3 `msync` and 2 `fsync` a commit were seen by `strace` |
//! | off | false | T1 | the same without the syncs (1): the map is shared with the page cache, which outlives the process; what power loss leaves is not promised |
//! | any | true | T0 | `Durability::MemOnly`: the file is removed when the last session closes (2) |
//!
//! 1. Realm Core 12.12.0, `src/realm/group_writer.cpp`.
//! 2. The same, `src/realm/db.cpp` and `db_options.hpp`.

use super::options::Chosen;
use crate::engines::Options;
use crate::plan::Tier;

/// The tier under these options.
pub fn tier(options: &Options) -> Tier {
    let chosen = Chosen::of(options);
    match (chosen.in_memory, chosen.unsynced) {
        (true, _) => Tier::T0,
        (false, true) => Tier::T1,
        (false, false) => Tier::T3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Value;

    #[test]
    fn memory_promises_nothing_whatever_else_is_said() {
        let mut options = Options::new();
        assert_eq!(tier(&options), Tier::T3);
        options.insert("durability".into(), Value::Text("off".into()));
        assert_eq!(tier(&options), Tier::T1);
        options.insert("in_memory".into(), Value::Bool(true));
        assert_eq!(tier(&options), Tier::T0);
    }
}
