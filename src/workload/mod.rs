//! Records, keys, predicates and digests: the same for every engine.

pub mod compare;
pub mod eval;
pub mod hook;
pub mod random;
pub mod record;
pub mod sink;
pub mod source;

pub use hook::{HookError, HookRunner, NoHooks};
pub use record::{Content, Record, Target};
pub use sink::Sink;
pub use source::{GenerateError, Source};
