//! Values far from all others. They are pointed at, never dropped.

/// Distance from the median, in robust standard deviations, beyond which a
/// value is called an outlier. Source: Iglewicz and Hoaglin, "How to Detect
/// and Handle Outliers" (1993).
const FAR: f64 = 3.5;

/// Makes the median absolute deviation of normal noise its standard deviation.
const NORMAL: f64 = 0.6745;

/// Positions of the outliers among these values: those whose modified z-score
/// (distance from the median over the median absolute deviation) exceeds 3.5.
/// Where more than half of the values are equal there is no spread to compare
/// with, and none is called so. Under [`super::RUNS_FOR_INTERVAL`] values: none.
pub fn outliers(values: &[f64]) -> Vec<usize> {
    if values.len() < super::RUNS_FOR_INTERVAL as usize {
        return Vec::new();
    }
    let middle = median(values);
    let away: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    let spread = median(&away);
    if spread <= 0.0 {
        return Vec::new();
    }
    (0..values.len())
        .filter(|at| NORMAL * away[*at] / spread > FAR)
        .collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[middle])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_far_value_is_found_and_a_tail_is_not() {
        let values = [10.0, 10.2, 9.9, 10.1, 31.0, 10.0, 9.8];
        assert_eq!(outliers(&values), [4]);
        assert!(outliers(&[1.0, 2.0, 3.0, 4.0, 5.0, 9.0]).is_empty());
        assert!(outliers(&[1.0, 1.0, 1.0, 1.0, 1.0, 50.0]).is_empty());
        assert!(outliers(&[1.0, 1.1, 90.0]).is_empty());
    }
}
