//! An open file.

use std::ffi::CStr;

use super::handle::Handle;
use super::object::Object;
use crate::engines::realm::error::{last_error, misuse};
use crate::engines::realm::ffi::Functions;
use crate::engines::realm::ffi::types::*;
use crate::engines::{EngineError, ErrorKind};

/// An open realm, used from the thread that opened it: it cannot be sent to
/// another.
pub struct Realm {
    raw: Handle<RealmT>,
    /// Kept as long as the realm: its callbacks are asked at each access.
    _scheduler: Handle<SchedulerT>,
    writing: bool,
}

impl Realm {
    pub(super) fn new(raw: Handle<RealmT>, scheduler: Handle<SchedulerT>) -> Self {
        Realm {
            raw,
            _scheduler: scheduler,
            writing: false,
        }
    }

    /// The function table.
    #[inline]
    pub fn functions(&self) -> &'static Functions {
        self.raw.functions()
    }

    /// The realm itself, for calls that this layer does not make.
    #[inline]
    pub fn raw(&self) -> *mut RealmT {
        self.raw.raw()
    }

    #[inline]
    pub(super) fn check(&self, succeeded: bool) -> Result<(), EngineError> {
        self.raw.check(succeeded)
    }

    /// Whether a write transaction is open.
    pub fn is_writing(&self) -> bool {
        self.writing
    }

    /// Begins a write transaction.
    pub fn begin(&mut self) -> Result<(), EngineError> {
        // SAFETY: an open realm.
        let begun = unsafe { self.functions().begin_write(self.raw()) };
        self.check(begun)?;
        self.writing = true;
        Ok(())
    }

    /// Commits it.
    pub fn commit(&mut self) -> Result<(), EngineError> {
        // SAFETY: an open realm.
        let committed = unsafe { self.functions().commit(self.raw()) };
        self.check(committed)?;
        self.writing = false;
        Ok(())
    }

    /// Undoes it.
    pub fn rollback(&mut self) -> Result<(), EngineError> {
        self.writing = false;
        // SAFETY: an open realm.
        let undone = unsafe { self.functions().rollback(self.raw()) };
        self.check(undone)
    }

    /// Rewrites the file without gaps. No query or result may be held.
    pub fn compact(&mut self) -> Result<bool, EngineError> {
        let mut done = false;
        // SAFETY: an open realm.
        let compacted = unsafe { self.functions().compact(self.raw(), &mut done) };
        self.check(compacted).map(|()| done)
    }

    /// Closes the file.
    pub fn close(self) -> Result<(), EngineError> {
        // SAFETY: an open realm; the handle is released afterwards.
        let closed = unsafe { self.functions().close(self.raw()) };
        self.check(closed)
    }

    /// A class by name.
    pub fn class(&self, name: &CStr) -> Result<ClassKey, EngineError> {
        // SAFETY: plain data, for which all zeroes is a value.
        let mut info: ClassInfo = unsafe { std::mem::zeroed() };
        let mut found = false;
        // SAFETY: the name ends with zero.
        let looked = unsafe {
            self.functions()
                .find_class(self.raw(), name.as_ptr(), &mut found, &mut info)
        };
        self.check(looked)?;
        found
            .then_some(info.key)
            .ok_or_else(|| misuse(format!("the file has no class {name:?}")))
    }

    /// Key and flags of a property by name.
    pub fn property(
        &self,
        class: ClassKey,
        name: &CStr,
    ) -> Result<(PropertyKey, i32), EngineError> {
        // SAFETY: plain data, for which all zeroes is a value.
        let mut info: PropertyInfo = unsafe { std::mem::zeroed() };
        let mut found = false;
        // SAFETY: the name ends with zero.
        let looked = unsafe {
            self.functions()
                .find_property(self.raw(), class, name.as_ptr(), &mut found, &mut info)
        };
        self.check(looked)?;
        found
            .then_some((info.key, info.flags))
            .ok_or_else(|| misuse(format!("the file has no property {name:?}")))
    }

    /// Number of objects of a class.
    pub fn population(&self, class: ClassKey) -> Result<usize, EngineError> {
        let mut count = 0;
        // SAFETY: an open realm.
        let counted = unsafe {
            self.functions()
                .get_num_objects(self.raw(), class, &mut count)
        };
        self.check(counted).map(|()| count)
    }

    /// An object by its key; `None` where there is none.
    #[inline]
    pub fn object(&self, class: ClassKey, key: ObjectKey) -> Result<Option<Object>, EngineError> {
        // SAFETY: an open realm; the result is owned.
        let found = unsafe {
            let raw = self.functions().get_object(self.raw(), class, key);
            Handle::maybe(self.functions(), raw)
        };
        match found {
            Some(object) => Ok(Some(object)),
            None => {
                let error = last_error(self.functions());
                match error.kind {
                    // Realm reports a key without object as one of these.
                    ErrorKind::Other => Ok(None),
                    _ => Err(error),
                }
            }
        }
    }

    /// An object by its primary key; `None` where there is none.
    #[inline]
    pub fn by_key(&self, class: ClassKey, key: RealmValue) -> Result<Option<Object>, EngineError> {
        let mut found = true;
        // SAFETY: an open realm; the key is read during the call only.
        unsafe {
            let raw =
                self.functions()
                    .object_find_with_primary_key(self.raw(), class, key, &mut found);
            if !found {
                return Ok(None);
            }
            Handle::take(self.functions(), raw).map(Some)
        }
    }

    /// A new object without primary key.
    #[inline]
    pub fn create(&mut self, class: ClassKey) -> Result<Object, EngineError> {
        // SAFETY: an open realm; the result is owned.
        unsafe {
            let raw = self.functions().object_create(self.raw(), class);
            Handle::take(self.functions(), raw)
        }
    }

    /// A new object with this primary key, which must be new.
    #[inline]
    pub fn create_with_key(
        &mut self,
        class: ClassKey,
        key: RealmValue,
    ) -> Result<Object, EngineError> {
        // SAFETY: an open realm; the key is copied.
        unsafe {
            let raw = self
                .functions()
                .object_create_with_primary_key(self.raw(), class, key);
            Handle::take(self.functions(), raw)
        }
    }

    /// The object with this primary key, new or not; whether it is new.
    pub fn get_or_create(
        &mut self,
        class: ClassKey,
        key: RealmValue,
    ) -> Result<(Object, bool), EngineError> {
        let mut created = false;
        // SAFETY: an open realm; the key is copied.
        unsafe {
            let raw = self.functions().object_get_or_create_with_primary_key(
                self.raw(),
                class,
                key,
                &mut created,
            );
            Ok((Handle::take(self.functions(), raw)?, created))
        }
    }
}
