//! Even draws from ranges, and the Gaussian.

use super::stream::Stream;

/// Evenly one of `0..n`; 0 when `n` is 0.
///
/// Without bias: multiply and shift, rejecting the few products whose low half
/// would favour a result (Lemire, "Fast random integer generation in an
/// interval", ACM TOMACS 29, 2019).
pub fn below(stream: &mut Stream, n: u64) -> u64 {
    if n == 0 {
        return 0;
    }
    let mut product = u128::from(stream.bits()) * u128::from(n);
    if (product as u64) < n {
        let threshold = n.wrapping_neg() % n;
        while (product as u64) < threshold {
            product = u128::from(stream.bits()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}

/// Evenly one of `low..=high`; `low` when the range is empty.
pub fn between(stream: &mut Stream, low: i64, high: i64) -> i64 {
    if high <= low {
        return low;
    }
    let span = high.wrapping_sub(low) as u64;
    let offset = match span.checked_add(1) {
        Some(n) => below(stream, n),
        None => stream.bits(),
    };
    low.wrapping_add(offset as i64)
}

/// Evenly in `[0, 1)`: 53 bits over 2^53.
pub fn unit(stream: &mut Stream) -> f64 {
    (stream.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Evenly in `[low, high)`; `low` when the range is empty.
pub fn float_between(stream: &mut Stream, low: f64, high: f64) -> f64 {
    // Each end is scaled by itself, so that no difference can overflow.
    let u = unit(stream);
    let value = low * (1.0 - u) + high * u;
    if high <= low {
        low
    } else if value >= high {
        // Rounding can reach the upper end.
        high.next_down().max(low)
    } else {
        value.max(low)
    }
}

/// A standard Gaussian (Box and Muller, the cosine half; always two draws).
pub fn gaussian(stream: &mut Stream) -> f64 {
    let u = 1.0 - unit(stream);
    let v = unit(stream);
    libm::sqrt(-2.0 * libm::log(u)) * libm::cos(std::f64::consts::TAU * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_ranges() {
        let mut stream = Stream::new(1);
        let mut seen = [false; 5];
        for _ in 0..1_000 {
            seen[below(&mut stream, 5) as usize] = true;
            let f = float_between(&mut stream, -f64::MAX, f64::MAX);
            assert!(f.is_finite());
            let tight = float_between(&mut stream, 1.0, 1.0f64.next_up());
            assert_eq!(tight, 1.0);
        }
        assert_eq!(seen, [true; 5]);
        assert_eq!(below(&mut stream, 1), 0);
        let mut signs = [0; 2];
        for _ in 0..100 {
            signs[usize::from(between(&mut stream, i64::MIN, i64::MAX) < 0)] += 1;
        }
        assert!(signs[0] > 20 && signs[1] > 20);
    }

    #[test]
    fn the_gaussian_has_its_moments() {
        let mut stream = Stream::new(7);
        let n = 100_000;
        let draws: Vec<f64> = (0..n).map(|_| gaussian(&mut stream)).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
        let fourth = draws.iter().map(|x| (x - mean).powi(4)).sum::<f64>() / f64::from(n);
        assert!(mean.abs() < 0.015, "{mean}");
        assert!((variance - 1.0).abs() < 0.02, "{variance}");
        assert!((fourth - 3.0).abs() < 0.15, "{fourth}");
    }
}
