//! Where delivered records go.

use crate::base::ValueRef;

/// Takes records one by one, as the engine reads them.
///
/// One virtual call per record, none per field.
pub trait Sink {
    /// One record: its columns in the order of the query.
    fn row(&mut self, values: &[ValueRef<'_>]);
}
