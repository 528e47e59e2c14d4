//! What an end means.

use std::process::ExitStatus;

use super::process::signal_of;
use super::transcript::{Failure, Transcript};
use super::watch::Kill;

/// How a worker ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It did all its work.
    Done,
    /// Someone asked to stop; what it had done does not count.
    Interrupted,
    /// It ended early.
    Died(Death),
}

/// How and where a worker ended early.
#[derive(Clone, Debug, PartialEq)]
pub struct Death {
    /// Label of the step it was in, if any had begun.
    pub step: Option<String>,
    /// In two or three words.
    pub cause: String,
    /// In words, with the end of what it wrote to standard error.
    pub message: String,
    /// Place in the experiment, where it has one.
    pub place: Option<(String, u32, u32)>,
}

/// Exit code of a Rust program that panicked.
const PANIC: i32 = 101;

/// Judges an end by all that is known of it. What the supervisor did comes
/// first, then what the worker said itself, then what the kernel says.
pub fn of(
    transcript: &Transcript,
    kill: Option<Kill>,
    status: ExitStatus,
    cut: bool,
    stderr: &str,
) -> End {
    let step = transcript.current.clone();
    let died = |cause: String, message: String| {
        End::Died(Death {
            step: step.clone(),
            cause,
            message: with_stderr(message, stderr),
            place: None,
        })
    };
    match kill {
        Some(Kill::Interrupted) => return End::Interrupted,
        Some(Kill::Limit(which, how)) => return died(which.into(), how),
        Some(Kill::Silence(how)) => return died("silence".into(), how.into()),
        Some(Kill::Garbage(what)) => {
            return died(
                "garbage on the pipe".into(),
                format!("it sent something that is not a result: {what}"),
            );
        }
        None => {}
    }
    if let Some(failure) = &transcript.failure {
        return End::Died(failed(failure));
    }
    if let Some((number, name)) = signal_of(status) {
        // The one way to tell: the allocator's own words.
        if number == libc::SIGABRT && stderr.contains("memory allocation of ") {
            return died("memory limit".into(), "it was refused memory".into());
        }
        let hint = if number == libc::SIGKILL {
            " by someone else: by the kernel, if memory ran out"
        } else {
            ""
        };
        return died(
            format!("signal {number}"),
            format!("it was ended by {name}{hint}"),
        );
    }
    match status.code() {
        Some(PANIC) => return died("panic".into(), "it panicked".into()),
        Some(code @ 1..) => {
            return died(
                format!("exit code {code}"),
                format!("it ended with exit code {code}"),
            );
        }
        _ => {}
    }
    if transcript.files.is_some() {
        return End::Done;
    }
    let how = if cut {
        "it ended in the middle of a message"
    } else {
        "it ended without a result"
    };
    died("silence".into(), how.into())
}

fn failed(failure: &Failure) -> Death {
    let cause = match failure.kind.as_str() {
        "hook" => "hook error",
        "overflow" => "integer overflow",
        "constraint" => "broken constraint",
        "full" => "disk full",
        "io" => "input or output error",
        "corrupt" => "corrupt store",
        "unsupported" => "unsupported step",
        "data" => "data error",
        "plan" => "plan error",
        "panic" => "panic",
        _ => "engine error",
    };
    Death {
        step: Some(failure.step.clone()).filter(|step| !step.is_empty()),
        cause: cause.into(),
        message: failure.message.clone(),
        place: failure.place.clone(),
    }
}

/// Adds the last lines of standard error, if there are any.
fn with_stderr(message: String, stderr: &str) -> String {
    const MOST_BYTES: usize = 1200;
    if stderr.is_empty() {
        return message;
    }
    let from = stderr.floor_char_boundary(stderr.len().saturating_sub(MOST_BYTES));
    format!("{message}; it said last: {}", stderr[from..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn cause(
        transcript: &Transcript,
        kill: Option<Kill>,
        raw: i32,
        cut: bool,
        stderr: &str,
    ) -> String {
        match of(transcript, kill, ExitStatus::from_raw(raw), cut, stderr) {
            End::Died(death) => death.cause,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_supervisor_is_believed_first_then_the_worker_then_the_kernel() {
        let silent = Transcript::default();
        let done = Transcript {
            files: Some(Vec::new()),
            ..Transcript::default()
        };
        let failed = Transcript {
            failure: Some(Failure {
                step: "write".into(),
                kind: "full".into(),
                message: "no space".into(),
                place: None,
            }),
            ..Transcript::default()
        };
        let limit = Kill::Limit("time limit", String::new());
        assert_eq!(cause(&done, None, 0, false, ""), "Done");
        assert_eq!(cause(&failed, Some(limit), 9, false, ""), "time limit");
        assert_eq!(cause(&failed, None, 11, false, ""), "disk full");
        assert_eq!(cause(&done, None, 11, false, ""), "signal 11");
        assert_eq!(cause(&silent, None, 101 << 8, true, ""), "panic");
        assert_eq!(cause(&silent, None, 3 << 8, true, ""), "exit code 3");
        assert_eq!(cause(&silent, None, 0, false, ""), "silence");
        assert_eq!(cause(&silent, None, 6, false, "assertion"), "signal 6");
        let refused = "memory allocation of 4096 bytes failed";
        assert_eq!(cause(&silent, None, 6, false, refused), "memory limit");
        assert_eq!(
            cause(&done, Some(Kill::Interrupted), 9, false, ""),
            "Interrupted"
        );
    }
}
