//! What of a promised durability was tested.
//!
//! `tests/kill` kills every engine that keeps files, promises anything and is
//! here, in the middle of writing, with SIGKILL, and opens it again in a new
//! process: acknowledged commits are there, and none is there in part (of an
//! engine whose transactions are no unit, no single value). That shows T1 and
//! nothing more: what survives power loss no test of this project shows.

use super::Engine;
use crate::plan::Tier;

/// The highest tier that a test shows for an engine; `None` where it keeps nothing.
pub fn tier(engine: &dyn Engine) -> Option<Tier> {
    engine.capabilities().persistent.then_some(Tier::T1)
}
