//! How many compiles at a time.

use std::num::NonZero;

use sysinfo::{MemoryRefreshKind, System};

/// As many as there are processors, but no more than fit into memory.
pub fn jobs(job_bytes: u64) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    fitting(processors, job_bytes, free_bytes())
}

fn fitting(processors: usize, job_bytes: u64, free_bytes: u64) -> usize {
    let fit = free_bytes.checked_div(job_bytes).unwrap_or(u64::MAX);
    processors
        .min(usize::try_from(fit).unwrap_or(usize::MAX))
        .max(1)
}

/// Memory that can be had: of the machine, or of the control group.
/// Without limit where neither can be told.
fn free_bytes() -> u64 {
    let Ok(mut system) = System::new() else {
        return u64::MAX;
    };
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let machine = system.available_memory();
    match system.cgroup_limits() {
        Some(limits) => machine.min(limits.free_memory),
        None => machine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_limits_and_one_always_runs() {
        assert_eq!(fitting(8, 700, 10_000), 8);
        assert_eq!(fitting(8, 700, 2_800), 4);
        assert_eq!(fitting(8, 700, 100), 1);
        assert_eq!(fitting(8, 0, 100), 8);
        assert!(jobs(1) >= 1);
    }
}
