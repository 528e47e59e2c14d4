//! A hook as the plan carries it.

use serde::{Deserialize, Serialize};

/// A rhai function of the experiment, in source form: each worker compiles it anew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hook {
    /// Its name, qualified if it came from a module (`people.older`).
    pub name: String,
    /// Names of its parameters, in order.
    pub parameters: Vec<String>,
    /// The text between its braces, as written.
    pub body: String,
    /// File that holds it, as shown to the user.
    pub file: String,
    /// Line of the first character of `body` in that file, from 1.
    pub line: u32,
    /// Column of that character, in characters, from 1.
    pub column: u32,
}
