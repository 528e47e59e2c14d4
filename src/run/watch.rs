//! One worker from start to end, within its limits.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::ending::{self, End};
use super::interrupt::Interrupt;
use super::options::WorkerCommand;
use super::process::{Frame, Heard, Worker};
use super::transcript::Transcript;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::{Assignment, Limits};
use crate::probe::{allocated_bytes, memory_of};

/// How often memory and the clock are looked at.
const POLL: Duration = Duration::from_millis(10);
/// How often the disk is, at most: a walk over the files costs more.
const DISK_POLL: Duration = Duration::from_millis(200);
/// A worker that has not said a word by then never will.
const START: Duration = Duration::from_secs(30);
/// How long it may live on after its last word.
const LINGER: Duration = Duration::from_secs(5);

/// One worker's life.
#[derive(Debug)]
pub struct Life {
    /// What it told.
    pub transcript: Transcript,
    /// How it ended.
    pub end: End,
    /// From its start to the first engine call, ns; 0 where it never came to that.
    pub start_ns: u64,
    /// All of it, ns.
    pub wall_ns: u64,
}

/// Why the supervisor put an end to a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Kill {
    /// Someone asked to stop.
    Interrupted,
    /// Past a limit: which (`memory limit`), and how.
    Limit(&'static str, String),
    /// It sent something that is no message, or none that fits.
    Garbage(String),
    /// It did not come up, or did not go.
    Silence(&'static str),
}

/// Watches over workers.
pub struct Watch<'a> {
    /// How they are started.
    pub command: &'a WorkerCommand,
    /// Whether someone asked to stop.
    pub interrupt: &'a Interrupt,
}

impl Watch<'_> {
    /// Runs a worker to its end. `pulse` is called about every second.
    ///
    /// # Errors
    /// Only where no worker can be started; what a worker does is a result.
    pub fn run(
        &self,
        assignment: &Assignment,
        limits: &Limits,
        pulse: &mut dyn FnMut(Duration),
    ) -> Result<Life, Diagnostic> {
        let input = serde_json::to_vec(assignment).map_err(|error| {
            Diagnostic::general(
                Code::WorkerUnavailable,
                format!("cannot tell a worker what to do: {error}"),
            )
        })?;
        let began = Instant::now();
        let mut worker = Worker::start(self.command, input)?;
        let mut transcript = Transcript::default();
        let mut patrol = Patrol::new(limits, assignment.directory.clone(), began);
        let mut cut = false;
        let mut silent_since: Option<Instant> = None;
        let mut ended_since: Option<Instant> = None;
        let mut pulsed = began;
        let kill = loop {
            if ended_since.is_none() && worker.has_ended() {
                // Its children hold its pipes: what it said itself is all there.
                worker.kill_group();
                ended_since = Some(Instant::now());
            }
            let wait = if silent_since.is_some() {
                Duration::from_millis(1)
            } else {
                POLL
            };
            match worker.hear(wait) {
                Heard::Frame(Frame::Message(message)) => {
                    if let Err(why) = transcript.take(*message, &assignment.job) {
                        break Some(Kill::Garbage(why));
                    }
                }
                Heard::Frame(Frame::Garbage(why)) => break Some(Kill::Garbage(why)),
                Heard::Frame(Frame::Cut) => cut = true,
                // All was heard.
                Heard::End if ended_since.is_some() => break None,
                Heard::End => {
                    let since = *silent_since.get_or_insert_with(Instant::now);
                    std::thread::sleep(Duration::from_millis(1));
                    if since.elapsed() > LINGER {
                        break Some(Kill::Silence("it closed its output and did not end"));
                    }
                }
                // A process that left the group holds the pipe.
                Heard::Nothing if ended_since.is_some_and(|since| since.elapsed() > LINGER) => {
                    break None;
                }
                Heard::Nothing => {}
            }
            if self.interrupt.asked() {
                break Some(Kill::Interrupted);
            }
            if let Some(kill) = patrol.look(&worker, &transcript) {
                break Some(kill);
            }
            if pulsed.elapsed() >= Duration::from_secs(1) {
                pulsed = Instant::now();
                pulse(began.elapsed());
            }
        };
        let start_ns = transcript
            .ready
            .as_ref()
            .map_or(0, |ready| ready.at_ns.saturating_sub(worker.started_ns));
        let status = worker.end().map_err(|error| {
            Diagnostic::general(
                Code::WorkerUnavailable,
                format!("cannot wait for a worker process: {error}"),
            )
        })?;
        let wall_ns = nanoseconds(began.elapsed());
        let end = ending::of(&transcript, kill, status, cut, &worker.stderr_tail());
        Ok(Life {
            transcript,
            end,
            start_ns,
            wall_ns,
        })
    }
}

/// Looks at the limits from time to time.
struct Patrol<'a> {
    limits: &'a Limits,
    directory: PathBuf,
    began: Instant,
    looked: Instant,
    walked: Instant,
    /// Twenty times what the last walk took: a store of many files is walked less often.
    next_walk: Duration,
}

impl<'a> Patrol<'a> {
    fn new(limits: &'a Limits, directory: PathBuf, began: Instant) -> Patrol<'a> {
        Patrol {
            limits,
            directory,
            began,
            looked: began,
            walked: began,
            next_walk: DISK_POLL,
        }
    }

    fn look(&mut self, worker: &Worker, transcript: &Transcript) -> Option<Kill> {
        if self.looked.elapsed() < POLL {
            return None;
        }
        self.looked = Instant::now();
        let lived = self.began.elapsed();
        if nanoseconds(lived) > self.limits.time_ns {
            let allowed = Duration::from_nanos(self.limits.time_ns);
            return Some(Kill::Limit(
                "time limit",
                format!("it ran for more than {allowed:?}"),
            ));
        }
        if transcript.ready.is_none() && lived > START {
            return Some(Kill::Silence("it did not come up"));
        }
        // An error here: it has just ended, which the next round finds out.
        if let Ok(memory) = memory_of(worker.pid())
            && memory.anonymous_bytes > self.limits.memory_bytes
        {
            return Some(Kill::Limit(
                "memory limit",
                format!(
                    "it had allocated {}, allowed are {}",
                    mebibytes(memory.anonymous_bytes),
                    mebibytes(self.limits.memory_bytes)
                ),
            ));
        }
        if self.walked.elapsed() >= self.next_walk {
            let begin = Instant::now();
            // An error here: an engine renames its files meanwhile; the next walk tells.
            let taken = allocated_bytes(&self.directory).unwrap_or(0);
            self.walked = Instant::now();
            self.next_walk = DISK_POLL.max((self.walked - begin) * 20);
            if taken > self.limits.disk_bytes {
                return Some(Kill::Limit(
                    "disk limit",
                    format!(
                        "its files took {}, allowed are {}",
                        mebibytes(taken),
                        mebibytes(self.limits.disk_bytes)
                    ),
                ));
            }
        }
        None
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
