//! `.exp` text to an AST with spans, and back to formatted text.

pub mod ast;
