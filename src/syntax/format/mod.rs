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
use crate::syntax::ast::{Comparison, Expr, File, Step};

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

/// An expression in one line, as its author would write it.
pub fn expr_line(expr: &Expr) -> String {
    one_line(&expr::expr(expr, 0))
}

/// A step in one line, without its label; the steps of a `repeat` block as `…`.
pub fn step_line(step: &Step) -> String {
    one_line(&step::clauses(step, 0).join(" "))
}

/// A comparison of a claim in one line.
pub fn comparison_line(comparison: &Comparison) -> String {
    one_line(&member::comparison(comparison, 0).join(" "))
}

/// Json objects may be written over several lines.
fn one_line(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let lines = text.lines().map(|line| match line.find("//") {
        // Only an object's own comments stand at the end of a line.
        Some(at) if !line[..at].contains('"') => line[..at].trim(),
        _ => line.trim(),
    });
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
