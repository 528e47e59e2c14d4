//! What can go wrong inside an engine.

use crate::workload::HookError;
use crate::workload::eval::EvalError;

/// An error of an engine or of its adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineError {
    /// What kind it is; decisions rest on this, never on the text.
    pub kind: ErrorKind,
    /// In words, with the engine's own code where it has one.
    pub message: String,
}

/// Kinds of engine errors.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorKind {
    /// Integer overflow while evaluating: the cell is wrong.
    Overflow,
    /// A uniqueness, null or link rule was broken.
    Constraint,
    /// Disk, map or size limit reached.
    Full,
    /// The operating system refused.
    Io,
    /// The file is not what the engine expects.
    Corrupt,
    /// A hook failed.
    Hook(HookError),
    /// The engine cannot do this.
    Unsupported,
    /// Anything else.
    Other,
}

impl EngineError {
    /// An error of that kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        EngineError {
            kind,
            message: message.into(),
        }
    }
}

impl From<HookError> for EngineError {
    fn from(error: HookError) -> Self {
        EngineError {
            message: error.to_string(),
            kind: ErrorKind::Hook(error),
        }
    }
}

impl From<EvalError> for EngineError {
    fn from(error: EvalError) -> Self {
        let message = error.to_string();
        let kind = match error {
            EvalError::Overflow => ErrorKind::Overflow,
            EvalError::Hook(error) => ErrorKind::Hook(error),
            EvalError::Draw(_) | EvalError::Wrong(_) => ErrorKind::Other,
        };
        EngineError { kind, message }
    }
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineError {}
