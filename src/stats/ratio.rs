//! How many times more one row took than another, round by round.

use serde::{Deserialize, Serialize};

use super::interval::{Interval, of_median};

/// The ratio of two figures over the rounds in which both were measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// Rounds that it rests on.
    pub rounds: u32,
    /// Median of the rounds' ratios.
    pub median: f64,
    /// Its 95% interval; `None` with too few rounds.
    pub interval: Option<Interval>,
}

/// The ratio of `over` to `under`, both as (round, positive figure).
///
/// Within a round both ran minutes apart at most, so that what disturbs the
/// machine for longer is in both and cancels; between rounds it is not. The
/// interval is taken on logarithms: a ratio and its inverse then say the same.
///
/// `None` where no round has both.
pub fn paired(over: &[(u32, f64)], under: &[(u32, f64)]) -> Option<Ratio> {
    let mut logs: Vec<f64> = over
        .iter()
        .filter_map(|(round, value)| {
            let (_, other) = under.iter().find(|(other, _)| other == round)?;
            (*value > 0.0 && *other > 0.0).then(|| libm::log(value / other))
        })
        .collect();
    logs.sort_by(f64::total_cmp);
    let middle = logs.len().checked_sub(1)? / 2;
    let median = f64::midpoint(logs[middle], logs[logs.len() / 2]);
    Some(Ratio {
        rounds: u32::try_from(logs.len()).unwrap_or(u32::MAX),
        median: libm::exp(median),
        interval: of_median(&logs).map(|logs| Interval {
            low: libm::exp(logs.low),
            high: libm::exp(logs.high),
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(values: &[f64]) -> Vec<(u32, f64)> {
        (0..).zip(values.iter().copied()).collect()
    }

    #[test]
    fn what_disturbs_a_whole_round_cancels() {
        let under = rounds(&[10.0, 11.0, 30.0, 10.0, 12.0, 90.0, 10.0]);
        let over: Vec<(u32, f64)> = under.iter().map(|(r, v)| (*r, v * 2.0)).collect();
        let ratio = paired(&over, &under).unwrap();
        assert_eq!(ratio.rounds, 7);
        assert!((ratio.median - 2.0).abs() < 1e-12);
        let interval = ratio.interval.unwrap();
        assert!(interval.relative_width() < 1e-12, "{interval:?}");
    }

    #[test]
    fn only_rounds_with_both_count_and_the_inverse_agrees() {
        let one = [(0, 4.0), (1, 9.0), (3, 16.0), (4, 0.0)];
        let other = [(1, 3.0), (2, 5.0), (3, 2.0), (4, 1.0)];
        let ratio = paired(&one, &other).unwrap();
        assert_eq!((ratio.rounds, ratio.interval), (2, None));
        assert!((ratio.median - libm::sqrt(3.0 * 8.0)).abs() < 1e-12);
        let inverse = paired(&other, &one).unwrap();
        assert!((inverse.median * ratio.median - 1.0).abs() < 1e-12);
        assert_eq!(paired(&one[..1], &other), None);
    }
}
