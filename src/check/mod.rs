//! AST to checked model: names, types, units, options and capabilities.

pub mod model;
