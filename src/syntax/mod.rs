//! `.exp` text to an AST with spans, and back to formatted text.
//!
//! [`parse`] never fails: it gives what could be read, with a diagnostic for
//! every part that could not. Names are resolved by `check`.

pub mod ast;
pub mod format;
mod parse;

pub use format::{format, format_text};
pub use parse::{MAX_BYTES, Parsed, parse};
