//! The one diagnostic type, for parse, check, hook and run errors alike.
//!
//! [`Diagnostic`] holds the facts; [`render`] and [`json`] present them. Codes
//! are stable once released: a number is never given a second meaning.

mod codes;
mod diagnostic;
mod json;
mod render;
mod sources;
mod suggest;
#[cfg(test)]
mod tests;

pub use codes::Code;
pub use diagnostic::{Diagnostic, Severity, has_errors, sort};
pub use json::{JsonDiagnostic, JsonRelated, json};
pub use render::{Style, render, render_all};
pub use sources::{Position, Source, Sources};
pub use suggest::{closest, did_you_mean, did_you_mean_or_all};
