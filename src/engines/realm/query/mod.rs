//! Predicates in Realm's query language, as far as it means the same.
//!
//! What it would answer differently stays above it: order between texts (its
//! own compares signed characters), folding of anything but ASCII, arithmetic,
//! what is inside JSON, conditions of several parts on scalar lists, hooks.

pub mod builder;
pub mod comparison;
pub mod filter;
pub mod quantifier;
pub mod selection;
pub mod slot;
pub mod subject;
pub mod tail;
pub mod text_match;

pub use filter::Filter;
pub use selection::{Access, Selection};

#[cfg(test)]
mod tests;
