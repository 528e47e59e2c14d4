//! The machine and the build that a run ran on. No host names, no user names,
//! no paths of the machine: an archive is made to be handed on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::differ;
use crate::sample::Provenance;

/// What a session ran on. What could not be read is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// [`super::ARCHIVE_VERSION`].
    pub version: u32,
    /// Processor.
    pub cpu: Cpu,
    /// Main memory, bytes.
    pub memory_bytes: u64,
    /// Swap space, bytes.
    pub swap_bytes: u64,
    /// The disk that holds the stores.
    pub disk: Disk,
    /// Operating system and kernel.
    pub system: System,
    /// This program.
    pub build: Build,
    /// Version of each engine that is here, by kind.
    pub engines: BTreeMap<String, String>,
    /// Where the code of each engine that was installed came from, by kind.
    #[serde(default)]
    pub provenance: BTreeMap<String, Provenance>,
    /// Time of an empty call through a foreign interface, ns; it varies by the moment.
    #[serde(default)]
    pub empty_call_ns: Option<f64>,
    /// Allocator of the workers, as they tell it; `None` until the first has.
    pub allocator: Option<String>,
}

/// Processor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cpu {
    /// Model name, as the kernel tells it.
    pub model: Option<String>,
    /// Logical processors that this program may use.
    pub usable: u32,
    /// Logical processors online.
    pub online: u32,
    /// Frequency governor of the first processor.
    pub governor: Option<String>,
    /// Its highest frequency, kHz.
    pub max_khz: Option<u64>,
    /// Whether it may go above its base frequency.
    pub boost: Option<bool>,
}

/// The disk that holds the stores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Disk {
    /// Kernel name of the device (`nvme0n1p2`); `None` where it is no block device.
    pub device: Option<String>,
    /// Model of the device.
    pub model: Option<String>,
    /// Whether it spins.
    pub rotational: Option<bool>,
    /// Its write cache: `write back` or `write through`.
    pub write_cache: Option<String>,
    /// File system.
    pub file_system: Option<String>,
    /// Mount options, of the mount and of the file system, without any that names a path.
    pub mount_options: Vec<String>,
    /// Size of the file system, bytes.
    pub total_bytes: u64,
    /// Free space when the session began, bytes.
    pub free_bytes: u64,
}

/// Operating system and kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct System {
    /// `Linux`
    pub name: String,
    /// Kernel release.
    pub kernel: String,
    /// Architecture.
    pub architecture: String,
    /// Whether a hypervisor is underneath.
    pub virtualised: Option<bool>,
    /// Size of a page, bytes.
    pub page_bytes: u64,
    /// Transparent huge pages: `always`, `madvise` or `never`.
    pub huge_pages: Option<String>,
}

/// This program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// Version of persist-lab.
    pub tool: String,
    /// Version line of the compiler.
    pub compiler: String,
    /// Profile (`release`).
    pub profile: String,
    /// Optimisation level.
    pub opt_level: String,
    /// Target triple.
    pub target: String,
    /// Whether debug assertions are compiled in.
    pub debug_assertions: bool,
}

impl Environment {
    /// What differs in `later`, as `name: before -> after`; free space, the price
    /// of a call, and the allocator, which only a worker can tell, left aside.
    pub fn differences(&self, later: &Environment) -> Vec<String> {
        let mut later = later.clone();
        later.disk.free_bytes = self.disk.free_bytes;
        later.allocator.clone_from(&self.allocator);
        later.empty_call_ns = self.empty_call_ns;
        differ::differences(self, &later, 20)
    }
}
