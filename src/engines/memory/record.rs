//! A record as it is kept.

use crate::base::Value;

/// What one field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Slot {
    /// A scalar, a list, or null.
    Value(Value),
    /// Row of the object that a to-one link points to.
    One(Option<u64>),
    /// Rows of the objects behind a to-many link, in the order stored.
    Many(Vec<u64>),
    /// A back-link: it follows from the owner's link and is not kept.
    Back,
}

/// One slot per field of the model.
pub type Kept = Box<[Slot]>;
