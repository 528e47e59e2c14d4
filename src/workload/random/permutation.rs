//! A pseudo-random permutation of a range, without storing it.

use super::stream::mix;

const ROUNDS: u64 = 6;

/// Where `x` goes in the permutation of `0..domain` with that key; `None`
/// outside the domain.
///
/// A balanced Feistel network over the smallest even number of bits that
/// covers the domain; a value that falls outside is sent through again until
/// it falls inside ("cycle walking": J. Black and P. Rogaway, "Ciphers with
/// arbitrary finite domains", CT-RSA 2002). At most 4 passes on average.
pub fn permute(key: u64, domain: u64, x: u64) -> Option<u64> {
    if x >= domain {
        return None;
    }
    let bits = (u64::BITS - (domain - 1).leading_zeros()).max(1);
    let half = bits.div_ceil(2);
    let mask = u64::MAX >> (u64::BITS - half);
    let mut value = x;
    loop {
        let (mut left, mut right) = (value >> half & mask, value & mask);
        for round in 0..ROUNDS {
            let scrambled = mix(right ^ key.wrapping_add(mix(round + 1))) & mask;
            (left, right) = (right, left ^ scrambled);
        }
        value = left << half | right;
        if value < domain {
            return Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_permutation(key: u64, domain in 1u64..3_000) {
            let mut seen = vec![false; domain as usize];
            for x in 0..domain {
                let to = permute(key, domain, x).expect("inside the domain");
                prop_assert!(!std::mem::replace(&mut seen[to as usize], true));
            }
            prop_assert_eq!(permute(key, domain, domain), None);
        }

        #[test]
        fn the_widest_domains_stay_inside(key: u64, x: u64) {
            let domain = u64::MAX;
            prop_assert!(permute(key, domain, x.min(domain - 1)).expect("inside") < domain);
        }
    }

    #[test]
    fn it_scatters() {
        let fixed = (0..1_000)
            .filter(|&x| permute(5, 1_000, x) == Some(x))
            .count();
        assert!(fixed < 10, "{fixed} fixed points");
    }
}
