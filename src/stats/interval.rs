//! A confidence interval for a median that assumes no distribution.

use serde::{Deserialize, Serialize};

/// An interval for the median of what a handful of runs were drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Share of intervals that are to cover the true median.
pub const LEVEL: f64 = 0.95;

/// The interval at [`LEVEL`] from order statistics of `sorted` (ascending),
/// interpolated between the two ranks whose exact cover brackets the level;
/// `None` under [`super::RUNS_FOR_INTERVAL`] values, where even the range covers less.
///
/// The range from the d-th smallest to the d-th largest of n independent values
/// of one continuous distribution covers its median with probability
/// `1 - 2 P(B < d)`, B binomial (n, 1/2). Ranks are few, so that this jumps
/// (97.9% to 89.1% at n = 10); the interpolation makes up for it.
/// Source: Hettmansperger and Sheather, "Confidence intervals based on
/// interpolated order statistics", Statistics & Probability Letters 4 (1986);
/// its robustness over distributions: Nyblom, ibid. 14 (1992).
pub fn of_median(sorted: &[f64]) -> Option<Interval> {
    let n = sorted.len();
    if n < super::RUNS_FOR_INTERVAL as usize {
        return None;
    }
    // The narrowest pair of ranks that still covers enough.
    let covers = cover(n);
    let mut rank = 1;
    while rank < n / 2 && covers(rank + 1) >= LEVEL {
        rank += 1;
    }
    let (outer, inner) = (covers(rank), covers(rank + 1));
    let share = ((outer - LEVEL) / (outer - inner)).clamp(0.0, 1.0);
    let (n, d) = (n as f64, rank as f64);
    let weight = (n - d) * share / (d + (n - 2.0 * d) * share);
    let between = |from: f64, to: f64| from + weight * (to - from);
    let last = sorted.len() - rank;
    Some(Interval {
        low: between(sorted[rank - 1], sorted[rank]),
        high: between(sorted[last], sorted[last - 1]),
    })
}

/// Exact cover of the ranks `d` to `n + 1 - d`, for `d` up to `n / 2 + 1`.
fn cover(n: usize) -> impl Fn(usize) -> f64 {
    // P(B = k) by recurrence in logarithms: 2^-n alone underflows from n = 1,075 on.
    let mut below = Vec::with_capacity(n / 2 + 2);
    let mut log = -(n as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for k in 0..=n / 2 + 1 {
        below.push(sum);
        sum += libm::exp(log);
        log += libm::log((n - k.min(n - 1)) as f64 / (k + 1) as f64);
    }
    move |d| (1.0 - 2.0 * below[d]).max(0.0)
}

impl Interval {
    /// Width as a share of its middle; 0 where both ends are one.
    pub fn relative_width(&self) -> f64 {
        if self.high == self.low {
            return 0.0;
        }
        (self.high - self.low) / f64::midpoint(self.low, self.high).abs()
    }

    /// Whether a value lies in it, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn exact_covers_of_the_tables() {
        // 1 - 2/64 and 1 - 2·11/1024: the two that textbooks print.
        assert!((cover(6)(1) - 0.96875).abs() < 1e-12);
        assert!((cover(10)(2) - 0.978_515_625).abs() < 1e-12);
        assert!((cover(10)(3) - 0.890_625).abs() < 1e-12);
        assert!(cover(2_000)(956) > 0.0);
    }

    #[test]
    fn few_values_have_none_and_the_ends_stay_inside() {
        assert_eq!(of_median(&[1.0; 5]), None);
        let same = of_median(&[2.0; 9]).unwrap();
        assert_eq!(
            (same.low, same.high, same.relative_width()),
            (2.0, 2.0, 0.0)
        );
        let values: Vec<f64> = (1..=25).map(f64::from).collect();
        let interval = of_median(&values).unwrap();
        assert!(interval.low > 7.0 && interval.low < 9.0, "{interval:?}");
        assert!((interval.low + interval.high - 26.0).abs() < 1e-9);
        assert!(interval.contains(13.0));
    }

    /// Draws of a noise with the median 100.
    type Noise = fn(&mut Xoshiro256PlusPlus) -> f64;

    fn even(random: &mut Xoshiro256PlusPlus) -> f64 {
        random.random_range(0.0..1.0)
    }

    fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
        let (a, b) = (1.0 - even(random), even(random));
        100.0 + libm::sqrt(-2.0 * libm::log(a)) * libm::cos(std::f64::consts::TAU * b)
    }

    /// Log-normal, as times with a long tail are.
    fn skewed(random: &mut Xoshiro256PlusPlus) -> f64 {
        100.0 * libm::exp(0.5 * (normal(random) - 100.0))
    }

    /// Two modes 20% apart, 70 to 30: a cache that sometimes misses.
    fn bimodal(random: &mut Xoshiro256PlusPlus) -> f64 {
        let mode = if even(random) < 0.7 { 0.0 } else { 20.0 };
        normal(random) + mode
    }

    fn true_median(noise: Noise) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(99);
        let mut draws: Vec<f64> = (0..200_001).map(|_| noise(&mut random)).collect();
        draws.sort_by(f64::total_cmp);
        draws[100_000]
    }

    #[test]
    fn intervals_cover_the_median_as_often_as_they_say() {
        for noise in [normal as Noise, skewed, bimodal] {
            let median = true_median(noise);
            for runs in [6, 7, 8, 10, 15, 30] {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
                let draws = 4_000;
                let covered = (0..draws)
                    .filter(|_| {
                        let mut values: Vec<f64> = (0..runs).map(|_| noise(&mut random)).collect();
                        values.sort_by(f64::total_cmp);
                        of_median(&values).unwrap().contains(median)
                    })
                    .count();
                let share = covered as f64 / f64::from(draws);
                assert!((0.93..=0.975).contains(&share), "{runs} runs: {share}");
            }
        }
    }
}
