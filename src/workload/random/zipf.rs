//! Ranks with probability proportional to `rank^-exponent`, in constant time.
//!
//! Rejection-inversion: W. Hörmann and G. Derflinger, "Rejection-inversion to
//! generate variates from monotone discrete distributions", ACM TOMACS 6
//! (1996), pp. 169–184; with the numerically stable helpers
//! `log(1 + x) / x` and `(exp(x) − 1) / x`.

use super::range::unit;
use super::stream::Stream;

/// The sampler of one number of ranks and one exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zipf {
    n: u64,
    exponent: f64,
    h_first: f64,
    h_last: f64,
    shortcut: f64,
}

impl Zipf {
    /// For ranks `1..=n` (at least one) and an exponent of 0 or more.
    pub fn new(n: u64, exponent: f64) -> Self {
        let n = n.max(1);
        let h_first = h_integral(1.5, exponent) - 1.0;
        Zipf {
            n,
            exponent,
            h_first,
            h_last: h_integral(n as f64 + 0.5, exponent),
            shortcut: 2.0
                - h_integral_inverse(h_integral(2.5, exponent) - h(2.0, exponent), exponent),
        }
    }

    /// Whether it is the sampler of these.
    pub fn is(&self, n: u64, exponent: f64) -> bool {
        self.n == n.max(1) && self.exponent == exponent
    }

    /// A rank in `1..=n`.
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        loop {
            let u = self.h_last + unit(stream) * (self.h_first - self.h_last);
            let x = h_integral_inverse(u, self.exponent);
            let rank = ((x + 0.5) as u64).clamp(1, self.n);
            let k = rank as f64;
            if k - x <= self.shortcut
                || u >= h_integral(k + 0.5, self.exponent) - h(k, self.exponent)
            {
                return rank;
            }
        }
    }
}

/// The integral of `h`.
fn h_integral(x: f64, exponent: f64) -> f64 {
    let log_x = libm::log(x);
    expm1_over((1.0 - exponent) * log_x) * log_x
}

/// `x^-exponent`
fn h(x: f64, exponent: f64) -> f64 {
    libm::exp(-exponent * libm::log(x))
}

fn h_integral_inverse(x: f64, exponent: f64) -> f64 {
    // Below −1 only by rounding.
    let t = (x * (1.0 - exponent)).max(-1.0);
    libm::exp(log1p_over(t) * x)
}

fn log1p_over(x: f64) -> f64 {
    if x.abs() > 1e-8 {
        libm::log1p(x) / x
    } else {
        1.0 - x * (0.5 - x * (1.0 / 3.0 - 0.25 * x))
    }
}

fn expm1_over(x: f64) -> f64 {
    if x.abs() > 1e-8 {
        libm::expm1(x) / x
    } else {
        1.0 + x * 0.5 * (1.0 + x / 3.0 * (1.0 + 0.25 * x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pearson's statistic of 200,000 draws against the exact probabilities.
    fn chi_squared(n: u64, exponent: f64) -> f64 {
        let draws = 200_000;
        let zipf = Zipf::new(n, exponent);
        let mut stream = Stream::new(99);
        let mut seen = vec![0.0; n as usize];
        for _ in 0..draws {
            seen[zipf.draw(&mut stream) as usize - 1] += 1.0;
        }
        let weights: Vec<f64> = (1..=n).map(|k| (k as f64).powf(-exponent)).collect();
        let total: f64 = weights.iter().sum();
        weights
            .iter()
            .zip(&seen)
            .map(|(w, s)| {
                let expected = w / total * f64::from(draws);
                (s - expected) * (s - expected) / expected
            })
            .sum()
    }

    #[test]
    fn ranks_have_their_probabilities() {
        // 49 degrees of freedom: above 85.4 once in a thousand.
        for exponent in [0.0, 0.5, 1.0, 1.1, 2.0] {
            let chi = chi_squared(50, exponent);
            assert!(chi < 85.4, "exponent {exponent}: {chi}");
        }
    }

    #[test]
    fn one_rank_and_very_many() {
        let mut stream = Stream::new(3);
        assert_eq!(Zipf::new(1, 1.0).draw(&mut stream), 1);
        let many = Zipf::new(u64::MAX, 0.1);
        for _ in 0..1_000 {
            assert!(many.draw(&mut stream) >= 1);
        }
    }
}
