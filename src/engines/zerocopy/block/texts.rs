//! Blocks of texts and bytes: spelled out, or by a dictionary where few differ.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::nulls::{NullBits, Nulls};
use super::packed::{self, Packed};
use crate::engines::zerocopy::bytes::{part, u16_at, u32_at};
use crate::engines::zerocopy::error::{Result, corrupt};
use crate::engines::zerocopy::node::{self, HEAD, Kind};

/// Most entries of a dictionary.
const MOST_ENTRIES: usize = 256;

/// A stored block of texts or bytes.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    /// Rows.
    pub len: usize,
    /// Which rows are null.
    pub nulls: Nulls<'a>,
    /// By row, the entry of the dictionary.
    codes: Option<Packed<'a>>,
    /// Texts, or entries of the dictionary.
    entries: usize,
    offsets: &'a [u8],
    wide: bool,
    heap: &'a [u8],
}

impl<'a> Texts<'a> {
    /// Reads a block.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let len = u32_at(bytes, HEAD)? as usize;
        let entries = u32_at(bytes, HEAD + 4)? as usize;
        let heap_len = u32_at(bytes, HEAD + 8)? as usize;
        let (nulls, at) = Nulls::read(bytes, HEAD + 16, len, node::flagged(bytes))?;
        let (codes, at) = match node::kind(bytes) {
            Some(Kind::Dictionary) => {
                let (codes, at) = Packed::read(bytes, at, node::form(bytes), len)?;
                (Some(codes), at)
            }
            Some(Kind::Plain) if entries == len => (None, at),
            _ => return Err(corrupt("no block of texts where one should be")),
        };
        let wide = heap_len > usize::from(u16::MAX);
        let size = (entries + 1) * if wide { 4 } else { 2 };
        Ok(Texts {
            len,
            nulls,
            codes,
            entries,
            offsets: part(bytes, at, size)?,
            wide,
            heap: part(bytes, at + size, heap_len)?,
        })
    }

    /// Entries of the dictionary; `None` where texts are spelled out.
    pub fn dictionary(&self) -> Option<usize> {
        self.codes.map(|_| self.entries)
    }

    /// The entry that a row has.
    pub fn code(&self, row: usize) -> usize {
        self.codes.map_or(row, |codes| codes.get(row) as usize)
    }

    /// Sets the bit of every row whose entry lies in `low..=high`.
    pub fn coded(&self, low: usize, high: usize, words: &mut [u64]) {
        if let Some(codes) = &self.codes {
            codes.within(self.len, low as u64, high as u64, words);
        }
    }

    /// An entry of the dictionary, or the text of a row where they are spelled out.
    pub fn entry(&self, entry: usize) -> Result<&'a [u8]> {
        let (from, to) = if self.wide {
            (
                u32_at(self.offsets, entry * 4)? as usize,
                u32_at(self.offsets, entry * 4 + 4)? as usize,
            )
        } else {
            (
                usize::from(u16_at(self.offsets, entry * 2)?),
                usize::from(u16_at(self.offsets, entry * 2 + 2)?),
            )
        };
        self.heap
            .get(from..to)
            .ok_or_else(|| corrupt("a text that lies outside its block"))
    }

    /// The bytes of a row, if it has any.
    #[inline]
    pub fn get(&self, row: usize) -> Result<Option<&'a [u8]>> {
        if self.nulls.has(row) {
            return Ok(None);
        }
        self.entry(self.code(row)).map(Some)
    }
}

/// Texts or bytes being gathered.
#[derive(Clone, Debug, Default)]
pub struct TextsBuilder {
    heap: Vec<u8>,
    spans: Vec<(usize, usize)>,
    pub nulls: NullBits,
}

impl TextsBuilder {
    /// Adds a row.
    pub fn push(&mut self, value: Option<&[u8]>) {
        self.spans.push((0, 0));
        self.nulls.push(value.is_none());
        if let Some(bytes) = value {
            self.put(self.spans.len() - 1, bytes);
        }
    }

    /// Changes a row.
    pub fn set(&mut self, row: usize, value: Option<&[u8]>) {
        self.nulls.set(row, value.is_none());
        self.put(row, value.unwrap_or_default());
    }

    fn put(&mut self, row: usize, bytes: &[u8]) {
        if let Some(span) = self.spans.get_mut(row) {
            *span = (self.heap.len(), bytes.len());
            self.heap.extend_from_slice(bytes);
        }
    }

