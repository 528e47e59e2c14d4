//! How often this thread went through an engine's foreign interface.
//!
//! Adapters of native engines count each call; the worker takes the
//! difference over a timed window. The count is reported beside the time, with
//! the price of an empty call, and never subtracted from it.

use std::cell::Cell;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// One call.
#[inline]
pub fn count_one() {
    CALLS.with(|calls| calls.set(calls.get() + 1));
}

/// Calls of this thread so far.
pub fn count() -> u64 {
    CALLS.with(Cell::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_counts_its_own() {
        let before = count();
        count_one();
        count_one();
        let elsewhere = std::thread::spawn(|| {
            count_one();
            count()
        });
        assert_eq!(elsewhere.join().unwrap(), 1);
        assert_eq!(count() - before, 2);
    }
}
