//! Time that this thread spent on turning stored bytes into values, above its
//! engine.
//!
//! Adapters that decode records themselves add what they spend, batch by
//! batch; the worker takes the difference over a timed window. It is reported
//! beside the time, of which it is a part.

use std::cell::Cell;
use std::time::Instant;

thread_local! {
    static SPENT_NS: Cell<u64> = const { Cell::new(0) };
}

/// Runs `decode` and adds the time that it takes.
#[inline]
pub fn timed<R>(decode: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = decode();
    let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    SPENT_NS.with(|spent| spent.set(spent.get().saturating_add(ns)));
    result
}

/// What this thread spent so far, ns.
pub fn spent_ns() -> u64 {
    SPENT_NS.with(Cell::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_timed_is_added() {
        let before = spent_ns();
        let nap = std::time::Duration::from_millis(2);
        assert_eq!(
            timed(|| {
                std::thread::sleep(nap);
                5
            }),
            5
        );
        assert!(spent_ns() - before >= 2_000_000);
    }
}
