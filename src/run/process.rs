//! A worker process: started, listened to, ended with all its children.

use std::io::{BufReader, ErrorKind, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::options::WorkerCommand;
use crate::diagnostics::{Code, Diagnostic};
use crate::probe::monotonic_ns;
use crate::sample::{Message, read_frame};

/// Bytes kept of a worker's standard error: its end.
const TAIL_BYTES: usize = 8 << 10;
/// Frames that may wait: a worker that floods the pipe is held up, not stored.
const FRAMES: usize = 16;

/// What came out of a worker.
#[derive(Debug)]
pub enum Frame {
    /// A message.
    Message(Box<Message>),
    /// Something that is no message; nothing is read after it.
    Garbage(String),
    /// The stream broke off inside a frame.
    Cut,
}

/// A running worker. Dropping it kills it.
pub struct Worker {
    child: Child,
    /// When it was started, on the monotonic clock, ns.
    pub started_ns: u64,
    frames: Receiver<Frame>,
    tail: Arc<Mutex<Vec<u8>>>,
    tail_done: Receiver<()>,
    reaped: bool,
}

/// What waiting for a frame brought.
pub enum Heard {
    /// A frame.
    Frame(Frame),
    /// Nothing yet.
    Nothing,
    /// No more will come.
    End,
}

impl Worker {
    /// Starts a worker in a process group of its own and hands it its input.
    ///
    /// It dies with the supervisor, and is the first to go when memory runs out.
    pub fn start(command: &WorkerCommand, input: Vec<u8>) -> Result<Worker, Diagnostic> {
        let started_ns = monotonic_ns();
        let mut child = spawn(command).map_err(|error| {
            Diagnostic::general(
                Code::WorkerUnavailable,
                format!("cannot start a worker process: {error}"),
            )
        })?;
        // Best effort: where it is refused, the kernel chooses as it does for all.
        let _ = std::fs::write(format!("/proc/{}/oom_score_adj", child.id()), "1000");
        if let Some(mut stdin) = child.stdin.take() {
            // A worker that does not read its input is found out by its silence.
            std::thread::spawn(move || stdin.write_all(&input));
        }
        let (sender, frames) = sync_channel(FRAMES);
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || listen(stdout, &sender));
        }
        let tail = Arc::new(Mutex::new(Vec::new()));
        let (done, tail_done) = channel();
        if let Some(stderr) = child.stderr.take() {
            let tail = Arc::clone(&tail);
            std::thread::spawn(move || {
                keep_tail(stderr, &tail);
                // Nobody may be waiting any more.
                let _ = done.send(());
            });
        }
        Ok(Worker {
            child,
            started_ns,
            frames,
            tail,
            tail_done,
            reaped: false,
        })
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the next frame, but not longer than `longest`.
    pub fn hear(&self, longest: Duration) -> Heard {
        match self.frames.recv_timeout(longest) {
            Ok(frame) => Heard::Frame(frame),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Whether the process has ended. It is not reaped, so that its id and its
    /// group's cannot come to name another.
    pub fn has_ended(&self) -> bool {
        // SAFETY: `info` is valid for writing, all-zero is a valid value of it.
        unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            libc::waitid(libc::P_PID, self.child.id(), &mut info, flags) == 0 && info.si_pid() != 0
        }
    }

    /// Kills what is left of its process group and reaps it.
    pub fn end(&mut self) -> std::io::Result<ExitStatus> {
        self.kill_group();
        let status = self.child.wait();
        self.reaped = true;
        status
    }

    /// The end of what it wrote to standard error.
    pub fn stderr_tail(&self) -> String {
        // A process that left the group may hold the pipe open: not waited for.
        let _ = self.tail_done.recv_timeout(Duration::from_millis(200));
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&tail).trim().to_owned()
    }

    /// Kills its process group.
    pub fn kill_group(&self) {
        if let Ok(pid) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: takes no pointer. The leader is not reaped yet, so the id is its own.
            unsafe { libc::kill(-pid, libc::SIGKILL) };
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.reaped {
            // Nothing can be done about an error here.
            let _ = self.end();
        }
    }
}

fn spawn(command: &WorkerCommand) -> std::io::Result<Child> {
    let supervisor = std::process::id();
    let mut spawning = Command::new(&command.program);
    spawning
        .args(&command.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    // SAFETY: only calls that are safe between fork and exec.
    unsafe {
        spawning.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            // The supervisor may have died before the line above.
            if u32::try_from(libc::getppid()) != Ok(supervisor) {
                return Err(std::io::Error::from_raw_os_error(libc::ESRCH));
            }
            Ok(())
        });
    }
    spawning.spawn()
}

fn listen(stdout: impl Read, sender: &SyncSender<Frame>) {
    let mut from = BufReader::new(stdout);
    loop {
        let (frame, last) = match read_frame(&mut from) {
            Ok(Some(message)) => (Frame::Message(Box::new(message)), false),
            Ok(None) => return,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => (Frame::Cut, true),
            Err(error) => (Frame::Garbage(error.to_string()), true),
        };
        if sender.send(frame).is_err() || last {
            return;
        }
    }
}

fn keep_tail(mut stderr: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buffer[..read]);
        let excess = tail.len().saturating_sub(TAIL_BYTES);
        tail.drain(..excess);
    }
}

/// The signal that ended a process, by number and name.
pub fn signal_of(status: ExitStatus) -> Option<(i32, &'static str)> {
    let number = status.signal()?;
    let name = match number {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => "another signal",
    };
    Some((number, name))
}
