//! An engine that stores nothing and writes down how it is called.

use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use persist_lab::base::{Value, ValueRef};
use persist_lab::engines::{
    Capabilities, Engine, EngineError, ErrorKind, Maintenance, OptionSpec, Options, Prepared,
    Session, Setting,
};
use persist_lab::plan::schema::ModelId;
use persist_lab::plan::{Column, Fidelity, Request, Select, Tier};
use persist_lab::sample::Native;
use persist_lab::workload::{HookRunner, Record, Sink};

/// How a call is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// As if all went well.
    Good,
    /// Every change panics.
    Panic,
    /// Every change overflows.
    Overflow,
    /// The process ends without a word.
    Exit,
}

/// Reads find three records, whose identities are 100, 101 and 102; a change
/// matches one.
pub struct Recorder {
    pub log: Arc<Mutex<Vec<String>>>,
    pub mood: Mood,
    pub capabilities: Capabilities,
}

struct Recording {
    log: Arc<Mutex<Vec<String>>>,
    mood: Mood,
    prepared: Vec<Request>,
}

impl Recorder {
    /// In a good mood, with every capability.
    pub fn new() -> Recorder {
        Recorder {
            log: Arc::default(),
            mood: Mood::Good,
            capabilities: Capabilities {
                instantiate: true,
                compact: true,
                checkpoint: true,
                persistent: true,
                update_by_statement: true,
            },
        }
    }

    /// The calls so far, equal ones in a row written as `call ×n`.
    pub fn calls(&self) -> Vec<String> {
        let mut calls: Vec<(String, u32)> = Vec::new();
        for call in self.log.lock().unwrap().iter() {
            match calls.last_mut() {
                Some((last, times)) if last == call => *times += 1,
                _ => calls.push((call.clone(), 1)),
            }
        }
        let words = calls.into_iter().map(|(call, times)| match times {
            1 => call,
            times => format!("{call} ×{times}"),
        });
        words.collect()
    }
}

impl Recording {
    fn note(&self, call: impl Into<String>) {
        self.log.lock().unwrap().push(call.into());
    }

    fn change(&self) -> Result<(), EngineError> {
        match self.mood {
            Mood::Good => Ok(()),
            Mood::Panic => panic!("the adapter is broken"),
            Mood::Overflow => Err(EngineError::new(ErrorKind::Overflow, "too large")),
            Mood::Exit => std::process::exit(7),
        }
    }
}

impl Engine for Recorder {
    fn kind(&self) -> &'static str {
        "recorder"
    }
    fn about(&self) -> &'static str {
        "writes down how it is called"
    }
    fn fidelity(&self) -> Fidelity {
        Fidelity::Own
    }
    fn version(&self) -> String {
        "1".into()
    }
    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
    fn options(&self) -> &'static [OptionSpec] {
        &[]
    }
    fn tier(&self, _: &Options) -> Tier {
        Tier::T0
    }
    fn explain(&self, _: &Setting<'_>, _: &Request) -> Result<Native, EngineError> {
        unreachable!("a worker does not explain")
    }
    fn open(
        &self,
        directory: &Path,
        _: &Setting<'_>,
        _: Rc<dyn HookRunner>,
    ) -> Result<Box<dyn Session>, EngineError> {
        let recording = Recording {
            log: Arc::clone(&self.log),
            mood: self.mood,
            prepared: Vec::new(),
        };
        recording.note("open");
        std::fs::write(directory.join("store"), vec![1; 100_000]).unwrap();
        Ok(Box::new(recording))
    }
}

impl Session for Recording {
    fn begin(&mut self) -> Result<(), EngineError> {
        self.note("begin");
        Ok(())
    }
    fn commit(&mut self) -> Result<(), EngineError> {
        self.note("commit");
        Ok(())
    }
    fn rollback(&mut self) -> Result<(), EngineError> {
        self.note("rollback");
        Ok(())
    }
    fn insert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        let first = records.first().map_or(0, |record| record.row);
        self.note(format!("insert {model}: {first}+{}", records.len()));
        self.change()
    }
    fn upsert(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.note(format!("upsert {model}: {}", records.len()));
        self.change()
    }
    fn instantiate(&mut self, model: ModelId, records: &[Record]) -> Result<(), EngineError> {
        self.note(format!("instantiate {model}: {}", records.len()));
        Ok(())
    }
    fn insert_instantiated(&mut self, model: ModelId, count: u64) -> Result<(), EngineError> {
        self.note(format!("insert_instantiated {model}: {count}"));
        self.change()
    }
    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        let words = match request {
            Request::Read(query) if query.columns == [Column::Identity] => "identities",
            Request::Read(_) => "read",
            Request::Count { .. } => "count",
            Request::CountPer { .. } => "count per",
            Request::Aggregate { .. } => "aggregate",
            Request::Update { .. } => "update",
            Request::Delete { .. } => "delete",
        };
        self.note(format!("prepare {words}"));
        self.prepared.push(request.clone());
        Ok(Prepared(self.prepared.len() - 1))
    }
    fn execute(
        &mut self,
        prepared: Prepared,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        match &self.prepared[prepared.0] {
            Request::Update { select, .. } | Request::Delete { select, .. } => {
                let words = match select {
                    Select::Identity => format!("change {arguments:?}"),
                    _ => "change".into(),
                };
                self.note(words);
                self.change()?;
                Ok(1)
            }
            Request::Read(query) => {
                let width = query.columns.len();
                for identity in 100..103 {
                    sink.row(&vec![ValueRef::Int(identity); width]);
                }
                self.note("execute");
                Ok(3)
            }
            Request::Aggregate { .. } => {
                sink.row(&[ValueRef::Int(42)]);
                self.note("execute");
                Ok(3)
            }
            Request::Count { .. } | Request::CountPer { .. } => {
                self.note("execute");
                Ok(3)
            }
        }
    }
    fn release(&mut self, _: Prepared) {
        self.note("release");
    }
    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        self.note(format!("{what:?}"));
        Ok(())
    }
    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        Ok(vec!["by_nothing".into()])
    }
    fn close(self: Box<Self>) -> Result<(), EngineError> {
        self.note("close");
        Ok(())
    }
}
