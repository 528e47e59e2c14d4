//! Which stream of random bits a value is drawn from.
//!
//! With `mix` the finaliser of SplitMix64 (Stafford's variant 13), `h` the
//! 64-bit XXH3 of a name and `φ` = 0x9e3779b97f4a7c15:
//!
//! ```text
//! field_key = mix(mix(mix(seed + φ) ^ h(model)) ^ h(field) + φ)
//! row_key   = mix(field_key ^ mix(row + φ))            (generation 0)
//!           = mix(that ^ mix(generation · φ))          (later generations)
//! state[i]  = mix(row_key + (i + 1) · φ)               (i = 0..4, of xoshiro256++)
//! ```
//!
//! Names, never positions, stand in the formula: a model or field that is
//! added changes no other field's values.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use xxhash_rust::xxh3::xxh3_64;

const PHI: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64: a bijection of 64 bits that scatters every bit.
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The key of a named purpose under a seed; the first half of [`field_key`].
pub fn name_key(seed: u64, name: &str) -> u64 {
    mix(mix(seed.wrapping_add(PHI)) ^ xxh3_64(name.as_bytes()))
}

/// The key of a field's values.
pub fn field_key(seed: u64, model: &str, field: &str) -> u64 {
    mix((name_key(seed, model) ^ xxh3_64(field.as_bytes())).wrapping_add(PHI))
}

/// The key of one value.
pub fn row_key(field_key: u64, row: u64, generation: u32) -> u64 {
    let key = mix(field_key ^ mix(row.wrapping_add(PHI)));
    if generation == 0 {
        return key;
    }
    mix(key ^ mix(u64::from(generation).wrapping_mul(PHI)))
}

/// The random bits of one value, seeded when the first of them is drawn.
#[derive(Clone, Debug)]
pub struct Stream {
    key: u64,
    bits: Option<Xoshiro256PlusPlus>,
}

impl Stream {
    /// The stream of that key.
    pub fn new(key: u64) -> Self {
        Stream { key, bits: None }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let key = self.key;
        self.bits.get_or_insert_with(|| seeded(key)).next_u64()
    }
}

fn seeded(key: u64) -> Xoshiro256PlusPlus {
    let mut seed = [0; 32];
    let mut state = key;
    for word in seed.as_chunks_mut::<8>().0 {
        state = state.wrapping_add(PHI);
        *word = mix(state).to_le_bytes();
    }
    Xoshiro256PlusPlus::from_seed(seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_by_every_part() {
        let keys = [
            row_key(field_key(1, "User", "age"), 0, 0),
            row_key(field_key(2, "User", "age"), 0, 0),
            row_key(field_key(1, "Usera", "ge"), 0, 0),
            row_key(field_key(1, "age", "User"), 0, 0),
            row_key(field_key(1, "User", "age"), 1, 0),
            row_key(field_key(1, "User", "age"), 0, 1),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key));
        }
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // First outputs of the reference C code from state 1, 2, 3, 4.
        let mut seed = [0; 32];
        for (at, word) in seed.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            *word = (at as u64 + 1).to_le_bytes();
        }
        let mut bits = Xoshiro256PlusPlus::from_seed(seed);
        assert_eq!(bits.next_u64(), 41_943_041);
        assert_eq!(bits.next_u64(), 58_720_359);
        assert_eq!(bits.next_u64(), 3_588_806_011_781_223);
    }
}
