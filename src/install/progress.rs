//! What is going on, on standard error.

use std::io::{IsTerminal, Write};

/// Told of what is going on.
pub trait Progress {
    /// A line that stays.
    fn say(&mut self, line: &str);
    /// A count that rises; the same words again replace the last.
    fn count(&mut self, words: &str, done: usize, total: usize);
}

/// Writes to standard error; counts on a terminal only, and not under CI.
#[derive(Debug)]
pub struct StderrProgress {
    live: bool,
}

impl StderrProgress {
    /// As standard error and the environment have it.
    pub fn new() -> StderrProgress {
        let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        StderrProgress {
            live: std::io::stderr().is_terminal() && !ci,
        }
    }

    fn put(text: &str) {
        // Progress that cannot be shown is no reason to stop.
        let mut stderr = std::io::stderr().lock();
        let _ = stderr
            .write_all(text.as_bytes())
            .and_then(|()| stderr.flush());
    }
}

impl Default for StderrProgress {
    fn default() -> Self {
        Self::new()
    }
}

impl Progress for StderrProgress {
    fn say(&mut self, line: &str) {
        let clear = if self.live { "\r\x1b[K" } else { "" };
        Self::put(&format!("{clear}{line}\n"));
    }

    fn count(&mut self, words: &str, done: usize, total: usize) {
        if self.live {
            Self::put(&format!("\r\x1b[K{words} {done}/{total}"));
        }
    }
}

impl Drop for StderrProgress {
    fn drop(&mut self) {
        if self.live {
            Self::put("\r\x1b[K");
        }
    }
}
