//! The worker's memory figures against engines of known appetite.
//!
//! A program of its own: memory belongs to a whole process, and the allocator
//! gives free heap back for its main thread alone, where a worker works too.

mod worker_support;

use std::os::fd::AsRawFd;
use std::path::Path;
use std::rc::Rc;

use persist_lab::base::Value;
use persist_lab::engines::{
    Capabilities, Engine, EngineError, Maintenance, OptionSpec, Options, Prepared, Session, Setting,
};
use persist_lab::plan::schema::ModelId;
use persist_lab::plan::{Fidelity, Request, Select, Tier, Transaction};
use persist_lab::sample::{Memory, Native};
use persist_lab::worker::{Confinement, serve_with};
use persist_lab::workload::{HookRunner, Record, Sink};
use worker_support::{assignment, count, create, messages, samples, step};

/// What an engine does with its appetite.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Diet {
    /// One block.
    Block,
    /// Blocks of 200 bytes each, as many as make up the appetite.
    Crumbs,
    /// A file mapped and read.
    Mapped,
}

/// Takes so many bytes during every count and insert, and gives them back.
struct Glutton {
    diet: Diet,
    bytes: usize,
}

struct Sitting {
    diet: Diet,
    bytes: usize,
    file: std::fs::File,
}

impl Sitting {
    fn eat(&self) {
        match self.diet {
            Diet::Block => {
                let mut block = vec![0u8; self.bytes];
                block.iter_mut().step_by(1024).for_each(|byte| *byte = 1);
                digest(&block);
            }
            Diet::Crumbs => {
                // 200 bytes take 208 in the allocator; the list of them takes 24 each.
                let blocks = self.bytes / (208 + size_of::<Vec<u8>>());
                let mut crumbs = Vec::with_capacity(blocks);
                crumbs.extend((0..blocks).map(|_| vec![1u8; 200]));
                digest(&crumbs);
            }
            Diet::Mapped => {
                // SAFETY: the file is this test's own and keeps its length.
                unsafe {
                    let map = libc::mmap(
                        std::ptr::null_mut(),
                        self.bytes,
                        libc::PROT_READ,
                        libc::MAP_SHARED,
                        self.file.as_raw_fd(),
                        0,
                    );
                    assert_ne!(map, libc::MAP_FAILED);
                    let bytes = std::slice::from_raw_parts(map.cast::<u8>(), self.bytes);
                    let sum: u64 = bytes
                        .iter()
                        .step_by(4096)
                        .map(|byte| u64::from(*byte))
                        .sum();
                    digest(&sum);
                    libc::munmap(map, self.bytes);
                }
            }
        }
    }
}

fn digest<T>(value: &T) {
    std::hint::black_box(value);
    // Held long enough for some samples: the parts are sampled.
    std::thread::sleep(std::time::Duration::from_millis(12));
}

impl Engine for Glutton {
    fn kind(&self) -> &'static str {
        "glutton"
    }
    fn about(&self) -> &'static str {
        "takes a known amount of memory"
    }
    fn fidelity(&self) -> Fidelity {
        Fidelity::Own
    }
    fn version(&self) -> String {
        "1".into()
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            instantiate: false,
            compact: false,
            checkpoint: false,
            persistent: true,
            update_by_statement: true,
        }
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
        let path = directory.join("store");
        if self.diet == Diet::Mapped {
            std::fs::write(&path, vec![1; self.bytes]).unwrap();
        }
        Ok(Box::new(Sitting {
            diet: self.diet,
            bytes: self.bytes,
            file: std::fs::File::options()
                .create(true)
                .truncate(false)
                .read(true)
                .write(true)
                .open(&path)
                .unwrap(),
        }))
    }
}

impl Session for Sitting {
    fn begin(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
    fn commit(&mut self) -> Result<(), EngineError> {
        self.eat();
        Ok(())
    }
    fn rollback(&mut self) -> Result<(), EngineError> {
        Ok(())
    }
    fn insert(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Ok(())
    }
    fn upsert(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Ok(())
    }
    fn instantiate(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Ok(())
    }
    fn insert_instantiated(&mut self, _: ModelId, _: u64) -> Result<(), EngineError> {
        Ok(())
    }
    fn prepare(&mut self, _: &Request) -> Result<Prepared, EngineError> {
        Ok(Prepared(0))
    }
    fn execute(&mut self, _: Prepared, _: &[Value], _: &mut dyn Sink) -> Result<u64, EngineError> {
        self.eat();
        Ok(1)
    }
    fn release(&mut self, _: Prepared) {}
    fn maintain(&mut self, _: Maintenance) -> Result<(), EngineError> {
        Ok(())
    }
    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        Ok(Vec::new())
    }
    fn close(self: Box<Self>) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Memory of a count, and of a create of 10,000 records whose commit eats.
fn measure(diet: Diet, bytes: usize) -> [Memory; 2] {
    let directory = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let steps = vec![
        step("count", count(Select::All, 1)),
        step("create", create(0, 10_000, Transaction::One)),
    ];
    let mut assignment = assignment("glutton", directory.path(), Vec::new(), steps);
    assignment.verify = false;
    let mut frames = Vec::new();
    let engine = Glutton { diet, bytes };
    serve_with(&engine, &assignment, &mut frames, Confinement::None).unwrap();
    let samples = samples(&messages(&frames));
    [samples[0].memory.unwrap(), samples[1].memory.unwrap()]
}

fn assert_near(what: &str, measured: u64, appetite: u64) {
    let allowed = match appetite {
        bytes if bytes >= 16 << 20 => bytes / 20,
        _ => 256 << 10,
    };
    let error = measured.abs_diff(appetite);
    assert!(
        error <= allowed,
        "{what}: appetite {appetite}, measured {measured}, off by {error}"
    );
}

fn main() {
    // As a test runner would ask: this one has no single tests to list or choose.
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    let sizes = [
        0,
        64 << 10,
        1 << 20,
        4 << 20,
        15 << 20,
        16 << 20,
        100 << 20,
        400 << 20,
    ];
    for diet in [Diet::Block, Diet::Crumbs, Diet::Mapped] {
        for bytes in sizes
            .into_iter()
            .filter(|bytes| *bytes > 0 || diet != Diet::Mapped)
        {
            for (memory, verb) in measure(diet, bytes).into_iter().zip(["count", "create"]) {
                let what = format!("{diet:?} in {verb}");
                let appetite = bytes as u64;
                assert!(memory.samples >= 3, "{what}: {memory:?}");
                assert_near(&format!("{what}, peak"), memory.peak_bytes, appetite);
                let (anonymous, mapped) = match diet {
                    Diet::Mapped => (0, appetite),
                    Diet::Block | Diet::Crumbs => (appetite, 0),
                };
                assert_near(
                    &format!("{what}, anonymous"),
                    memory.anonymous_bytes,
                    anonymous,
                );
                assert_near(&format!("{what}, mapped"), memory.mapped_bytes, mapped);
            }
        }
    }
}
