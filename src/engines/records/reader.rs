//! Reading records: what is pending first, then the engine.

use std::cell::RefCell;

use super::encoding::Encoding;
use super::fields::Fields;
use super::keyvalue::{KeyValue, Visit};
use super::layout::Layout;
use super::pending::Pending;
use crate::base::Value;
use crate::engines::{EngineError, decoding};
use crate::plan::schema::{ModelId, Schema};
use crate::workload::eval::EvalError;

/// Reads records as the running transaction sees them.
pub struct Reader<'s> {
    pub schema: &'s Schema,
    pub layouts: &'s [Layout],
    pub encoding: Encoding,
    pub engine: &'s dyn KeyValue,
    pub pending: &'s Pending,
    /// Fields of linked records that the running request touches, per model.
    pub linked: &'s [Fields],
    /// Memory of linked records, used again and again.
    pub spare: &'s RefCell<Vec<Linked>>,
    /// An error of the engine, met while an expression was evaluated.
    pub fault: RefCell<Option<EngineError>>,
}

/// A record that was read for what links to it.
#[derive(Debug, Default)]
pub struct Linked {
    pub key: Vec<u8>,
    pub bytes: Vec<u8>,
    pub row: Vec<Value>,
}

impl Reader<'_> {
    /// Appends the record under a key; false where there is none.
    pub fn get(&self, model: ModelId, key: &[u8], into: &mut Vec<u8>) -> Result<bool, EngineError> {
        match self.pending.get(model, key) {
            Some(Some(value)) => {
                into.extend(value);
                Ok(true)
            }
            Some(None) => Ok(false),
            None => self.engine.get(model, key, into),
        }
    }

    /// Whether there is a record under a key.
    pub fn contains(&self, model: ModelId, key: &[u8]) -> Result<bool, EngineError> {
        match self.pending.get(model, key) {
            Some(value) => Ok(value.is_some()),
            None => self.engine.contains(model, key),
        }
    }

    /// Shows every record until `visit` returns false.
    pub fn scan(&self, model: ModelId, visit: &mut Visit<'_>) -> Result<(), EngineError> {
        if self.pending.is_empty_of(model) {
            return self.engine.scan(model, visit);
        }
        let mut on = true;
        self.engine.scan(model, &mut |key, value| {
            if self.pending.get(model, key).is_none() {
                on = visit(key, value)?;
            }
            Ok(on)
        })?;
        for write in self.pending.writes_of(model) {
            if !on {
                break;
            }
            if let Some(value) = write.value {
                on = visit(write.key, value)?;
            }
        }
        Ok(())
    }

    /// Number of records.
    pub fn count(&self, model: ModelId) -> Result<u64, EngineError> {
        let mut count = self.engine.count(model)?;
        for write in self.pending.writes_of(model) {
            let there = self.engine.contains(model, write.key)?;
            match (there, write.value) {
                (true, None) => count -= 1,
                (false, Some(_)) => count += 1,
                _ => {}
            }
        }
        Ok(count)
    }

    /// Decodes the wanted fields of one record.
    pub fn decode(
        &self,
        model: ModelId,
        wanted: &Fields,
        bytes: &[u8],
        row: &mut Vec<Value>,
    ) -> Result<(), EngineError> {
        decoding::timed(|| self.decode_untimed(model, wanted, bytes, row))
    }

    /// The same inside a measurement of the caller's.
    pub fn decode_untimed(
        &self,
        model: ModelId,
        wanted: &Fields,
        bytes: &[u8],
        row: &mut Vec<Value>,
    ) -> Result<(), EngineError> {
        let layout = &self.layouts[model];
        row.resize(layout.fields.len(), Value::Null);
        self.encoding.read(layout, wanted, bytes, row)
    }

    /// Reads the record of that identity with the fields that the request
    /// touches and hands it to `look`; `None` where there is none.
    pub fn with_linked<R>(
        &self,
        model: ModelId,
        identity: &Value,
        look: impl FnOnce(&Linked) -> Result<R, EvalError>,
    ) -> Result<Option<R>, EvalError> {
        let mut linked = self.spare.borrow_mut().pop().unwrap_or_default();
        let there = self
            .fill(model, identity, &mut linked)
            .map_err(|error| self.keep(error))?;
        let result = there.then(|| look(&linked)).transpose();
        self.spare.borrow_mut().push(linked);
        result
    }

    fn fill(
        &self,
        model: ModelId,
        identity: &Value,
        linked: &mut Linked,
    ) -> Result<bool, EngineError> {
        linked.key.clear();
        linked.bytes.clear();
        let layout = &self.layouts[model];
        if !layout.key.write(identity, &mut linked.key)
            || !self.get(model, &linked.key, &mut linked.bytes)?
        {
            return Ok(false);
        }
        let Linked { bytes, row, .. } = linked;
        self.decode(model, &self.linked[model], bytes, row)?;
        Ok(true)
    }

    /// Keeps an engine's error while an evaluation ends.
    fn keep(&self, error: EngineError) -> EvalError {
        let told = EvalError::wrong(error.message.clone());
        *self.fault.borrow_mut() = Some(error);
        told
    }

    /// The error behind the end of an evaluation.
    pub fn told(&self, error: EvalError) -> EngineError {
        match self.fault.borrow_mut().take() {
            Some(fault) => fault,
            None => error.into(),
        }
    }
}
