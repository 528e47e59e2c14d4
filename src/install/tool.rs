//! Programs that are started: package clients and compilers.

use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// How long to look away from a running program.
const NAP: Duration = Duration::from_millis(10);
/// How long a program may take to tell its version.
const VERSION_NAPS: u32 = 3_000;

/// How a program ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself, with all that it said on both of its outputs.
    Status(ExitStatus, String),
    /// It was stopped.
    Interrupted,
}

/// A program with what always comes first: `["python3", "-m", "pip"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The program and its first arguments; never empty.
    pub words: Vec<String>,
    /// First line of what it says to `--version`.
    pub version: String,
}

impl Tool {
    /// The first of these programs that can tell its version.
    pub fn first(candidates: impl IntoIterator<Item = Vec<String>>) -> Option<Tool> {
        candidates.into_iter().find_map(Tool::ask)
    }

    /// That program, if it can tell its version.
    pub fn ask(words: Vec<String>) -> Option<Tool> {
        let mut command = command(&words)?;
        command
            .arg("--version")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = spawn(&mut command).ok()?;
        for _ in 0..VERSION_NAPS {
            if child.try_wait().ok()?.is_some() {
                let output = child.wait_with_output().ok()?;
                let text = String::from_utf8_lossy(&output.stdout);
                let version = text.lines().next().unwrap_or_default().trim().to_owned();
                return output.status.success().then_some(Tool { words, version });
            }
            std::thread::sleep(NAP);
        }
        kill(&mut child);
        None
    }

    /// The program with its first arguments.
    pub fn command(&self) -> Command {
        // Never empty, as `ask` has it.
        command(&self.words).unwrap_or_else(|| Command::new(""))
    }

    /// As typed.
    pub fn name(&self) -> String {
        self.words.join(" ")
    }
}

fn command(words: &[String]) -> Option<Command> {
    let (program, first) = words.split_first()?;
    let mut command = Command::new(program);
    command.args(first);
    Some(command)
}

/// Runs a program to its end, both its outputs into a file at `said`.
pub fn run(
    command: &mut Command,
    said: &Path,
    interrupted: &dyn Fn() -> bool,
) -> io::Result<Ended> {
    let file = File::create(said)?;
    command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    let mut child = spawn(command)?;
    loop {
        if let Some(status) = child.try_wait()? {
            let text = std::fs::read(said)?;
            return Ok(Ended::Status(
                status,
                String::from_utf8_lossy(&text).into_owned(),
            ));
        }
        if interrupted() {
            kill(&mut child);
            return Ok(Ended::Interrupted);
        }
        std::thread::sleep(NAP);
    }
}

/// Starts a program in a process group of its own; it dies with the thread that started it.
fn spawn(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    // SAFETY: only a call that is safe between fork and exec.
    unsafe {
        command.pre_exec(|| {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        });
    }
    command.spawn()
}

/// Kills a program and what it has started, and reaps it.
fn kill(child: &mut Child) {
    if let Ok(pid) = libc::pid_t::try_from(child.id()) {
        // SAFETY: takes no pointer. The leader is not reaped yet, so the id is its own.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
    }
    // Nothing can be done about an error here.
    let _ = child.wait();
}

/// `ended with exit code 1`, `was killed by signal 9`
pub fn status_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "ended in an unknown way".to_owned(),
    }
}
