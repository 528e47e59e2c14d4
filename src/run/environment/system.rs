//! Operating system, kernel, memory.

use super::fact;
use crate::archive::environment::System;

pub fn read() -> System {
    System {
        name: fact("/proc/sys/kernel/ostype").unwrap_or_else(|| std::env::consts::OS.into()),
        kernel: fact("/proc/sys/kernel/osrelease").unwrap_or_default(),
        architecture: std::env::consts::ARCH.into(),
        virtualised: virtualised(),
        page_bytes: page_bytes(),
        huge_pages: fact("/sys/kernel/mm/transparent_hugepage/enabled").and_then(chosen),
    }
}

/// Main memory and swap space, bytes.
pub fn memory() -> (u64, u64) {
    let facts = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let bytes = |name: &str| {
        facts
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .and_then(|rest| rest.trim().strip_suffix("kB"))
            .and_then(|number| number.trim().parse::<u64>().ok())
            .map_or(0, |kibibytes| kibibytes * 1024)
    };
    (bytes("MemTotal:"), bytes("SwapTotal:"))
}

fn page_bytes() -> u64 {
    // SAFETY: takes no pointer.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(bytes).unwrap_or(0)
}

/// By the processor's own flag; on other architectures by what the kernel found.
fn virtualised() -> Option<bool> {
    let facts = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    if let Some(flags) = facts.lines().find(|line| line.starts_with("flags")) {
        return Some(flags.split_whitespace().any(|flag| flag == "hypervisor"));
    }
    std::path::Path::new("/sys/hypervisor/type")
        .exists()
        .then_some(true)
}

/// The word in brackets: `always [madvise] never`.
fn chosen(text: String) -> Option<String> {
    let (_, rest) = text.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}
