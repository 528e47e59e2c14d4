//! `open`, `close` and `reopen`.

use crate::worker::bench::Bench;
use crate::worker::done::Done;
use crate::worker::failure::Failure;

const NOT_KEPT: &str = "keeps nothing beyond its session";

/// Opens the store; `cold` drops the files' pages first.
///
/// A store that is open already stays so: only an engine that keeps nothing
/// beyond its session comes here so, since for it `close` does nothing.
pub fn open(bench: &mut Bench<'_>, cold: bool) -> Result<Done, Failure> {
    if bench.store.is_open() {
        return match bench.store.capabilities().persistent {
            false => Ok(Done::not_applicable(NOT_KEPT)),
            true => Err(Failure::Plan("the store is open already".into())),
        };
    }
    if cold && bench.store.capabilities().persistent {
        bench.store.chill()?;
        bench.resident_before = bench.store.resident()?;
    }
    bench.clock.window(|_| bench.store.open())?;
    Ok(Done::default())
}

/// Closes the store.
pub fn close(bench: &mut Bench<'_>) -> Result<Done, Failure> {
    if !bench.store.capabilities().persistent {
        return Ok(Done::not_applicable(NOT_KEPT));
    }
    if !bench.store.is_open() {
        return Err(Failure::Plan("the store is closed already".into()));
    }
    bench.clock.window(|_| bench.store.close())?;
    Ok(Done {
        files: bench.store.files()?,
        ..Done::default()
    })
}

/// Closes, untimed, and opens.
pub fn reopen(bench: &mut Bench<'_>, cold: bool) -> Result<Done, Failure> {
    if !bench.store.capabilities().persistent {
        return Ok(Done::not_applicable(NOT_KEPT));
    }
    bench.store.close()?;
    open(bench, cold)
}
