//! What can go wrong while an expression is evaluated.

use crate::workload::HookError;

/// An error of evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum EvalError {
    /// An int left 64 bits.
    Overflow,
    /// A hook failed.
    Hook(HookError),
    /// A draw cannot be made: an empty range, nothing to link to.
    Draw(String),
    /// The expression does not fit the record: `check` lets none such through.
    Wrong(String),
}

impl EvalError {
    /// An expression that does not fit.
    pub fn wrong(what: impl Into<String>) -> Self {
        EvalError::Wrong(what.into())
    }
}

impl From<HookError> for EvalError {
    fn from(error: HookError) -> Self {
        EvalError::Hook(error)
    }
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EvalError::Overflow => f.write_str("integer overflow"),
            EvalError::Hook(error) => error.fmt(f),
            EvalError::Draw(what) | EvalError::Wrong(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for EvalError {}
