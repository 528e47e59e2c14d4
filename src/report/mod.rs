//! Reports, computed from an archive and nothing else.
//!
//! [`mod@build`] makes the [`model`]; the formats present it: [`terminal`] for
//! terminals, `markdown`, `csv` and `json` (the model itself, see
//! `docs/json.md`).

pub mod build;
pub mod csv;
pub mod evidence;
pub mod grid;
pub mod json;
pub mod markdown;
pub mod model;
pub mod terminal;
pub mod words;

pub use build::build;
pub use evidence::Evidence;
pub use model::Report;
/// The report of an archive.
pub fn of_archive(archive: &crate::archive::Archive) -> Report {
    build(&Evidence::of(archive))
}

#[cfg(test)]
mod tests;
