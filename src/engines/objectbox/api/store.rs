//! An open store.

use std::ffi::CString;
use std::path::Path;

use super::error::{check, last, misuse};
use super::model::Model;
use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::Handle;
use crate::engines::{EngineError, ErrorKind};

/// An open store.
pub struct Store {
    pub(super) functions: &'static Functions,
    pub(super) handle: Handle,
    /// One box per entity, the entity's id being its place plus one.
    pub(super) boxes: Vec<Handle>,
}

impl Store {
    /// Opens the store in `directory`, creating it if it is not there.
    pub fn open(
        functions: &'static Functions,
        directory: &Path,
        model: Model,
        max_db_size_kib: u64,
    ) -> Result<Store, EngineError> {
        let directory = directory
            .to_str()
            .and_then(|path| CString::new(path).ok())
            .ok_or_else(|| EngineError::new(ErrorKind::Io, "the directory's name is not text"))?;
        let entities = model.entities();
        // SAFETY: options and model are the library's own; opening consumes
        // the options, setting the model consumes the model, in any outcome.
        let handle = unsafe {
            let options = (functions.obx_opt)();
            if options.is_null() {
                return Err(last(functions, 0));
            }
            let set = check(
                functions,
                (functions.obx_opt_directory)(options, directory.as_ptr()),
            )
            .and_then(|()| {
                check(
                    functions,
                    (functions.obx_opt_model)(options, model.into_handle()),
                )
            });
            if let Err(error) = set {
                (functions.obx_opt_free)(options);
                return Err(error);
            }
            (functions.obx_opt_max_db_size_in_kb)(options, max_db_size_kib);
            (functions.obx_store_open)(options)
        };
        if handle.is_null() {
            return Err(last(functions, 0));
        }
        let mut store = Store {
            functions,
            handle,
            boxes: Vec::new(),
        };
        for entity in 0..entities {
            // SAFETY: the store is open; boxes are the store's own and go with it.
            let made = unsafe { (functions.obx_box)(handle, entity + 1) };
            if made.is_null() {
                return Err(last(functions, 0));
            }
            store.boxes.push(made);
        }
        Ok(store)
    }

    /// Closes it.
    pub fn close(mut self) -> Result<(), EngineError> {
        let handle = std::mem::replace(&mut self.handle, std::ptr::null_mut());
        // SAFETY: the handle is open and given up here.
        check(self.functions, unsafe {
            (self.functions.obx_store_close)(handle)
        })
    }

    pub(super) fn entity_box(&self, entity: usize) -> Result<Handle, EngineError> {
        let found = self.boxes.get(entity).copied();
        found.ok_or_else(|| misuse("there is no such entity"))
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: open, and closed once. There is nowhere to tell an error.
            unsafe { (self.functions.obx_store_close)(self.handle) };
        }
    }
}
