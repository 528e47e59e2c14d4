//! Progress on standard error: one line that is rewritten, and nothing but the
//! last line where standard error is no terminal.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use super::deaths::point;
use super::events::{Events, Progress};
use super::summary::Summary;
use crate::archive::State;
use crate::plan::Job;
use crate::plan::order::Cell;
use crate::sample::{CellRecord, Outcome};

/// Writes progress to standard error.
#[derive(Debug)]
pub struct StderrProgress {
    live: bool,
    colour: bool,
    line: String,
}

impl StderrProgress {
    /// Live on a terminal only, and not under CI; without colour where `NO_COLOR` asks for that.
    pub fn new() -> StderrProgress {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let live = std::io::stderr().is_terminal() && !set("CI");
        StderrProgress {
            live,
            colour: live && !set("NO_COLOR"),
            line: String::new(),
        }
    }

    fn show(&mut self, line: String) {
        self.line = line;
        self.draw("");
    }

    fn draw(&self, extra: &str) {
        if !self.live {
            return;
        }
        let width = terminal_width().unwrap_or(80).saturating_sub(1);
        let text: String = format!("{}{extra}", self.line)
            .chars()
            .take(width)
            .collect();
        let (on, off) = if self.colour {
            ("\x1b[2m", "\x1b[0m")
        } else {
            ("", "")
        };
        put(&format!("\r\x1b[K{on}{text}{off}"));
    }

    /// A line that stays.
    fn say(&self, line: &str) {
        let clear = if self.live { "\r\x1b[K" } else { "" };
        put(&format!("{clear}{line}\n"));
    }
}

impl Default for StderrProgress {
    fn default() -> Self {
        Self::new()
    }
}

impl Events for StderrProgress {
    fn began(&mut self, directory: &Path, progress: &Progress<'_>) {
        if self.live {
            self.say(&format!("results in {}", directory.display()));
        }
        if progress.done > 0 {
            self.say(&format!(
                "going on: {} of {} cells are done",
                progress.done, progress.total
            ));
        }
    }

    fn oracle(&mut self, job: &Job, progress: &Progress<'_>) {
        self.show(format!(
            "{} expected answers of {} {}",
            head(progress),
            job.trial,
            point(job)
        ));
    }

    fn cell(&mut self, cell: Cell, job: &Job, progress: &Progress<'_>) {
        let engine = progress
            .plan
            .engines
            .get(job.engine)
            .map_or("", |engine| engine.label.as_str());
        let run = if cell.warmup {
            "warm-up".to_owned()
        } else {
            format!("run {}", cell.run + 1)
        };
        self.show(format!(
            "{} {engine} {} {} {run}",
            head(progress),
            job.trial,
            point(job)
        ));
    }

    fn pulse(&mut self, lived: Duration) {
        self.draw(&format!(" {}", time(lived)));
    }

    fn ended(&mut self, record: &CellRecord, _progress: &Progress<'_>) {
        if !self.live {
            return;
        }
        match &record.outcome {
            Outcome::Void { step, difference } => {
                self.say(&format!("void: {} in {step}: {difference}", record.job));
            }
            Outcome::Died { cause, .. } => self.say(&format!("died: {}: {cause}", record.job)),
            Outcome::Complete | Outcome::Unchecked(_) | Outcome::NotTried(_) => {}
        }
    }

    fn finished(&mut self, summary: &Summary) {
        let shown = summary.directory.display();
        self.say(&format!("{summary}; results in {shown}"));
        if matches!(summary.state, State::Interrupted | State::BudgetSpent) {
            self.say(&format!(
                "go on with the same command and `--resume {shown}`"
            ));
        }
    }
}

fn head(progress: &Progress<'_>) -> String {
    let left = match progress.left {
        Some(left) => format!(" {} left,", time(left)),
        None => String::new(),
    };
    format!("{}/{}{left}", progress.done, progress.total)
}

/// `1h05m`, `3m20s`, `12s`.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m{s:02}s"),
        (h, m, _) => format!("{h}h{m:02}m"),
    }
}

fn put(text: &str) {
    // Progress that cannot be shown is no reason to stop measuring.
    let mut stderr = std::io::stderr().lock();
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}

fn terminal_width() -> Option<usize> {
    // SAFETY: `size` is valid for writing, all-zero is a valid value of it.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        if libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &mut size) != 0 {
            return None;
        }
        size
    };
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        let shown = |seconds| time(Duration::from_secs(seconds));
        assert_eq!(
            [shown(0), shown(59), shown(61), shown(3_900)],
            ["0s", "59s", "1m01s", "1h05m"]
        );
    }
}
