//! Opening a file under a layout.

use std::ffi::{CString, c_void};
use std::path::Path;

use super::handle::Handle;
use super::realm::Realm;
use crate::engines::realm::classes::Declared;
use crate::engines::realm::error::{last_error, misuse, unsupported};
use crate::engines::realm::ffi::types::*;
use crate::engines::realm::ffi::{Functions, functions};
use crate::engines::realm::layout::Layout;
use crate::engines::realm::options::Chosen;
use crate::engines::{EngineError, ErrorKind};

unsafe extern "C" fn notify(_: *mut c_void) {}

/// A realm cannot leave its thread here, so whoever asks is on it.
unsafe extern "C" fn is_on_thread(_: *mut c_void) -> bool {
    true
}

unsafe extern "C" fn is_same(a: *const c_void, b: *const c_void) -> bool {
    a == b
}

/// Nobody waits for notifications.
unsafe extern "C" fn can_deliver(_: *mut c_void) -> bool {
    false
}

/// Opens the file at `path`, creating it with the classes of `layout`.
pub fn open(path: &Path, layout: &Layout, chosen: Chosen) -> Result<Realm, EngineError> {
    let functions = functions()?;
    if chosen.unsynced {
        let switch = functions.disable_sync.ok_or_else(|| {
            unsupported("this library has no switch for `durability: off`: install it again")
        })?;
        // SAFETY: sets a flag of the library.
        unsafe { switch(1) };
    }
    let path = path
        .to_str()
        .and_then(|path| CString::new(path).ok())
        .ok_or_else(|| EngineError::new(ErrorKind::Io, "the path is not text"))?;
    let declared = Declared::of(layout)?;
    let schema = declared.schema(functions)?;
    // SAFETY: handles are live until the end of this function; Realm copies
    // what the configuration says and counts references to the scheduler. The
    // callbacks are functions of this program and need no data.
    unsafe {
        let config = Handle::take(functions, functions.config_new())?;
        let scheduler = scheduler(functions)?;
        functions.config_set_path(config.raw(), path.as_ptr());
        functions.config_set_schema(config.raw(), schema.raw());
        functions.config_set_schema_version(config.raw(), 0);
        functions.config_set_schema_mode(config.raw(), SCHEMA_AUTOMATIC);
        functions.config_set_scheduler(config.raw(), scheduler.raw());
        functions.config_set_automatic_change_notifications(config.raw(), false);
        functions.config_set_in_memory(config.raw(), chosen.in_memory);
        let realm = Handle::take(functions, functions.open(config.raw()))?;
        Ok(Realm::new(realm, scheduler))
    }
}

fn scheduler(functions: &'static Functions) -> Result<Handle<SchedulerT>, EngineError> {
    // SAFETY: as in `open`.
    unsafe {
        let raw = functions.scheduler_new(
            std::ptr::null_mut(),
            None,
            notify,
            is_on_thread,
            is_same,
            can_deliver,
        );
        Handle::take(functions, raw)
    }
}

impl Declared {
    /// The schema, checked by Realm.
    fn schema(&self, functions: &'static Functions) -> Result<Handle<SchemaT>, EngineError> {
        let classes = self.classes();
        let properties = self.properties();
        if classes.len() != properties.len() {
            return Err(misuse("classes without properties"));
        }
        // SAFETY: names and arrays live in `self` until the call is over.
        unsafe {
            let raw = functions.schema_new(classes.as_ptr(), classes.len(), properties.as_ptr());
            let schema = Handle::take(functions, raw)?;
            if !functions.schema_validate(schema.raw(), VALIDATION_BASIC) {
                return Err(last_error(functions));
            }
            Ok(schema)
        }
    }
}
