//! Integers of one width, packed.

use crate::engines::zerocopy::bytes::part;
use crate::engines::zerocopy::error::{Result, corrupt};

/// Widths by code, bits.
const WIDTHS: [usize; 8] = [0, 1, 2, 4, 8, 16, 32, 64];

/// Packed unsigned integers.
#[derive(Clone, Copy)]
pub struct Packed<'a> {
    code: u8,
    data: &'a [u8],
}

/// The smallest code that holds values up to `most`.
pub fn code_for(most: u64) -> u8 {
    let bits = 64 - most.leading_zeros() as usize;
    WIDTHS.iter().position(|width| *width >= bits).unwrap_or(7) as u8
}

/// Bytes that `len` values take, a multiple of 8.
pub fn size(code: u8, len: usize) -> Result<usize> {
    let width = WIDTHS
        .get(usize::from(code))
        .ok_or_else(|| corrupt("a width that no column has"))?;
    len.checked_mul(*width)
        .map(|bits| bits.div_ceil(64) * 8)
        .ok_or_else(|| corrupt("a column longer than memory"))
}

/// Appends values, packed.
pub fn write(bytes: &mut Vec<u8>, code: u8, len: usize, value: impl Fn(usize) -> u64) {
    let before = bytes.len();
    match code {
        0 => {}
        4 => bytes.extend((0..len).map(|at| value(at) as u8)),
        5 => bytes.extend((0..len).flat_map(|at| (value(at) as u16).to_le_bytes())),
        6 => bytes.extend((0..len).flat_map(|at| (value(at) as u32).to_le_bytes())),
        7 => bytes.extend((0..len).flat_map(|at| value(at).to_le_bytes())),
        small => {
            let width = WIDTHS[usize::from(small & 3)];
            let each = 8 / width;
            for first in (0..len).step_by(each) {
                let mut byte = 0;
                for at in first..len.min(first + each) {
                    byte |= (value(at) as u8) << ((at - first) * width);
                }
                bytes.push(byte);
            }
        }
    }
    let padded = (bytes.len() - before).div_ceil(8) * 8;
    bytes.resize(before + padded, 0);
}

impl<'a> Packed<'a> {
    /// Reads `len` values at an offset; gives the offset after them.
    pub fn read(bytes: &'a [u8], at: usize, code: u8, len: usize) -> Result<(Self, usize)> {
        let size = size(code, len)?;
        let data = part(bytes, at, size)?;
        Ok((Packed { code, data }, at + size))
    }

    /// Bits of a value.
    pub fn width(&self) -> usize {
        WIDTHS.get(usize::from(self.code)).copied().unwrap_or(0)
    }

    /// A value; 0 beyond the end.
    #[inline]
    pub fn get(&self, at: usize) -> u64 {
        let data = self.data;
        match self.code {
            0 => 0,
            4 => data.get(at).map_or(0, |byte| u64::from(*byte)),
            5 => chunk::<2>(data, at).map_or(0, |b| u64::from(u16::from_le_bytes(b))),
            6 => chunk::<4>(data, at).map_or(0, |b| u64::from(u32::from_le_bytes(b))),
            7 => chunk::<8>(data, at).map_or(0, u64::from_le_bytes),
            small => {
                let width = WIDTHS[usize::from(small & 3)];
                let bit = at * width;
                data.get(bit / 8)
                    .map_or(0, |byte| u64::from(byte >> (bit % 8)) & ((1 << width) - 1))
            }
        }
    }

    /// Runs `each` over the first `len` values, in order.
    #[inline]
    pub fn each(&self, len: usize, mut each: impl FnMut(u64)) {
        match self.code {
            4 => self.data.iter().take(len).for_each(|b| each(u64::from(*b))),
            5 => chunks::<2>(self.data, len).for_each(|b| each(u64::from(u16::from_le_bytes(b)))),
            6 => chunks::<4>(self.data, len).for_each(|b| each(u64::from(u32::from_le_bytes(b)))),
            7 => chunks::<8>(self.data, len).for_each(|b| each(u64::from_le_bytes(b))),
            _ => (0..len).for_each(|at| each(self.get(at))),
        }
    }

