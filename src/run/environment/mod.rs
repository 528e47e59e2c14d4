//! Reads the machine and the build: what a reader of the archive must know.

mod cpu;
mod disk;
mod mounts;
mod system;

use std::collections::BTreeMap;
use std::path::Path;

use crate::archive::ARCHIVE_VERSION;
use crate::archive::environment::{Build, Environment};
use crate::engines::registry;
use crate::probe::empty_call_ns;
use crate::sample::Provenance;

/// What this machine is, as seen from a directory that will hold the stores
/// (it need not be there yet).
pub fn read(stores: &Path) -> Environment {
    let memory = system::memory();
    Environment {
        version: ARCHIVE_VERSION,
        cpu: cpu::read(),
        memory_bytes: memory.0,
        swap_bytes: memory.1,
        disk: disk::read(stores),
        system: system::read(),
        build: build(),
        engines: engines(),
        provenance: provenance(),
        empty_call_ns: Some(empty_call_ns()),
        allocator: None,
    }
}

fn build() -> Build {
    Build {
        tool: env!("CARGO_PKG_VERSION").into(),
        compiler: env!("PERSIST_LAB_COMPILER").into(),
        profile: env!("PERSIST_LAB_PROFILE").into(),
        opt_level: env!("PERSIST_LAB_OPT_LEVEL").into(),
        target: env!("PERSIST_LAB_TARGET").into(),
        debug_assertions: cfg!(debug_assertions),
    }
}

fn engines() -> BTreeMap<String, String> {
    registry::here()
        .map(|engine| (engine.kind().to_owned(), engine.version()))
        .collect()
}

fn provenance() -> BTreeMap<String, Provenance> {
    registry::here()
        .filter_map(|engine| Some((engine.kind().to_owned(), engine.provenance()?)))
        .collect()
}

/// A small file of `/sys` or `/proc`, without white space around.
fn fact(path: impl AsRef<Path>) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_this_machine_and_no_one_s_name() {
        let directory = tempfile::tempdir().unwrap();
        let environment = read(&directory.path().join("not/there/yet"));
        assert!(environment.memory_bytes > 64 << 20);
        assert!(environment.cpu.usable >= 1);
        assert_eq!(environment.system.name, "Linux");
        assert!(environment.disk.total_bytes > 0);
        assert!(environment.disk.file_system.is_some());
        assert!(environment.build.compiler.starts_with("rustc "));
        assert_eq!(
            environment.build.debug_assertions,
            environment.build.profile == "debug"
        );
        let text = serde_json::to_string(&environment).unwrap();
        let here = directory.path().to_str().unwrap();
        assert!(!text.contains(here), "{text}");
        for path in ["/home", "/root", "/tmp", "/var"] {
            assert!(!text.contains(path), "{text}");
        }
        assert!(environment.differences(&environment).is_empty());
    }
}
