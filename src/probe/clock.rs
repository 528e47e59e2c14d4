//! Clocks of the kernel, in nanoseconds.

/// `CLOCK_MONOTONIC`: the same in every process of the machine, so that the
/// supervisor can align its samples with a worker's steps.
pub fn monotonic_ns() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// CPU time, user and system, of all threads of this process.
pub fn process_cpu_ns() -> u64 {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// A clock by its id; 0 where the kernel does not have it (a thread that ended).
pub fn read(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid for writing; the call keeps no pointer.
    let failed = unsafe { libc::clock_gettime(clock, &mut time) } != 0;
    if failed {
        return 0;
    }
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000
        + u64::try_from(time.tv_nsec).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_passes_only_while_working() {
        let (wall, cpu) = (monotonic_ns(), read(libc::CLOCK_THREAD_CPUTIME_ID));
        std::thread::sleep(std::time::Duration::from_millis(30));
        let (wall, cpu) = (
            monotonic_ns() - wall,
            read(libc::CLOCK_THREAD_CPUTIME_ID) - cpu,
        );
        assert!(wall >= 30_000_000, "slept {wall} ns");
        assert!(cpu < 10_000_000, "used {cpu} ns of CPU asleep");
        assert_eq!(read(-1), 0);
    }
}
