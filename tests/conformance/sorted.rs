//! The record layer over a sorted map: what it does by itself, in both of its
//! encodings, on any machine.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use persist_lab::engines::records::{Encoding, KeyValue, RecordSession, Visit, Write};
use persist_lab::engines::{
    Capabilities, Engine, EngineError, Maintenance, OptionSpec, Options, Session, Setting,
};
use persist_lab::plan::{Fidelity, Request, Tier};
use persist_lab::sample::Native;
use persist_lab::workload::HookRunner;

/// The record layer over a sorted map.
pub struct Sorted(pub Encoding);

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

#[derive(Default)]
struct Maps(RefCell<BTreeMap<usize, Map>>);

impl KeyValue for Maps {
    fn get(&self, space: usize, key: &[u8], into: &mut Vec<u8>) -> Result<bool, EngineError> {
        let maps = self.0.borrow();
        let value = maps.get(&space).and_then(|map| map.get(key));
        into.extend(value.into_iter().flatten());
        Ok(value.is_some())
    }

    fn contains(&self, space: usize, key: &[u8]) -> Result<bool, EngineError> {
        let maps = self.0.borrow();
        Ok(maps.get(&space).is_some_and(|map| map.contains_key(key)))
    }

    fn scan(&self, space: usize, visit: &mut Visit<'_>) -> Result<(), EngineError> {
        let maps = self.0.borrow();
        for (key, value) in maps.get(&space).into_iter().flatten() {
            if !visit(key, value)? {
                break;
            }
        }
        Ok(())
    }

    fn count(&self, space: usize) -> Result<u64, EngineError> {
        Ok(self
            .0
            .borrow()
            .get(&space)
            .map_or(0, |map| map.len() as u64))
    }

    fn apply(&mut self, writes: &mut dyn Iterator<Item = Write<'_>>) -> Result<(), EngineError> {
        let mut maps = self.0.borrow_mut();
        for write in writes {
            let map = maps.entry(write.space).or_default();
            assert!(!write.key.is_empty() && write.value != Some(&[]));
            match write.value {
                Some(value) => map.insert(write.key.into(), value.into()),
                None => map.remove(write.key),
            };
        }
        Ok(())
    }

    fn maintain(&mut self, _: Maintenance) -> Result<(), EngineError> {
        Ok(())
    }

    fn indexes(&self) -> Vec<String> {
        Vec::new()
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        Ok(())
    }
}

impl Engine for Sorted {
    fn kind(&self) -> &'static str {
        match self.0 {
            Encoding::Json => "records_json",
            Encoding::Binary => "records_binary",
        }
    }

    fn about(&self) -> &'static str {
        "the record layer over a sorted map"
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Own
    }

    fn version(&self) -> String {
        String::new()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: false,
            compact: true,
            checkpoint: true,
            persistent: false,
            update_by_statement: false,
        }
    }

    fn options(&self) -> &'static [OptionSpec] {
        &[]
    }

    fn tier(&self, _: &Options) -> Tier {
        Tier::T0
    }

    fn explain(&self, _: &Setting<'_>, _: &Request) -> Result<Native, EngineError> {
        Ok(Native {
            text: String::new(),
            above: None,
            access: None,
        })
    }

    fn open(
        &self,
        _: &Path,
        setting: &Setting<'_>,
        hooks: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let engine = Box::new(Maps::default());
        let session = RecordSession::new(setting.schema, self.0, engine, hooks)?;
        Ok(Box::new(session))
    }
}
