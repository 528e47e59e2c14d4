//! Arguments of repeated executions: drawn in chunks, outside the clock.

use super::failure::Failure;
use crate::base::Value;
use crate::plan::schema::ModelId;
use crate::plan::{Access, At};
use crate::workload::{Keys, Source};

/// Executions of the first window, whose latencies decide how later ones are watched.
pub const FIRST_CHUNK: u64 = 64;

/// Executions of a later window.
pub const CHUNK: u64 = 512;

/// Executions `0..repeat`, chunk by chunk, each with its arguments.
pub struct Arguments<'a> {
    keys: Option<Keys<'a>>,
    next: u64,
    repeat: u64,
    chunk: Vec<Vec<Value>>,
}

impl<'a> Arguments<'a> {
    /// Of a step over `model`; without `access` there are no arguments.
    pub fn new(
        source: &'a Source,
        model: ModelId,
        access: Option<&Access>,
        repeat: u64,
    ) -> Arguments<'a> {
        Arguments {
            keys: access.map(|access| Keys::new(source, model, access)),
            next: 0,
            repeat,
            chunk: Vec::new(),
        }
    }

    /// The arguments of the next executions; `None` after the last.
    pub fn next(&mut self) -> Result<Option<&[Vec<Value>]>, Failure> {
        let limit = if self.next == 0 { FIRST_CHUNK } else { CHUNK };
        let count = (self.repeat - self.next).min(limit);
        self.chunk.clear();
        for index in self.next..self.next + count {
            self.chunk.push(match &self.keys {
                Some(keys) => vec![keys.key(index)?],
                None => Vec::new(),
            });
        }
        self.next += count;
        Ok((count > 0).then_some(&self.chunk))
    }
}

/// Whether every execution finds the same records.
pub fn constant(at: At) -> bool {
    match at {
        At::First | At::Middle | At::Last | At::Missing => true,
        At::Random | At::Zipf(_) | At::Latest => false,
    }
}
