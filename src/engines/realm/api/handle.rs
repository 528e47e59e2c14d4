//! Owned handles.

use std::ptr::NonNull;

use crate::engines::EngineError;
use crate::engines::realm::error::last_error;
use crate::engines::realm::ffi::Functions;

/// Something that the C API gave and that is given back when dropped.
pub struct Handle<T> {
    raw: NonNull<T>,
    functions: &'static Functions,
}

impl<T> Handle<T> {
    /// Takes a result of the C API, where null is an error.
    ///
    /// # Safety
    /// `raw` is null or a handle that nobody else releases.
    pub unsafe fn take(functions: &'static Functions, raw: *mut T) -> Result<Self, EngineError> {
        match NonNull::new(raw) {
            Some(raw) => Ok(Handle { raw, functions }),
            None => Err(last_error(functions)),
        }
    }

    /// Takes a result of the C API, where null is nothing.
    ///
    /// # Safety
    /// As for [`Handle::take`].
    pub unsafe fn maybe(functions: &'static Functions, raw: *mut T) -> Option<Self> {
        NonNull::new(raw).map(|raw| Handle { raw, functions })
    }

    /// The handle itself.
    #[inline]
    pub fn raw(&self) -> *mut T {
        self.raw.as_ptr()
    }

    /// The table it came by.
    #[inline]
    pub fn functions(&self) -> &'static Functions {
        self.functions
    }

    /// Nothing where a call succeeded, its error where it did not.
    #[inline]
    pub fn check(&self, succeeded: bool) -> Result<(), EngineError> {
        if succeeded {
            Ok(())
        } else {
            Err(last_error(self.functions))
        }
    }
}

impl<T> Drop for Handle<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: a live handle, released once.
        unsafe { self.functions.release(self.raw.as_ptr().cast()) };
    }
}
