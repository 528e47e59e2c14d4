//! How long something took, in words.

use crate::probe::monotonic_ns;

/// A point in time to measure from.
#[derive(Clone, Copy, Debug)]
pub struct Since(u64);

impl Since {
    /// This moment.
    pub fn now() -> Since {
        Since(monotonic_ns())
    }

    /// `12 s`, `3 min 20 s`
    pub fn words(self) -> String {
        words(monotonic_ns().saturating_sub(self.0) / 1_000_000_000)
    }
}

fn words(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("{seconds} s"),
        (minutes, seconds) => format!("{minutes} min {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_whole_seconds() {
        assert_eq!(super::words(0), "0 s");
        assert_eq!(super::words(200), "3 min 20 s");
    }
}
