//! Objects.

use super::cell::Cell;
use super::handle::Handle;
use super::list::List;
use super::realm::Realm;
use super::results::Results;
use crate::engines::EngineError;
use crate::engines::realm::ffi::types::*;

/// An accessor of an object.
pub type Object = Handle<ObjectT>;

impl Handle<ObjectT> {
    /// Its key inside its class.
    #[inline]
    pub fn key(&self) -> ObjectKey {
        // SAFETY: a live handle.
        unsafe { self.functions().object_get_key(self.raw()) }
    }
}

impl Realm {
    /// Reads properties, one cell each; `out` is emptied first.
    #[inline]
    pub fn read<'r>(
        &'r self,
        object: &Object,
        properties: &[PropertyKey],
        out: &mut Vec<Cell<'r>>,
    ) -> Result<(), EngineError> {
        out.clear();
        out.resize(properties.len(), Cell::NULL);
        // SAFETY: `Cell` is a `RealmValue` with a lifetime; the call writes one
        // per property. What they point to stays while the realm is borrowed,
        // since every change borrows it mutably.
        let read = unsafe {
            self.functions().get_values(
                object.raw(),
                properties.len(),
                properties.as_ptr(),
                out.as_mut_ptr().cast(),
            )
        };
        self.check(read)
    }

    /// Reads one property.
    #[inline]
    pub fn read_one(
        &self,
        object: &Object,
        property: PropertyKey,
    ) -> Result<Cell<'_>, EngineError> {
        let mut value = RealmValue::NULL;
        // SAFETY: as in `read`.
        unsafe {
            let read = self
                .functions()
                .get_values(object.raw(), 1, &property, &mut value);
            self.check(read)?;
            Ok(Cell::new(value))
        }
    }

    /// The object behind a link; `None` where there is none.
    pub fn linked(
        &self,
        object: &Object,
        property: PropertyKey,
    ) -> Result<Option<Object>, EngineError> {
        // SAFETY: a live handle; null is no link here, or an error that
        // reading the property shows.
        unsafe {
            let raw = self.functions().get_linked_object(object.raw(), property);
            match Handle::maybe(self.functions(), raw) {
                Some(linked) => Ok(Some(linked)),
                None => self.read_one(object, property).map(|_| None),
            }
        }
    }

    /// The list of a property.
    pub fn list(&self, object: &Object, property: PropertyKey) -> Result<List, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self.functions().get_list(object.raw(), property);
            Handle::take(self.functions(), raw)
        }
    }

    /// The objects of `class` whose `property` leads here.
    pub fn backlinks(
        &self,
        object: &Object,
        class: ClassKey,
        property: PropertyKey,
    ) -> Result<Results, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self
                .functions()
                .get_backlinks(object.raw(), class, property);
            Handle::take(self.functions(), raw)
        }
    }

    /// Sets properties.
    #[inline]
    pub fn set(
        &mut self,
        object: &Object,
        properties: &[PropertyKey],
        values: &[RealmValue],
    ) -> Result<(), EngineError> {
        let count = properties.len().min(values.len());
        // SAFETY: both slices have `count` elements.
        let set = unsafe {
            self.functions().set_values(
                object.raw(),
                count,
                properties.as_ptr(),
                values.as_ptr(),
                false,
            )
        };
        self.check(set)
    }

    /// Makes an embedded object behind a to-one property.
    pub fn embed(&mut self, object: &Object, property: PropertyKey) -> Result<Object, EngineError> {
        // SAFETY: a live handle; the result is owned.
        unsafe {
            let raw = self.functions().set_embedded(object.raw(), property);
            Handle::take(self.functions(), raw)
        }
    }

    /// Deletes an object.
    pub fn delete(&mut self, object: &Object) -> Result<(), EngineError> {
        // SAFETY: a live handle.
        let deleted = unsafe { self.functions().object_delete(object.raw()) };
        self.check(deleted)
    }
}
