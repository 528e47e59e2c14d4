//! Records, keys, predicates and digests: the same for every engine.

pub mod hook;
pub mod record;
pub mod sink;

pub use hook::{HookError, HookRunner};
pub use record::{Content, Record, Target};
pub use sink::Sink;
