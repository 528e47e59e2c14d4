//! Arrays that the library allocates.

use std::marker::PhantomData;

use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::{Bytes, BytesArray, IdArray};

/// Objects found, as they lie in the memory map.
pub struct Rows<'t> {
    functions: &'static Functions,
    array: *mut BytesArray,
    transaction: PhantomData<&'t ()>,
}

impl<'t> Rows<'t> {
    /// # Safety
    /// The array comes from the library, is not null, and its objects stay
    /// valid for `'t`.
    pub(super) unsafe fn new(functions: &'static Functions, array: *mut BytesArray) -> Self {
        Rows {
            functions,
            array,
            transaction: PhantomData,
        }
    }

    fn bytes(&self) -> &[Bytes] {
        // SAFETY: the array is the library's own and lives as long as `self`.
        unsafe {
            let array = &*self.array;
            if array.count == 0 || array.bytes.is_null() {
                return &[];
            }
            std::slice::from_raw_parts(array.bytes, array.count)
        }
    }

    /// The objects; they outlive the array, not the transaction.
    pub fn iter(&self) -> impl Iterator<Item = &'t [u8]> + '_ {
        self.bytes().iter().map(|bytes| {
            // SAFETY: they stay valid for `'t`, as `new` was promised.
            unsafe { std::slice::from_raw_parts(bytes.data, bytes.size) }
        })
    }
}

impl Drop for Rows<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated by the library, freed once.
        unsafe { (self.functions.obx_bytes_array_free)(self.array) }
    }
}

/// Ids found.
pub struct Ids {
    functions: &'static Functions,
    array: *mut IdArray,
}

impl Ids {
    /// # Safety
    /// The array comes from the library and is not null.
    pub(super) unsafe fn new(functions: &'static Functions, array: *mut IdArray) -> Self {
        Ids { functions, array }
    }
}

impl std::ops::Deref for Ids {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        // SAFETY: the array is the library's own and lives as long as `self`.
        unsafe {
            let array = &*self.array;
            if array.count == 0 || array.ids.is_null() {
                return &[];
            }
            std::slice::from_raw_parts(array.ids, array.count)
        }
    }
}

impl Drop for Ids {
    fn drop(&mut self) {
        // SAFETY: allocated by the library, freed once.
        unsafe { (self.functions.obx_id_array_free)(self.array) }
    }
}
