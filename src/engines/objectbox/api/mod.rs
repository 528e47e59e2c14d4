//! A safe layer over the C API. Objects borrow from their transaction: none
//! outlives it, and none is looked at after a write.

pub mod arrays;
pub mod builder;
pub mod error;
pub mod model;
pub mod query;
pub mod store;
pub mod txn;

pub use arrays::Rows;
pub use builder::{Builder, Condition};
pub use error::{constraint, corrupt, misuse, unsupported};
pub use query::{Number, Query};
pub use store::Store;
pub use txn::{PutMode, Scan, Txn};
