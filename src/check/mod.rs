//! AST to checked model: names, types, units, options and capabilities.
//!
//! [`check`] reads a file with its modules and gives every finding at once.
//! What an item that did not parse, or a name that is wrong already, would
//! entail is not reported again.

mod arithmetic;
mod builtins;
mod calls;
mod checked;
mod checker;
mod claims;
mod constant;
mod declare;
mod engine_condition;
mod engines;
mod entry;
mod enums;
mod expr;
mod facts;
mod fields;
mod hooks;
mod imports;
mod indexes;
mod json;
mod link_generators;
mod links;
mod loader;
mod membership;
pub mod model;
mod models;
mod one_line;
mod operators;
mod option_values;
mod overrides;
mod paths;
mod place;
mod points;
mod pools;
mod quantified;
mod quantities;
mod steps;
mod texts;
mod trials;
mod types;
mod unique;
mod unused;

pub use checked::Checked;
pub use entry::check;
pub use imports::read;
pub use loader::{Disk, Loader, Memory, stdlib_modules};
pub use overrides::{parse_override, set};
