//! Batches of generated records: made outside the clock, small and of constant size.

use super::failure::Failure;
use super::weight::Weight;
use crate::plan::schema::ModelId;
use crate::workload::{Record, Source};

/// Most records of a batch.
const MAX_RECORDS: usize = 1024;

/// Heap that a batch may take before it is handed on; one record more than
/// this is the most that the harness holds.
pub const MAX_HEAP_BYTES: u64 = 256 << 10;

/// Rows of one model, batch by batch.
pub struct Batches {
    model: ModelId,
    next: u64,
    end: u64,
    generation: u32,
    records: Vec<Record>,
    /// Of everything handed out so far.
    weight: Weight,
    /// Largest batch so far, as heap.
    most_heap_bytes: u64,
}

impl Batches {
    /// Rows `first..first + count` of `model`, with the values of `generation`.
    pub fn new(model: ModelId, first: u64, count: u64, generation: u32) -> Batches {
        Batches {
            model,
            next: first,
            end: first.saturating_add(count),
            generation,
            records: Vec::new(),
            weight: Weight::default(),
            most_heap_bytes: 0,
        }
    }

    /// The next batch, in place of the one before; `None` at the end.
    ///
    /// The last batch is held until the whole is dropped: so a batch is held in
    /// every engine call of the step, the last commit included, and can be
    /// taken off the step's peak.
    pub fn next(&mut self, source: &Source) -> Result<Option<&[Record]>, Failure> {
        if self.next >= self.end {
            return Ok(None);
        }
        self.records.clear();
        let mut batch = Weight::default();
        while self.next < self.end
            && self.records.len() < MAX_RECORDS
            && batch.heap_bytes < MAX_HEAP_BYTES
        {
            let record = source.record(self.model, self.next, self.generation)?;
            batch += Weight::of(&record);
            self.records.push(record);
            self.next += 1;
        }
        let own = (self.records.capacity() * size_of::<Record>()) as u64;
        self.most_heap_bytes = self.most_heap_bytes.max(batch.heap_bytes + own);
        self.weight += batch;
        Ok(Some(&self.records))
    }

    /// What was handed out so far.
    pub fn weight(&self) -> Weight {
        self.weight
    }

    /// The most that a batch held at a time, in bytes.
    pub fn most_heap_bytes(&self) -> u64 {
        self.most_heap_bytes
    }
}
