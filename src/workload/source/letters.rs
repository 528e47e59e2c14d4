//! Random texts and bytes of a given length.

use crate::workload::random::Stream;

/// Letters, digits and spaces: 64 characters, so that 6 bits choose one; the
/// space is worth two.
const ALPHABET: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789  ";

/// A text of `length` characters, all ASCII.
pub fn letters(stream: &mut Stream, length: u64) -> String {
    let mut text = String::with_capacity(length as usize);
    let mut left = length;
    while left > 0 {
        let mut bits = stream.bits();
        for _ in 0..left.min(10) {
            text.push(char::from(ALPHABET[(bits & 63) as usize]));
            bits >>= 6;
        }
        left -= left.min(10);
    }
    text
}

/// `length` random bytes.
pub fn random_bytes(stream: &mut Stream, length: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length as usize);
    while (bytes.len() as u64) < length {
        let left = (length - bytes.len() as u64).min(8) as usize;
        bytes.extend_from_slice(&stream.bits().to_le_bytes()[..left]);
    }
    bytes
}
