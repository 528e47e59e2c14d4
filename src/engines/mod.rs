//! The engine contract, its registry, and one folder per engine.

pub mod capability;
pub mod contract;
pub mod coredata;
pub mod decoding;
pub mod error;
pub mod memory;
pub mod mmkv;
pub mod native;
pub mod null;
pub mod objectbox;
pub mod options;
pub mod presence;
pub mod realm;
pub mod records;
pub mod registry;
pub mod room;
pub mod sqlite;
pub mod swiftdata;
pub mod tested;
pub mod zerocopy;

pub use capability::Capabilities;
pub use contract::{Engine, Maintenance, Prepared, Session, Setting};
pub use error::{EngineError, ErrorKind};
pub use options::{OptionKind, OptionSpec, Options};
pub use presence::Presence;
