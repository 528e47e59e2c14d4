//! Why a cell ends early, as far as the worker understands it.

use std::io;

use crate::engines::{EngineError, ErrorKind};
use crate::sample::Message;
use crate::workload::eval::EvalError;
use crate::workload::{GenerateError, HookError};

/// An error that ends the cell.
#[derive(Debug)]
pub enum Failure {
    /// The engine or its adapter refused.
    Engine(EngineError),
    /// A hook failed outside the engine (`compute`, generators).
    Hook(HookError),
    /// A record could not be generated.
    Data(GenerateError),
    /// The plan asks for what cannot be done: `check` or `lower` let it through.
    Plan(String),
    /// The operating system refused something that the worker itself asked for.
    Io(String, io::Error),
    /// The engine's adapter or the harness panicked.
    Panic(String),
    /// The supervisor no longer listens.
    Silenced(io::Error),
}

impl Failure {
    /// An error of the operating system, with what was tried.
    pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Failure {
        let what = what.into();
        move |error| Failure::Io(what, error)
    }

    /// Kind of the error, as [`Message::Failed`] carries it.
    pub fn kind(&self) -> &'static str {
        match self {
            Failure::Engine(error) => match &error.kind {
                ErrorKind::Overflow => "overflow",
                ErrorKind::Constraint => "constraint",
                ErrorKind::Full => "full",
                ErrorKind::Io => "io",
                ErrorKind::Corrupt => "corrupt",
                ErrorKind::Hook(_) => "hook",
                ErrorKind::Unsupported => "unsupported",
                ErrorKind::Other => "engine",
            },
            Failure::Hook(_) => "hook",
            Failure::Data(error) if hook_of(error).is_some() => "hook",
            Failure::Data(_) => "data",
            Failure::Plan(_) => "plan",
            Failure::Panic(_) => "panic",
            Failure::Io(..) | Failure::Silenced(_) => "io",
        }
    }

    /// The message that tells the supervisor, for the step of that label.
    pub fn message(&self, step: &str) -> Message {
        let place = match self {
            Failure::Hook(error)
            | Failure::Engine(EngineError {
                kind: ErrorKind::Hook(error),
                ..
            }) => Some(error),
            Failure::Data(error) => hook_of(error),
            _ => None,
        };
        let place = place.map(|error| (error.file.clone(), error.line, error.column));
        Message::Failed {
            step: step.to_owned(),
            kind: self.kind().to_owned(),
            message: self.to_string(),
            place,
        }
    }
}

/// The hook that failed while a record was generated, if that was the cause.
fn hook_of(error: &GenerateError) -> Option<&HookError> {
    match &error.cause {
        EvalError::Hook(error) => Some(error),
        _ => None,
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Engine(error) => error.fmt(f),
            Failure::Hook(error) => error.fmt(f),
            Failure::Data(error) => error.fmt(f),
            Failure::Plan(words) | Failure::Panic(words) => f.write_str(words),
            Failure::Io(what, error) => write!(f, "{what}: {error}"),
            Failure::Silenced(error) => write!(f, "the supervisor does not listen: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Failure::Engine(error)
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        Failure::Data(error)
    }
}

impl From<HookError> for Failure {
    fn from(error: HookError) -> Self {
        Failure::Hook(error)
    }
}
