//! Rounds of killing, and what each finds.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use persist_lab::base::Value;
use persist_lab::engines::Options;
use persist_lab::engines::memory::MemoryEngine;

use super::child::open_engine;
use super::story::{Writer, mix, state};

/// What is held against what.
pub type State = Vec<Vec<Vec<Value>>>;

/// What was seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Processes killed.
    pub rounds: u64,
    /// Commits that returned.
    pub acknowledged: u64,
    /// Killed in a transaction that was there afterwards, whole.
    pub whole: u64,
    /// Killed in a transaction that was not.
    pub absent: u64,
    /// Killed in a transaction that was there in part, where none is a unit.
    pub half: u64,
    /// Killed, and acknowledged values were gone, where that is known to happen.
    pub lost: u64,
    /// Killed, and the store was not to be read, where that is known to happen.
    pub unreadable: u64,
    /// Killed before it had opened the store and read it.
    pub opening: u64,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} kills, {} acknowledged commits; cut transactions: {} whole, {} absent",
            self.rounds, self.acknowledged, self.whole, self.absent
        )?;
        if self.half > 0 {
            write!(f, ", {} in part", self.half)?;
        }
        if self.lost > 0 {
            write!(f, ", {} with acknowledged values lost", self.lost)?;
        }
        if self.unreadable > 0 {
            write!(f, ", {} with a value that cannot be read", self.unreadable)?;
        }
        if self.opening > 0 {
            write!(f, "; {} kills while opening", self.opening)?;
        }
        Ok(())
    }
}

/// The state that must be there, by the oracle.
pub struct Oracle {
    pub writer: Writer,
}

impl Oracle {
    pub fn new(seed: u64) -> Result<Oracle, String> {
        let session = open_engine(&MemoryEngine, Path::new(""), &Options::new())?;
        let writer = Writer::new(session, seed, 0).map_err(|e| e.to_string())?;
        Ok(Oracle { writer })
    }

    pub fn next(&self) -> u64 {
        self.writer.next()
    }

    pub fn state(&mut self) -> Result<State, String> {
        state(self.writer.session.as_mut(), true)
    }

    pub fn advance(&mut self) -> Result<(), String> {
        self.writer.transact().map_err(|e| e.to_string())
    }
}

/// A child at work.
pub struct Killed {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Killed {
    pub fn start(
        kind: &str,
        options: &Options,
        directory: &Path,
        seed: u64,
    ) -> Result<Self, String> {
        let me = std::env::current_exe().map_err(|e| e.to_string())?;
        let options = serde_json::to_string(options).map_err(|e| e.to_string())?;
        let mut child = Command::new(me)
            .args(["child", kind, &options])
            .arg(directory)
            .arg(seed.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| e.to_string())?;
        let out = child.stdout.take().ok_or("no pipe")?;
        Ok(Killed {
            child,
            lines: BufReader::new(out).lines(),
        })
    }

    pub fn line(&mut self) -> Option<String> {
        self.lines.next()?.ok()
    }

    /// What it found in the store.
    pub fn found(&mut self) -> Result<State, String> {
        let line = self.line().unwrap_or_default();
        match line.strip_prefix("state ") {
            Some(json) => serde_json::from_str(json).map_err(|e| e.to_string()),
            None => Err(format!("the store does not open and read: {line:?}")),
        }
    }

    pub fn tell(&mut self, line: &str) -> Result<(), String> {
        let stdin = self.child.stdin.as_mut().ok_or("no pipe")?;
        writeln!(stdin, "{line}").map_err(|e| e.to_string())
    }

    /// Kills it somewhere in a transaction after a few, or just after one; the
    /// number of the first that is not acknowledged. `one` is how long one
    /// takes, about.
    pub fn kill_in_a_transaction(
        &mut self,
        first: u64,
        bits: u64,
        one: &mut Duration,
    ) -> Result<u64, String> {
        let mut number = first;
        let started = Instant::now();
        for _ in 0..(bits >> 16) % 8 {
            let line = self.line().unwrap_or_default();
            if line != format!("done {number}") {
                return Err(format!("{number}: {line:?}"));
            }
            number += 1;
        }
        if number > first {
            *one = (*one + started.elapsed() / (number - first) as u32) / 2;
        }
        std::thread::sleep(one.mul_f64((bits >> 32) as f64 % 1_000.0 / 500.0));
        self.kill()?;
        // What was printed before is still in the pipe; a line cut short is none.
        while let Some(line) = self.line() {
            if line == format!("done {number}") {
                number += 1;
            } else if line.starts_with("error") {
                return Err(format!("{number}: {line}"));
            }
        }
        Ok(number)
    }

