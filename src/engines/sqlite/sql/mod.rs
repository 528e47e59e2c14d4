//! Requests as SQL text: pure, without a connection.

use super::{error, layout};

pub mod aggregate;
pub mod delete;
pub mod expression;
pub mod filter;
pub mod frame;
pub mod hook;
pub mod list;
pub mod names;
pub mod program;
pub mod quantifier;
pub mod read;
pub mod text_match;
pub mod typed;
pub mod update;

pub use hook::{HookFunction, Passed};
pub use program::{
    Compiled, Gather, ListColumn, ListRead, Output, Program, Read, Relation, compile,
};
pub use typed::Type;
