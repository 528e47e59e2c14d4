//! Numbers in bytes, little-endian; what lies outside is a corrupt file.

use super::error::{Result, corrupt};

/// A `u16` at that offset.
pub fn u16_at(bytes: &[u8], at: usize) -> Result<u16> {
    array(bytes, at).map(u16::from_le_bytes)
}

/// A `u32` at that offset.
pub fn u32_at(bytes: &[u8], at: usize) -> Result<u32> {
    array(bytes, at).map(u32::from_le_bytes)
}

/// A `u64` at that offset.
pub fn u64_at(bytes: &[u8], at: usize) -> Result<u64> {
    array(bytes, at).map(u64::from_le_bytes)
}

/// A part of a node.
pub fn part(bytes: &[u8], from: usize, len: usize) -> Result<&[u8]> {
    from.checked_add(len)
        .and_then(|end| bytes.get(from..end))
        .ok_or_else(|| corrupt("a node is shorter than what it says to hold"))
}

/// Puts a `u64` into a place that is there.
pub fn set_u64(bytes: &mut [u8], at: usize, value: u64) -> Result<()> {
    let place = at.checked_add(8).and_then(|end| bytes.get_mut(at..end));
    place
        .ok_or_else(|| corrupt("a node is shorter than what it says to hold"))?
        .copy_from_slice(&value.to_le_bytes());
    Ok(())
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N]> {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk::<N>())
        .copied()
        .ok_or_else(|| corrupt("a node is shorter than what it says to hold"))
}
