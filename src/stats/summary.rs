//! Median, interval and range of a handful of runs.

use serde::{Deserialize, Serialize};

use super::interval::{Interval, of_median};

/// One figure over the runs of a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Runs that it rests on.
    pub runs: u32,
    /// Middle value; the mean of the two middle ones for an even number of runs.
    pub median: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// 95% interval of the median; `None` with too few runs.
    pub interval: Option<Interval>,
}

impl Summary {
    /// Of these values, in any order; `None` of nothing.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Summary> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let middle = values.len() / 2;
        let median = if values.len() % 2 == 1 {
            values[middle]
        } else {
            f64::midpoint(values[middle - 1], values[middle])
        };
        Some(Summary {
            runs: u32::try_from(values.len()).unwrap_or(u32::MAX),
            median,
            min,
            max,
            interval: of_median(&values),
        })
    }

    /// Whether all runs gave the same.
    pub fn is_constant(&self) -> bool {
        self.min == self.max
    }
}

/// Each median as a multiple of the smallest; `None` where fewer than two are
/// measured, or where the smallest is nothing.
pub fn ratio_to_best(medians: &[Option<f64>]) -> Vec<Option<f64>> {
    let measured = medians.iter().flatten().count();
    let best = medians
        .iter()
        .flatten()
        .copied()
        .min_by(f64::total_cmp)
        .unwrap_or(0.0);
    medians
        .iter()
        .map(|median| {
            let median = (*median)?;
            (measured > 1 && best > 0.0).then(|| median / best)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_odd_and_even_numbers_of_runs() {
        assert_eq!(Summary::of([]), None);
        let one = Summary::of([5.0]).unwrap();
        assert_eq!((one.runs, one.median, one.min, one.max), (1, 5.0, 5.0, 5.0));
        assert!(one.is_constant());
        let odd = Summary::of([3.0, 100.0, 1.0]).unwrap();
        assert_eq!((odd.median, odd.min, odd.max), (3.0, 1.0, 100.0));
        let even = Summary::of([4.0, 1.0, 2.0, 100.0]).unwrap();
        assert_eq!(even.median, 3.0);
        assert!(!even.is_constant());
    }

    #[test]
    fn ratios_are_to_the_smallest_and_need_two() {
        assert_eq!(
            ratio_to_best(&[Some(10.0), None, Some(5.0)]),
            [Some(2.0), None, Some(1.0)]
        );
        assert_eq!(ratio_to_best(&[Some(10.0), None]), [None, None]);
        assert_eq!(ratio_to_best(&[Some(0.0), Some(3.0)]), [None, None]);
        assert!(ratio_to_best(&[]).is_empty());
    }
}
