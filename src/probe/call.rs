//! What a call through a function pointer of the C convention costs here.

use std::hint::black_box;
use std::time::Duration;

use super::clock::monotonic_ns;

extern "C" fn nothing() {}

/// Calls of one reading.
const CALLS: u64 = 20_000;

/// Readings: the smallest is the one that nothing disturbed.
const READINGS: usize = 25;

/// Time of an empty call as adapters make them (an indirect one, of the C
/// convention), the loop around it included, ns. Takes about a millisecond.
pub fn empty_call_ns() -> f64 {
    let function: extern "C" fn() = black_box(nothing);
    let reading = || {
        let begin = monotonic_ns();
        for _ in 0..CALLS {
            black_box(function)();
        }
        monotonic_ns() - begin
    };
    let least = (0..READINGS)
        .map(|_| reading())
        .min()
        .unwrap_or(Duration::MAX.as_nanos() as u64);
    least as f64 / CALLS as f64
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_empty_call_is_not_free_and_not_a_system_call() {
        let ns = super::empty_call_ns();
        assert!(ns > 0.0 && ns.is_finite(), "{ns}");
    }
}
