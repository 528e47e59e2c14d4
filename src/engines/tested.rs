//! What of a promised durability was tested.
//!
//! `tests/kill` kills every engine that keeps files, promises anything and is
//! here, in the middle of writing, with SIGKILL, and opens it again in a new
//! process: acknowledged commits are there, and none is there in part (of an
//! engine whose transactions are no unit, no single value). That shows T1 and
//! nothing more: what survives power loss no test of this project shows.

use super::Engine;
use crate::plan::Tier;

/// Engines that the test has seen to lose what they had acknowledged.
///
/// - `mmkv`: a full file is rewritten in place and its checksum set after
///   (`MMKV::doFullWriteBack`, `memmoveDictionary`, of MMKV 2.0.0). Killed in
///   between, the next process finds neither the new checksum nor the last
///   confirmed one right (`checkDataValid`), and by default empties the file.
const LOSING: &[&str] = &["mmkv"];

/// The highest tier that a test shows for an engine, T0 where it was seen to
/// break T1; `None` where it keeps nothing.
pub fn tier(engine: &dyn Engine) -> Option<Tier> {
    let shown = match LOSING.contains(&engine.kind()) {
        true => Tier::T0,
        false => Tier::T1,
    };
    engine.capabilities().persistent.then_some(shown)
}
