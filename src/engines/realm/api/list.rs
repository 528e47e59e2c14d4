//! Lists.

use super::cell::Cell;
use super::handle::Handle;
use super::object::Object;
use super::realm::Realm;
use crate::engines::EngineError;
use crate::engines::realm::ffi::types::{ListT, RealmValue};

/// An accessor of a list.
pub type List = Handle<ListT>;

impl Realm {
    /// Number of elements.
    pub fn length(&self, list: &List) -> Result<usize, EngineError> {
        let mut size = 0;
        // SAFETY: a live handle.
        let read = unsafe { self.functions().list_size(list.raw(), &mut size) };
        self.check(read).map(|()| size)
    }

    /// An element.
    #[inline]
    pub fn element(&self, list: &List, at: usize) -> Result<Cell<'_>, EngineError> {
        let mut value = RealmValue::NULL;
        // SAFETY: a live handle; what the value points to stays while the
        // realm is borrowed.
        unsafe {
            let read = self.functions().list_get(list.raw(), at, &mut value);
            self.check(read)?;
            Ok(Cell::new(value))
        }
    }

    /// The object at a place of a list of links.
    #[inline]
    pub fn element_object(&self, list: &List, at: usize) -> Result<Object, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self.functions().list_get_linked_object(list.raw(), at);
            Handle::take(self.functions(), raw)
        }
    }

    /// Puts an element at a place.
    #[inline]
    pub fn put(&mut self, list: &List, at: usize, value: RealmValue) -> Result<(), EngineError> {
        // SAFETY: a live handle; the value is copied.
        let put = unsafe { self.functions().list_insert(list.raw(), at, value) };
        self.check(put)
    }

    /// Makes an embedded object at a place.
    pub fn put_embedded(&mut self, list: &List, at: usize) -> Result<Object, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self.functions().list_insert_embedded(list.raw(), at);
            Handle::take(self.functions(), raw)
        }
    }

    /// Empties a list.
    pub fn clear(&mut self, list: &List) -> Result<(), EngineError> {
        // SAFETY: a live handle.
        let cleared = unsafe { self.functions().list_clear(list.raw()) };
        self.check(cleared)
    }
}
