//! MMKV as a store of values under keys: one instance per model.

use std::path::Path;

use super::instance::{Instance, Settings};
use super::options::Sync;
use crate::engines::records::{KeyValue, Visit, Write};
use crate::engines::{EngineError, ErrorKind, Maintenance};
use crate::plan::schema::{ModelId, Schema};

/// Most bytes of one instance: MMKV keeps sizes and offsets in 32 bits.
const MOST_BYTES: u64 = u32::MAX as u64 - (1 << 20);

/// One instance per model.
#[derive(Debug)]
pub struct Values {
    names: Vec<String>,
    instances: Vec<Instance>,
    sync: Sync,
}

impl Values {
    /// Opens the instances of all models.
    pub fn open(
        directory: &Path,
        schema: &Schema,
        settings: Settings,
        sync: Sync,
    ) -> Result<Values, EngineError> {
        let names: Vec<String> = schema.models.iter().map(|m| m.name.clone()).collect();
        let instances = names.iter();
        Ok(Values {
            instances: instances
                .map(|name| Instance::open(directory, name, settings))
                .collect::<Result<_, _>>()?,
            names,
            sync,
        })
    }

    fn of(&self, space: ModelId) -> Result<&Instance, EngineError> {
        self.instances
            .get(space)
            .ok_or_else(|| EngineError::new(ErrorKind::Other, "there is no such model"))
    }
}

impl KeyValue for Values {
    fn get(&self, space: ModelId, key: &[u8], into: &mut Vec<u8>) -> Result<bool, EngineError> {
        self.of(space)?.get(key, into)
    }

    fn contains(&self, space: ModelId, key: &[u8]) -> Result<bool, EngineError> {
        Ok(self.of(space)?.contains(key))
    }

    /// MMKV lists its keys as copies and in the order of its hash map; each
    /// value is then asked for.
    fn scan(&self, space: ModelId, visit: &mut Visit<'_>) -> Result<(), EngineError> {
        let instance = self.of(space)?;
        let keys = instance.keys()?;
        let mut value = Vec::new();
        for key in keys.iter() {
            value.clear();
            if instance.read(key, &mut value)? && !visit(key, &value)? {
                break;
            }
        }
        Ok(())
    }

    fn count(&self, space: ModelId) -> Result<u64, EngineError> {
        Ok(self.of(space)?.count())
    }

    fn apply(&mut self, writes: &mut dyn Iterator<Item = Write<'_>>) -> Result<(), EngineError> {
        let mut touched = vec![None::<u64>; self.instances.len()];
        for write in writes {
            let instance = self.of(write.space)?;
            let bytes = &mut touched[write.space];
            let before = bytes.get_or_insert_with(|| instance.actual_bytes());
            // Lengths, at most 5 bytes each, stand before key and value.
            let more = write.key.len() + write.value.map_or(0, <[u8]>::len) + 20;
            *before += more as u64;
            if *before > MOST_BYTES {
                *before = instance.actual_bytes() + more as u64;
            }
            if *before > MOST_BYTES {
                return Err(EngineError::new(
                    ErrorKind::Full,
                    format!("MMKV keeps at most 4 GiB of {}", self.names[write.space]),
                ));
            }
            match write.value {
                Some(value) => instance.set(write.key, value)?,
                None => instance.remove(write.key)?,
            }
        }
        if self.sync != Sync::None {
            let wait = self.sync == Sync::Full;
            for (instance, touched) in self.instances.iter().zip(&touched) {
                if touched.is_some() {
                    instance.sync(wait);
                }
            }
        }
        Ok(())
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        for instance in &self.instances {
            match what {
                Maintenance::Compact => instance.trim(),
                Maintenance::Checkpoint => instance.sync(true),
            }
        }
        Ok(())
    }

    fn indexes(&self) -> Vec<String> {
        let names = self.names.iter();
        names
            .map(|name| format!("{name}: MMKV's hash map of keys, in memory"))
            .collect()
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        Ok(())
    }
}
