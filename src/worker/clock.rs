//! The timed windows of a step.

use std::rc::Rc;

use super::latency::Latencies;
use super::probes::memory::Watch;
use super::probes::usage::Usage;
use crate::engines::decoding;
use crate::engines::native::calls;
use crate::probe::clock::{monotonic_ns, process_cpu_ns};
use crate::sample::Latency;
use crate::workload::HookRunner;

/// Operations shorter than this are taken apart in one window of
/// [`SPARSE`] only: a clock reading of some 25 ns then stays near 0.2%.
const SHORT_NS: u64 = 2_500;

/// One window of so many is taken apart where operations are short.
const SPARSE: u64 = 8;

/// Adds up what happens inside timed windows.
///
/// Engine calls stand inside, all else outside: generation, digests, the
/// reading of counters. Many windows make one step.
pub struct Clock {
    watch: Rc<Watch>,
    hooks: Rc<dyn HookRunner>,
    spent: Spent,
    laps: Laps,
    latencies: Latencies,
    windows: u64,
}

/// What one step spent inside its windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Wall time, ns.
    pub wall_ns: u64,
    /// Of these, inside hooks, ns.
    pub hook_ns: u64,
    /// Of these, decoding records above the engine, ns.
    pub decode_ns: u64,
    /// Calls through the engine's foreign interface, where it counts them.
    pub foreign_calls: u64,
    /// CPU time of the process without the watching thread, ns.
    pub cpu_ns: u64,
    /// Faults and switches, without the watching thread's.
    pub usage: Usage,
}

/// Takes single operations apart, inside a window.
pub struct Laps {
    apart: bool,
    /// When the running operation began, or the window, whichever is later.
    since_ns: u64,
    /// What the running operation took in earlier windows.
    carried_ns: u64,
    /// Operations that ended in this window.
    ended: u64,
    taken: Vec<u64>,
}

impl Laps {
    /// An operation has ended, the next begins.
    #[inline]
    pub fn lap(&mut self) {
        self.ended += 1;
        // A full buffer leaves out the rest of the window: no allocation inside.
        if self.apart && self.taken.len() < self.taken.capacity() {
            let now = monotonic_ns();
            self.taken.push(now - self.since_ns + self.carried_ns);
            self.since_ns = now;
            self.carried_ns = 0;
        }
    }
}

/// Most operations that one window takes apart.
pub const MAX_LAPS: usize = 1024;

impl Clock {
    /// A clock at zero; takes all its memory now.
    pub fn new(watch: Rc<Watch>, hooks: Rc<dyn HookRunner>) -> Clock {
        let mut clock = Clock {
            watch,
            hooks,
            spent: Spent::default(),
            laps: Laps {
                apart: true,
                since_ns: 0,
                carried_ns: 0,
                ended: 0,
                taken: Vec::with_capacity(MAX_LAPS),
            },
            latencies: Latencies::new(),
            windows: 0,
        };
        // Touches all of it, so that no step does.
        clock.laps.taken.resize(MAX_LAPS, 0);
        clock.reset();
        clock
    }

    /// Back to zero, for the next step.
    pub fn reset(&mut self) {
        self.spent = Spent::default();
        self.laps.taken.clear();
        self.laps.apart = true;
        self.laps.carried_ns = 0;
        self.latencies.clear();
        self.windows = 0;
    }

    /// Runs `work` inside a timed window.
    pub fn window<R>(&mut self, work: impl FnOnce(&mut Laps) -> R) -> R {
        let laps = &mut self.laps;
        laps.taken.clear();
        laps.ended = 0;
        let hooks = self.hooks.spent_ns();
        let decoding = decoding::spent_ns();
        let calls = calls::count();
        let usage = Usage::of_process();
        let watching = (self.watch.usage(), self.watch.cpu_ns());
        let cpu = process_cpu_ns();
        let start = monotonic_ns();
        laps.since_ns = start;
        let result = work(laps);
        let end = monotonic_ns();
        let cpu = process_cpu_ns() - cpu;
        let watched_cpu = self.watch.cpu_ns().saturating_sub(watching.1);
        let watched = self.watch.usage().since(watching.0);
        let usage = Usage::of_process().since(usage).since(watched);

        let wall = end - start;
        self.spent.wall_ns += wall;
        self.spent.hook_ns += self.hooks.spent_ns().saturating_sub(hooks);
        self.spent.decode_ns += decoding::spent_ns().saturating_sub(decoding);
        self.spent.foreign_calls += calls::count() - calls;
        self.spent.cpu_ns += cpu.saturating_sub(watched_cpu);
        self.spent.usage.minor_faults += usage.minor_faults;
        self.spent.usage.major_faults += usage.major_faults;
        self.spent.usage.switches += usage.switches;
        self.windows += 1;
        self.settle(wall, end);
        result
    }

