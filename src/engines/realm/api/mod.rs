//! A small safe layer over the C API: handles that release themselves, and a
//! realm whose reads borrow it and whose writes borrow it mutably, so that no
//! text read from the map outlives the version it was read from.

pub mod cell;
pub mod handle;
pub mod list;
pub mod object;
pub mod open;
pub mod query;
pub mod realm;
pub mod results;
pub mod value;

pub use cell::Cell;
pub use handle::Handle;
pub use list::List;
pub use object::Object;
pub use query::Query;
pub use realm::Realm;
pub use results::Results;