    /// The sum of the first `len` values.
    pub fn sum(&self, len: usize) -> u128 {
        // Sums of at most 2^32 values of at most 32 bits fit 64 bits.
        let mut narrow = 0u64;
        match self.code {
            0 => 0,
            7 => {
                let mut wide = 0u128;
                self.each(len, |value| wide += u128::from(value));
                wide
            }
            _ => {
                self.each(len, |value| narrow = narrow.wrapping_add(value));
                u128::from(narrow)
            }
        }
    }

    /// Sets the bit of every value in `low..=high`, 64 values a word.
    pub fn within(&self, len: usize, low: u64, high: u64, words: &mut [u64]) {
        let span = high.wrapping_sub(low);
        match self.code {
            4 if high <= 0xFF => {
                let (low, span) = (low as u8, span as u8);
                for (word, values) in words.iter_mut().zip(self.data[..len].chunks(64)) {
                    *word = bits(values.iter().map(|v| v.wrapping_sub(low) <= span));
                }
            }
            5 if high <= 0xFFFF => {
                let (low, span) = (low as u16, span as u16);
                for (word, values) in words.iter_mut().zip(self.data[..len * 2].chunks(128)) {
                    let values = chunks::<2>(values, 64).map(u16::from_le_bytes);
                    *word = bits(values.map(|v| v.wrapping_sub(low) <= span));
                }
            }
            6 if high <= 0xFFFF_FFFF => {
                let (low, span) = (low as u32, span as u32);
                for (word, values) in words.iter_mut().zip(self.data[..len * 4].chunks(256)) {
                    let values = chunks::<4>(values, 64).map(u32::from_le_bytes);
                    *word = bits(values.map(|v| v.wrapping_sub(low) <= span));
                }
            }
            7 => {
                for (word, values) in words.iter_mut().zip(self.data[..len * 8].chunks(512)) {
                    let values = chunks::<8>(values, 64).map(u64::from_le_bytes);
                    *word = bits(values.map(|v| v.wrapping_sub(low) <= span));
                }
            }
            _ => {
                for (word, first) in words.iter_mut().zip((0..len).step_by(64)) {
                    let last = len.min(first + 64);
                    *word = bits((first..last).map(|at| self.get(at).wrapping_sub(low) <= span));
                }
            }
        }
    }
}

#[inline]
fn bits(values: impl Iterator<Item = bool>) -> u64 {
    values
        .enumerate()
        .fold(0, |word, (at, set)| word | u64::from(set) << at)
}

#[inline]
fn chunk<const N: usize>(data: &[u8], at: usize) -> Option<[u8; N]> {
    data.get(at * N..)?.first_chunk::<N>().copied()
}

#[inline]
fn chunks<const N: usize>(data: &[u8], len: usize) -> impl Iterator<Item = [u8; N]> + '_ {
    let (chunks, _) = data.as_chunks::<N>();
    chunks.iter().take(len).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_back(values in prop::collection::vec(any::<u64>(), 0..200), bits in 0u32..=64, low: u64, high: u64) {
            let mask = if bits == 64 { u64::MAX } else { (1u64 << bits) - 1 };
            let values: Vec<u64> = values.iter().map(|v| v & mask).collect();
            let (low, high) = ((low & mask).min(high & mask), (low & mask).max(high & mask));
            let code = code_for(values.iter().copied().max().unwrap_or(0));
            let mut bytes = vec![7; 3];
            write(&mut bytes, code, values.len(), |at| values[at]);
            let (packed, end) = Packed::read(&bytes, 3, code, values.len()).expect("reads");
            prop_assert_eq!(end, bytes.len());
            let back: Vec<u64> = (0..values.len()).map(|at| packed.get(at)).collect();
            prop_assert_eq!(&back, &values);
            let sum: u128 = values.iter().map(|v| u128::from(*v)).sum();
            prop_assert_eq!(packed.sum(values.len()), sum);
            let mut words = [0; 4];
            packed.within(values.len(), low, high, &mut words);
            for (at, value) in values.iter().enumerate() {
                prop_assert_eq!(words[at / 64] >> (at % 64) & 1 == 1, (low..=high).contains(value));
            }
            prop_assert!(Packed::read(&bytes[..end.saturating_sub(1)], 3, code, values.len()).is_err() || values.is_empty() || code == 0);
        }
    }
}