    /// After a window: enters the latencies, and decides about the next window.
    fn settle(&mut self, wall: u64, end: u64) {
        let laps = &mut self.laps;
        for ns in &laps.taken {
            self.latencies.record(*ns);
        }
        if laps.ended == 0 {
            // Still the same operation: what it took so far goes with it.
            laps.carried_ns += wall;
            return;
        }
        let short = wall / laps.ended < SHORT_NS;
        let full = laps.taken.len() < laps.ended as usize;
        let was_apart = laps.apart && !full;
        laps.apart = !short || self.windows.is_multiple_of(SPARSE);
        // The tail of a window belongs to an operation that goes on in the
        // next. Where laps were not taken, operations are short and end with
        // their window.
        laps.carried_ns = if was_apart { end - laps.since_ns } else { 0 };
    }

    /// Everything since the last reset.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Latencies of the operations that were taken apart.
    pub fn latency(&self) -> Option<Latency> {
        self.latencies.summary()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn clock() -> Clock {
        let hooks = crate::hooks::Host::new(&[]).unwrap();
        Clock::new(Rc::new(Watch::start().unwrap()), Rc::new(hooks))
    }

    #[test]
    fn only_windows_count() {
        // The CPU time is the process's, and other tests run in it: so the gap is
        // measured too, and both must fit into the whole.
        let mut clock = clock();
        let (began_ns, began_cpu_ns) = (monotonic_ns(), process_cpu_ns());
        clock.window(|_| std::thread::sleep(Duration::from_millis(20)));
        let (gap_ns, gap_cpu_ns) = (monotonic_ns(), process_cpu_ns());
        while monotonic_ns() - gap_ns < 50_000_000 {}
        let (gap_ns, gap_cpu_ns) = (monotonic_ns() - gap_ns, process_cpu_ns() - gap_cpu_ns);
        clock.window(|_| ());
        let spent = clock.spent();
        let (whole_ns, whole_cpu_ns) = (monotonic_ns() - began_ns, process_cpu_ns() - began_cpu_ns);
        assert!(spent.wall_ns >= 20_000_000, "{spent:?}");
        assert!(spent.wall_ns + gap_ns <= whole_ns, "{spent:?}");
        assert!(spent.cpu_ns + gap_cpu_ns <= whole_cpu_ns, "{spent:?}");
        clock.reset();
        assert_eq!(clock.spent(), Spent::default());
    }

    #[test]
    fn an_operation_over_two_windows_has_both_parts() {
        let mut clock = clock();
        let nap = || std::thread::sleep(Duration::from_millis(5));
        clock.window(|laps| {
            nap();
            laps.lap();
            nap();
        });
        std::thread::sleep(Duration::from_millis(30));
        clock.window(|laps| {
            nap();
            laps.lap();
        });
        let latency = clock.latency().unwrap();
        assert!(
            (5_000_000..20_000_000).contains(&latency.first_ns),
            "{latency:?}"
        );
        assert_eq!(latency.count, 1);
        assert!(
            (10_000_000..30_000_000).contains(&latency.max_ns),
            "{latency:?}"
        );
    }

    #[test]
    fn short_operations_are_taken_apart_now_and_then() {
        let mut clock = clock();
        for _ in 0..64 {
            clock.window(|laps| (0..100).for_each(|_| laps.lap()));
        }
        let latency = clock.latency().unwrap();
        assert!((400..3200).contains(&latency.count), "{latency:?}");
    }
}
