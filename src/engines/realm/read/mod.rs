//! Reading: what a request finds, sees of each object and delivers.

pub mod aggregate;
pub mod columns;
pub mod find;
pub mod follow;
pub mod found;
pub mod groups;
pub mod order;
pub mod row;
pub mod view;

pub use find::Finder;
pub use follow::Got;
pub use found::Found;
pub use view::Seen;
