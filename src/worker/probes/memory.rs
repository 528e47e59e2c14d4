//! Peak memory of a step: the kernel's high-water mark, and samples for the
//! split into anonymous and file-mapped.

use std::cell::Cell;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::usage::Usage;
use crate::probe::process::{ProcessMemory, parse};
use crate::probe::{clock, memory_of};
use crate::sample::Memory;

/// Time between two samples: well under the 5 ms that are promised, so that a
/// late wake-up stays within them.
const INTERVAL: Duration = Duration::from_millis(2);

/// Watches the memory of this process from a thread of its own.
///
/// Its own CPU time and switches can be read and are taken off a step's figures.
pub struct Watch {
    shared: Arc<Shared>,
    thread: Option<std::thread::JoinHandle<()>>,
    /// Memory before the engine was touched.
    baseline: Cell<ProcessMemory>,
    /// Whether the kernel lets the high-water mark be reset.
    resets: bool,
}

struct Shared {
    status: std::fs::File,
    highest: Mutex<Highest>,
    /// Samples are taken only during a step.
    active: AtomicBool,
    ended: AtomicBool,
    /// CPU clock of the sampling thread; 0 before it runs.
    cpu_clock: AtomicI32,
    switches: AtomicU64,
    faults: AtomicU64,
}

#[derive(Clone, Copy, Default)]
struct Highest {
    memory: ProcessMemory,
    samples: u32,
}

impl Watch {
    /// Starts the thread. The baseline is zero until it is taken.
    pub fn start() -> std::io::Result<Watch> {
        let shared = Arc::new(Shared {
            status: std::fs::File::open("/proc/self/status")?,
            highest: Mutex::default(),
            active: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            cpu_clock: AtomicI32::new(0),
            switches: AtomicU64::new(0),
            faults: AtomicU64::new(0),
        });
        let thread = std::thread::Builder::new()
            .name("memory".into())
            // Small, since its stack counts against the worker's limit.
            .stack_size(128 << 10)
            .spawn({
                let shared = Arc::clone(&shared);
                move || shared.run()
            })?;
        while shared.cpu_clock.load(Ordering::Acquire) == 0 {
            std::thread::yield_now();
        }
        let resets = reset_high_water_mark().is_ok();
        Ok(Watch {
            baseline: Cell::default(),
            shared,
            thread: Some(thread),
            resets,
        })
    }

    /// Takes the baseline: once, when the harness holds all that it will hold
    /// and before any engine is touched.
    pub fn take_baseline(&self) -> std::io::Result<ProcessMemory> {
        super::allocator::trim();
        self.baseline.set(memory_of(std::process::id())?);
        Ok(self.baseline.get())
    }

    /// CPU time of the watching thread, ns.
    pub fn cpu_ns(&self) -> u64 {
        clock::read(self.shared.cpu_clock.load(Ordering::Relaxed))
    }

    /// Faults and switches of the watching thread, as of its last sample.
    pub fn usage(&self) -> Usage {
        Usage {
            minor_faults: self.shared.faults.load(Ordering::Relaxed),
            major_faults: 0,
            switches: self.shared.switches.load(Ordering::Relaxed),
        }
    }

    /// A step begins: free heap is returned, the marks start anew.
    pub fn begin(&self) {
        super::allocator::trim();
        if self.resets {
            // Allowed before: a process may always clear its own.
            let _ = reset_high_water_mark();
        }
        *self.shared.lock() = Highest::default();
        self.shared.sample();
        self.shared.active.store(true, Ordering::Release);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }

    /// The step has ended: its peak above the baseline.
    ///
    /// `harness_bytes` is what the harness itself held at most during the step
    /// (a batch of generated records) and is taken off. Without a resettable
    /// high-water mark the highest sample stands in for it.
    pub fn end(&self, harness_bytes: u64) -> Memory {
        self.shared.active.store(false, Ordering::Release);
        self.shared.sample();
        let Highest { memory, samples } = *self.shared.lock();
        let mark = if self.resets { memory.peak_bytes } else { 0 };
        let peak = mark.max(memory.resident_bytes);
        let baseline = self.baseline.get();
        let above = |value: u64, base: u64| value.saturating_sub(base);
        let own = |value: u64| value.saturating_sub(harness_bytes);
        Memory {
            peak_bytes: own(above(peak, baseline.resident_bytes)),
            anonymous_bytes: own(above(memory.anonymous_bytes, baseline.anonymous_bytes)),
            mapped_bytes: above(memory.mapped_bytes, baseline.mapped_bytes),
            samples,
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn run(&self) {
        let mut clock = 0;
        // SAFETY: the thread is the caller's own; `clock` is valid for writing.
        unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        self.cpu_clock.store(clock, Ordering::Release);
        while !self.ended.load(Ordering::Acquire) {
            if self.active.load(Ordering::Acquire) {
                self.sample();
                let usage = Usage::of_thread();
                self.switches.store(usage.switches, Ordering::Relaxed);
                self.faults.store(usage.minor_faults, Ordering::Relaxed);
                std::thread::park_timeout(INTERVAL);
            } else {
                std::thread::park();
            }
        }
    }

    /// Takes one sample. The lock is held while reading, so that no sample
    /// from before a reset is entered after it.
    fn sample(&self) {
        let mut text = [0; 4096];
        let mut highest = self.lock();
        let Ok(length) = self.status.read_at(&mut text, 0) else {
            return;
        };
        let Some(now) = parse(&text[..length]) else {
            return;
        };
        let most = &mut highest.memory;
        most.resident_bytes = most.resident_bytes.max(now.resident_bytes);
        most.anonymous_bytes = most.anonymous_bytes.max(now.anonymous_bytes);
        most.mapped_bytes = most.mapped_bytes.max(now.mapped_bytes);
        most.peak_bytes = most.peak_bytes.max(now.peak_bytes);
        highest.samples += 1;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Highest> {
        self.highest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sets `VmHWM` to what is resident now: proc(5), `/proc/PID/clear_refs`, value 5.
fn reset_high_water_mark() -> std::io::Result<()> {
    std::fs::OpenOptions::new()
        .write(true)
        .open("/proc/self/clear_refs")?
        .write_all(b"5")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watching_thread_accounts_for_itself_and_ends() {
        let watch = Watch::start().unwrap();
        watch.begin();
        std::thread::sleep(Duration::from_millis(60));
        let memory = watch.end(0);
        assert!(memory.samples >= 5, "{memory:?}");
        let cpu = watch.cpu_ns();
        assert!(cpu > 0);
        assert!(watch.usage().switches >= 3);
        std::thread::sleep(Duration::from_millis(40));
        // Asleep between steps.
        assert!(watch.cpu_ns() - cpu < 2_000_000);
    }
}
