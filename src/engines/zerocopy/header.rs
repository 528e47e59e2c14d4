//! The two headers: which version of the file is the newest whole one.

use xxhash_rust::xxh3::xxh3_64;

use super::bytes::{u32_at, u64_at};
use super::error::{Result, corrupt};
use super::node::{Ref, UNIT};

/// First bytes of every file.
pub const MAGIC: [u8; 8] = *b"\x89PLZC\r\n\x1a";
/// Version of the format that is written.
pub const VERSION: u32 = 1;
/// Distance between the two headers, bytes.
pub const SLOT: u64 = 4096;
/// Where nodes begin.
pub const DATA: u64 = 2 * SLOT;
/// Bytes of a header.
pub const LEN: usize = 80;

/// One header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Number of the transaction that wrote it, from 1.
    pub version: u64,
    /// Where nodes end: no reference of this version leads beyond.
    pub end: u64,
    /// The root node.
    pub root: Ref,
    /// Checksum of the root node.
    pub root_sum: u64,
    /// The node that lists unused space.
    pub space: Ref,
    /// Checksum of that node.
    pub space_sum: u64,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A whole header.
    Whole(Header),
    /// Nothing that can be trusted: torn, or never written.
    Torn,
    /// A whole header of a format that this program does not know.
    Unknown {
        /// Its format version.
        format: u32,
        /// Its feature bits.
        features: u32,
        /// Its unit of space.
        unit: u32,
    },
}

impl Header {
    /// Where it is written.
    pub fn place(&self) -> u64 {
        (self.version % 2) * SLOT
    }

    /// Its bytes.
    pub fn encode(&self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        // 12..16: feature bits, none yet.
        bytes[16..20].copy_from_slice(&(UNIT as u32).to_le_bytes());
        let words = [
            self.version,
            self.end,
            self.root.0,
            self.root_sum,
            self.space.0,
            self.space_sum,
        ];
        for (place, word) in bytes[24..72].chunks_exact_mut(8).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let sum = xxh3_64(&bytes[..72]);
        bytes[72..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }
}

/// Reads a slot.
pub fn decode(bytes: &[u8]) -> Slot {
    let whole = || -> Result<Slot> {
        if u64_at(bytes, 72)? != xxh3_64(super::bytes::part(bytes, 0, 72)?) {
            return Ok(Slot::Torn);
        }
        if bytes.get(..8) != Some(&MAGIC) {
            return Ok(Slot::Torn);
        }
        let (format, features, unit) = (u32_at(bytes, 8)?, u32_at(bytes, 12)?, u32_at(bytes, 16)?);
        if (format, features, unit) != (VERSION, 0, UNIT as u32) {
            return Ok(Slot::Unknown {
                format,
                features,
                unit,
            });
        }
        Ok(Slot::Whole(Header {
            version: u64_at(bytes, 24)?,
            end: u64_at(bytes, 32)?,
            root: Ref(u64_at(bytes, 40)?),
            root_sum: u64_at(bytes, 48)?,
            space: Ref(u64_at(bytes, 56)?),
            space_sum: u64_at(bytes, 64)?,
        }))
    };
    whole().unwrap_or(Slot::Torn)
}

/// The headers of a file, newest first; an error where neither can be used.
pub fn headers(first: &[u8], second: &[u8]) -> Result<Vec<Header>> {
    let slots = [decode(first), decode(second)];
    let mut whole: Vec<Header> = Vec::new();
    for slot in slots {
        match slot {
            Slot::Whole(header) => whole.push(header),
            // A newer program wrote here: what the other slot holds is out of date.
            Slot::Unknown {
                format,
                features,
                unit,
            } => {
                return Err(corrupt(format!(
                    "the file has format {format} with features {features:#x} and a unit of \
                     {unit} bytes; this program knows format {VERSION} without features, {UNIT} bytes"
                )));
            }
            Slot::Torn => {}
        }
    }
    whole.sort_by_key(|header| std::cmp::Reverse(header.version));
    if whole.is_empty() {
        return Err(corrupt(
            "neither header is whole: not a store, or destroyed",
        ));
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(version: u64) -> Header {
        Header {
            version,
            end: 8192,
            root: Ref(8192),
            root_sum: 1,
            space: Ref(8256),
            space_sum: 2,
        }
    }

    #[test]
    fn any_flipped_bit_makes_a_header_torn() {
        let bytes = header(7).encode();
        assert_eq!(decode(&bytes), Slot::Whole(header(7)));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(&flipped), Slot::Torn, "bit {bit}");
        }
        assert_eq!(decode(&bytes[..40]), Slot::Torn);
    }

    #[test]
    fn the_newest_whole_header_counts() {
        let (old, new) = (header(6).encode(), header(7).encode());
        assert_eq!(headers(&old, &new).map(|h| h[0].version), Ok(7));
        assert_eq!(headers(&old, &[0; LEN]).map(|h| h[0].version), Ok(6));
        assert!(headers(&[0; LEN], &[1; LEN]).is_err());
    }

    #[test]
    fn a_later_format_is_refused_not_fallen_back_from() {
        let old = header(6).encode();
        let mut new = header(7).encode();
        new[8] = 2;
        let sum = xxh3_64(&new[..72]);
        new[72..].copy_from_slice(&sum.to_le_bytes());
        let error = headers(&old, &new).expect_err("refused");
        assert!(error.message.contains("format 2"), "{error}");
    }
}
