//! Why a record could not be generated.

use crate::workload::eval::EvalError;

/// A record that could not be generated.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerateError {
    /// `Model.field`
    pub field: String,
    /// Row of the record.
    pub row: u64,
    /// What went wrong.
    pub cause: EvalError,
}

impl std::fmt::Display for GenerateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of row {}: {}", self.field, self.row, self.cause)
    }
}

impl std::error::Error for GenerateError {}
