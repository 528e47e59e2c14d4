//! Whether a figure rises or falls over the rounds.

/// Kendall's rank correlation of values with their order, and how surprising it
/// is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// -1 (falls throughout) to 1 (rises throughout).
    pub tau: f64,
    /// Probability of a correlation at least as strong, either way, of values
    /// whose order means nothing.
    pub p: f64,
}

/// The Mann-Kendall test for a trend over values in the order they were taken;
/// `None` under [`super::RUNS_FOR_INTERVAL`] values, where no order is
/// surprising enough.
///
/// Normal approximation with continuity correction and the variance for ties.
/// Source: Kendall, "Rank Correlation Methods", 4th edition (1970), chapters 1
/// and 4; it is good from about six values on.
pub fn trend(values: &[f64]) -> Option<Drift> {
    let n = values.len();
    if n < super::RUNS_FOR_INTERVAL as usize {
        return None;
    }
    let mut score = 0_i64;
    for (at, later) in values.iter().enumerate() {
        for earlier in &values[..at] {
            score += match later.total_cmp(earlier) {
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
            };
        }
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let weight = |k: f64| k * (k - 1.0) * (2.0 * k + 5.0);
    let ties: f64 = sorted
        .chunk_by(|a, b| a == b)
        .map(|tied| weight(tied.len() as f64))
        .sum();
    let variance = (weight(n as f64) - ties) / 18.0;
    let pairs = (n * (n - 1) / 2) as f64;
    let surprise = ((score.abs() as f64) - 1.0).max(0.0);
    let p = if variance > 0.0 {
        libm::erfc(surprise / libm::sqrt(2.0 * variance)).min(1.0)
    } else {
        1.0
    };
    Some(Drift {
        tau: score as f64 / pairs,
        p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn a_steady_rise_and_a_steady_value() {
        assert_eq!(trend(&[1.0; 5]), None);
        let rise: Vec<f64> = (0..10).map(f64::from).collect();
        let drift = trend(&rise).unwrap();
        assert!(drift.tau == 1.0 && drift.p < 0.001, "{drift:?}");
        let flat = trend(&[3.0; 8]).unwrap();
        assert_eq!((flat.tau, flat.p), (0.0, 1.0));
    }

    #[test]
    fn an_order_without_meaning_is_seldom_called_a_trend() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
        for runs in [6, 10, 30] {
            let draws = 2_000;
            let called = (0..draws)
                .filter(|_| {
                    let values: Vec<f64> =
                        (0..runs).map(|_| random.random_range(0.0..1.0)).collect();
                    trend(&values).unwrap().p < 0.05
                })
                .count();
            assert!(called * 100 <= draws * 7, "{runs} runs: {called}");
        }
    }
}
