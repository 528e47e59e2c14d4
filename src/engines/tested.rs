//! What of a promised durability was tested.
//!
//! `tests/kill` kills every engine that is here with SIGKILL in the middle of
//! writing and opens it again: acknowledged commits are there, and none is
//! there in part. That shows T1 and nothing more: what survives power loss no
//! test of this project shows. The test holds this list to what it does.

use crate::plan::Tier;

/// Engines that the kill test runs for.
const KILLED: &[&str] = &[
    "sqlite",
    "realm",
    "objectbox",
    "coredata",
    "swiftdata",
    "room",
];

/// The highest tier that a test shows, of an engine that declares `declared`;
/// `None` where nothing is promised or nothing was tested.
pub fn tier(kind: &str, declared: Tier) -> Option<Tier> {
    (declared >= Tier::T1 && KILLED.contains(&kind)).then_some(Tier::T1)
}
