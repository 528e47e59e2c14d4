//! Trees back to text: one layout for everybody, no comment lost, formatting
//! twice the same as once.
//!
//! Kept from the author: blank lines (one at most), blocks written on one line
//! if they fit, which settings and json entries share a line. Everything else
//! follows from the tree.

mod block;
mod expr;
mod item;
mod member;
mod page;
mod step;

use crate::base::span::FileId;
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::File;

/// Lines are broken where they would be longer than this many characters, if
/// they can be.
pub const WIDTH: usize = 110;

/// One step of indentation.
const INDENT: usize = 4;

/// A whole file. The tree must be complete: parts that did not parse are not
/// in it, so [`format_text`] refuses such a file.
pub fn format(file: &File) -> String {
    let mut page = page::Page::default();
    item::file(&mut page, file);
    page.finish()
}

/// The text laid out anew, or what keeps it from being read.
pub fn format_text(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = super::parse(file, text);
    if parsed.diagnostics.is_empty() {
        Ok(format(&parsed.file))
    } else {
        Err(parsed.diagnostics)
    }
}
