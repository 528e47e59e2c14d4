//! How many records the null engine delivers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Told before each step what the oracle counted; shared by the engine and its
/// sessions.
#[derive(Clone, Debug, Default)]
pub struct Delivery(Arc<Share>);

#[derive(Debug, Default)]
struct Share {
    total: AtomicU64,
    executions: AtomicU64,
    done: AtomicU64,
}

impl Delivery {
    /// From now on `total` records in `executions` equal parts (the parts
    /// differ by at most one and add up); later executions go on likewise.
    pub fn expect(&self, total: u64, executions: u64) {
        self.0.total.store(total, Relaxed);
        self.0.executions.store(executions.max(1), Relaxed);
        self.0.done.store(0, Relaxed);
    }

    /// Records of the next execution.
    pub(super) fn next(&self) -> u64 {
        let total = u128::from(self.0.total.load(Relaxed));
        let executions = u128::from(self.0.executions.load(Relaxed).max(1));
        let done = u128::from(self.0.done.fetch_add(1, Relaxed));
        let upto = |executed: u128| executed * total / executions;
        u64::try_from(upto(done + 1) - upto(done)).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up() {
        let delivery = Delivery::default();
        assert_eq!(delivery.next(), 0);
        delivery.expect(10, 4);
        let parts: Vec<u64> = (0..4).map(|_| delivery.next()).collect();
        assert_eq!(parts, [2, 3, 2, 3]);
        delivery.expect(7, 0);
        assert_eq!(delivery.next(), 7);
    }
}