    /// Waits for its end in order.
    pub fn finish(&mut self) -> Result<(), String> {
        let status = self.child.wait().map_err(|e| e.to_string())?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("it ends with {status}")),
        }
    }

    /// SIGKILL; what it had printed is read afterwards.
    pub fn kill(&mut self) -> Result<(), String> {
        self.child.kill().map_err(|e| e.to_string())
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills an engine so often; what was seen, or what was wrong.
///
/// Each round opens the store in a new process. It must hold what the oracle
/// holds after the acknowledged commits, or after one more: the one that was
/// cut, whole. Then it writes on, and is killed somewhere in a transaction
/// after a few; one round in eight is killed while it opens instead, which may
/// be in the middle of a recovery.
pub fn run(kind: &str, options: &Options, rounds: u64, seed: u64) -> Result<Tally, String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut oracle = Oracle::new(seed)?;
    let mut expected = oracle.state()?;
    let mut tally = Tally::default();
    // Whether a transaction may have been cut since the store was last seen.
    let mut cut = false;
    // Guesses, corrected as it goes.
    let mut opening = Duration::from_millis(10);
    let mut transaction = Duration::from_millis(2);
    for round in 0..rounds {
        let bits = mix(seed ^ 0x0dd5, round);
        let told = |what: String| format!("round {round}, transaction {what}");
        let started = Instant::now();
        let mut child = Killed::start(kind, options, directory.path(), seed)?;
        tally.rounds += 1;
        if bits.is_multiple_of(8) {
            std::thread::sleep(opening.mul_f64((bits >> 8) as f64 % 1_000.0 / 900.0));
            child.kill()?;
            tally.opening += 1;
            continue;
        }
        let found = child
            .found()
            .map_err(|e| told(format!("{}: {e}", oracle.next())))?;
        opening = (opening + started.elapsed()) / 2;
        if found != expected {
            if !cut {
                return Err(told(format!(
                    "{}: {}",
                    oracle.next(),
                    difference(&found, &expected)
                )));
            }
            let before = difference(&found, &expected);
            oracle.advance()?;
            expected = oracle.state()?;
            if found != expected {
                return Err(told(format!(
                    "{} is half there, or an acknowledged one is lost: without it {before}; with it {}",
                    oracle.next() - 1,
                    difference(&found, &expected)
                )));
            }
            tally.whole += 1;
        } else if cut {
            tally.absent += 1;
        }
        child.tell(&oracle.next().to_string())?;
        let number = child
            .kill_in_a_transaction(oracle.next(), bits, &mut transaction)
            .map_err(told)?;
        cut = true;
        tally.acknowledged += number - oracle.next();
        while oracle.next() < number {
            oracle.advance()?;
        }
        expected = oracle.state()?;
    }
    // The last one closes in order, and is opened once more.
    for _ in 0..2 {
        let mut child = Killed::start(kind, options, directory.path(), seed)?;
        let found = child.found()?;
        if found != expected && cut {
            oracle.advance()?;
            expected = oracle.state()?;
        }
        cut = false;
        if found != expected {
            return Err(format!("at the end {}", difference(&found, &expected)));
        }
        child.tell("close")?;
        child.finish()?;
    }
    Ok(tally)
}

/// In a line, how two states differ.
fn difference(found: &State, expected: &State) -> String {
    let mut words = Vec::new();
    for (name, (found, expected)) in ["accounts", "entries"]
        .iter()
        .zip(found.iter().zip(expected))
    {
        let missing = expected.iter().filter(|row| !found.contains(row)).count();
        let odd = found.iter().filter(|row| !expected.contains(row)).count();
        words.push(format!(
            "{missing} of {} {name} are missing and {odd} others there",
            expected.len()
        ));
    }
    words.join(", ")
}
