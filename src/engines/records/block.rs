//! Records read together, so that decoding them can be timed without a clock
//! reading for each.

use std::ops::Range;

use super::fields::Fields;
use super::reader::Reader;
use crate::base::Value;
use crate::engines::{EngineError, decoding};
use crate::plan::schema::ModelId;

/// Most records of one block.
pub const MOST: usize = 256;
/// Records of the first block of a scan, which may be all that is needed.
pub const FEWEST: usize = 4;

/// Some records as stored, and their decoded fields.
#[derive(Debug, Default)]
pub struct Block {
    bytes: Vec<u8>,
    records: Vec<Stored>,
    rows: Vec<Vec<Value>>,
    /// Positions of the records that were selected.
    pub selected: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Stored {
    key: Range<usize>,
    value: Range<usize>,
}

/// A record of a block.
#[derive(Clone, Copy)]
pub struct Found<'b> {
    pub key: &'b [u8],
    pub bytes: &'b [u8],
    pub row: &'b [Value],
}

impl Block {
    /// Takes one more in.
    pub fn push(&mut self, key: &[u8], value: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend(key);
        let middle = self.bytes.len();
        self.bytes.extend(value);
        self.records.push(Stored {
            key: start..middle,
            value: middle..self.bytes.len(),
        });
    }

    /// Takes in a record that `fill` appends, if it says that there is one.
    pub fn push_with(
        &mut self,
        key: &[u8],
        fill: impl FnOnce(&mut Vec<u8>) -> Result<bool, EngineError>,
    ) -> Result<(), EngineError> {
        let start = self.bytes.len();
        self.bytes.extend(key);
        let middle = self.bytes.len();
        if fill(&mut self.bytes)? {
            self.records.push(Stored {
                key: start..middle,
                value: middle..self.bytes.len(),
            });
        }
        Ok(())
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Empties it; its memory stays.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
        self.selected.clear();
    }

    /// Decodes fields of all records.
    pub fn decode_all(
        &mut self,
        reader: &Reader<'_>,
        model: ModelId,
        wanted: &Fields,
    ) -> Result<(), EngineError> {
        if self.rows.len() < self.records.len() {
            self.rows.resize_with(self.records.len(), Vec::new);
        }
        if wanted.is_empty() {
            return Ok(());
        }
        decoding::timed(|| {
            for (record, row) in self.records.iter().zip(&mut self.rows) {
                reader.decode_untimed(model, wanted, &self.bytes[record.value.clone()], row)?;
            }
            Ok(())
        })
    }

    /// Decodes fields of the records that were selected.
    pub fn decode_selected(
        &mut self,
        reader: &Reader<'_>,
        model: ModelId,
        wanted: &Fields,
    ) -> Result<(), EngineError> {
        if wanted.is_empty() || self.selected.is_empty() {
            return Ok(());
        }
        decoding::timed(|| {
            for at in &self.selected {
                let value = self.records[*at].value.clone();
                let row = &mut self.rows[*at];
                reader.decode_untimed(model, wanted, &self.bytes[value], row)?;
            }
            Ok(())
        })
    }

    /// One record.
    pub fn get(&self, at: usize) -> Found<'_> {
        let record = &self.records[at];
        Found {
            key: &self.bytes[record.key.clone()],
            bytes: &self.bytes[record.value.clone()],
            row: &self.rows[at],
        }
    }
}