    /// The bytes of a row.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        if self.nulls.has(row) {
            return None;
        }
        let (from, len) = *self.spans.get(row)?;
        self.heap.get(from..from + len)
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Bytes of all rows.
    pub fn weight(&self) -> usize {
        self.heap.len()
    }

    fn bytes(&self, row: usize) -> &[u8] {
        let (from, len) = self.spans[row];
        &self.heap[from..from + len]
    }

    /// Different texts in order of their bytes, and the entry of each row;
    /// `None` where a dictionary does not pay.
    fn dictionary(&self) -> Option<(Vec<&[u8]>, Vec<u16>)> {
        let most = MOST_ENTRIES.min(self.len() / 2);
        let mut known: HashMap<&[u8], u16, BuildHasherDefault<Quick>> = HashMap::default();
        let mut codes = Vec::with_capacity(self.len());
        let mut entries: Vec<&[u8]> = Vec::new();
        for row in 0..self.len() {
            if self.nulls.has(row) {
                codes.push(0);
                continue;
            }
            let bytes = self.bytes(row);
            let code = *known.entry(bytes).or_insert_with(|| {
                entries.push(bytes);
                entries.len() as u16 - 1
            });
            if entries.len() > most {
                return None;
            }
            codes.push(code);
        }
        let mut order: Vec<u16> = (0..entries.len() as u16).collect();
        order.sort_unstable_by_key(|code| entries[usize::from(*code)]);
        let mut place = vec![0; entries.len()];
        for (at, code) in order.iter().enumerate() {
            place[usize::from(*code)] = at as u16;
        }
        for (row, code) in codes.iter_mut().enumerate() {
            if !self.nulls.has(row) {
                *code = place[usize::from(*code)];
            }
        }
        let entries = order
            .iter()
            .map(|code| entries[usize::from(*code)])
            .collect();
        Some((entries, codes))
    }

    /// The block.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let flags = u16::from(self.nulls.any());
        match self.dictionary() {
            Some((entries, codes)) => {
                let code = packed::code_for(entries.len().saturating_sub(1) as u64);
                let mut bytes = node::start(Kind::Dictionary, code, flags);
                let heap = entries.iter().map(|entry| entry.len()).sum();
                self.lead(&mut bytes, entries.len(), heap)?;
                packed::write(&mut bytes, code, codes.len(), |row| u64::from(codes[row]));
                spell(&mut bytes, entries.iter().copied(), heap);
                node::finish(bytes)
            }
            None => {
                let mut bytes = node::start(Kind::Plain, 0, flags);
                let heap = self.spans.iter().map(|(_, len)| len).sum();
                self.lead(&mut bytes, self.len(), heap)?;
                spell(&mut bytes, (0..self.len()).map(|row| self.bytes(row)), heap);
                node::finish(bytes)
            }
        }
    }

    fn lead(&self, bytes: &mut Vec<u8>, entries: usize, heap: usize) -> Result<()> {
        let heap = u32::try_from(heap).map_err(|_| {
            crate::engines::EngineError::new(
                crate::engines::ErrorKind::Full,
                "texts of one block longer than 4 GiB",
            )
        })?;
        bytes.reserve(heap as usize + 8 * self.len() + 64);
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.extend((entries as u32).to_le_bytes());
        bytes.extend(heap.to_le_bytes());
        bytes.extend([0; 4]);
        self.nulls.write(bytes);
        Ok(())
    }

    /// What a stored block holds.
    pub fn decode(texts: &Texts<'_>) -> Result<Self> {
        let mut builder = TextsBuilder::default();
        for row in 0..texts.len {
            builder.push(texts.get(row)?);
        }
        Ok(builder)
    }
}

/// Appends offsets and heap.
fn spell<'t>(bytes: &mut Vec<u8>, texts: impl Iterator<Item = &'t [u8]> + Clone, heap: usize) {
    let wide = heap > usize::from(u16::MAX);
    let mut at = 0usize;
    let lens = texts.clone().map(<[u8]>::len);
    for len in std::iter::once(0).chain(lens) {
        at += len;
        if wide {
            bytes.extend_from_slice(&(at as u32).to_le_bytes());
        } else {
            bytes.extend_from_slice(&(at as u16).to_le_bytes());
        }
    }
    for text in texts {
        bytes.extend_from_slice(text);
    }
}

/// A quick hash for short texts, for a table that lives for one block.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= xxhash_rust::xxh3::xxh3_64(bytes);
    }

    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}
