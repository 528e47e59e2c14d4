//! `storage`, `compact` and `checkpoint`.

use crate::engines::Maintenance;
use crate::worker::bench::Bench;
use crate::worker::done::Done;
use crate::worker::failure::Failure;

/// Measures the files; nothing is timed.
pub fn storage(bench: &mut Bench<'_>) -> Result<Done, Failure> {
    if !bench.store.capabilities().persistent {
        return Ok(Done::not_applicable("keeps no files"));
    }
    Ok(Done {
        files: bench.store.files()?,
        ..Done::default()
    })
}

/// The engine's own housekeeping.
pub fn maintain(bench: &mut Bench<'_>, what: Maintenance) -> Result<Done, Failure> {
    let can = bench.store.capabilities();
    let (has, why) = match what {
        Maintenance::Compact => (can.compact, "has no compaction"),
        Maintenance::Checkpoint => (can.checkpoint, "has no checkpoint"),
    };
    if !has {
        return Ok(Done::not_applicable(why));
    }
    let session = bench.store.session()?;
    bench.clock.window(|_| session.maintain(what))?;
    Ok(Done {
        files: bench.store.files()?,
        ..Done::default()
    })
}
