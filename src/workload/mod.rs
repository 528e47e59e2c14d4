//! Records, keys, predicates and digests: the same for every engine.

pub mod aggregate;
pub mod compare;
pub mod digest;
pub mod eval;
pub mod hook;
pub mod keys;
pub mod random;
pub mod record;
pub mod sink;
pub mod sinks;
pub mod source;

pub use aggregate::Aggregator;
pub use digest::{Digest, DigestSink};
pub use hook::{HookError, HookRunner, NoHooks};
pub use keys::{Keys, Rows};
pub use record::{Content, Record, Target};
pub use sink::Sink;
pub use sinks::{CollectSink, NoSink, TouchSink};
pub use source::{GenerateError, Source};
