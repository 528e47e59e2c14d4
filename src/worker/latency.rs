//! Latencies of single operations.

use hdrhistogram::Histogram;

use crate::sample::Latency;

/// Longest latency that is told apart, ns: one hour.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// Collects latencies; reused from step to step.
pub struct Latencies {
    first_ns: Option<u64>,
    rest: Histogram<u64>,
}

impl Latencies {
    /// Empty, with all memory that it will ever need.
    pub fn new() -> Latencies {
        Latencies {
            first_ns: None,
            rest: Histogram::new_with_bounds(1, LONGEST_NS, 3)
                .unwrap_or_else(|_| unreachable!("constant bounds are valid")),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.first_ns = None;
        self.rest.reset();
    }

    /// One more operation.
    pub fn record(&mut self, ns: u64) {
        if self.first_ns.is_none() {
            self.first_ns = Some(ns);
        } else {
            self.rest.saturating_record(ns.max(1));
        }
    }

    /// The summary; `None` of fewer than two operations, where the step's own time says all.
    pub fn summary(&self) -> Option<Latency> {
        let first_ns = self.first_ns?;
        if self.rest.is_empty() {
            return None;
        }
        Some(Latency {
            first_ns,
            count: self.rest.len(),
            min_ns: self.rest.min(),
            p50_ns: self.rest.value_at_quantile(0.5),
            p90_ns: self.rest.value_at_quantile(0.9),
            p99_ns: self.rest.value_at_quantile(0.99),
            p999_ns: self.rest.value_at_quantile(0.999),
            max_ns: self.rest.max(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stands_apart() {
        let mut latencies = Latencies::new();
        assert_eq!(latencies.summary(), None);
        latencies.record(1_000_000);
        assert_eq!(latencies.summary(), None);
        for ns in 1..=100 {
            latencies.record(ns);
        }
        let summary = latencies.summary().unwrap();
        assert_eq!(summary.first_ns, 1_000_000);
        assert_eq!(
            (summary.count, summary.min_ns, summary.max_ns),
            (100, 1, 100)
        );
        assert_eq!((summary.p50_ns, summary.p99_ns), (50, 99));
        latencies.clear();
        assert_eq!(latencies.summary(), None);
    }
}
