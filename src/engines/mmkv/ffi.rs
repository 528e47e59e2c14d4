//! The C interface of `install/recipes/mmkv/shim.cpp`.

use std::ffi::{c_char, c_int, c_void};

use libloading::Library;

use crate::engines::{EngineError, ErrorKind};

/// An instance of MMKV.
pub type Handle = *mut c_void;
/// Takes a key: `user`, bytes, length.
pub type Show = unsafe extern "C" fn(*mut c_void, *const c_char, usize);

macro_rules! functions {
    ($($name:ident: $type:ty,)*) => {
        /// The functions of the library.
        #[derive(Clone, Copy, Debug)]
        pub struct Functions {
            $(pub $name: $type,)*
        }

        impl Functions {
            /// Finds all of them.
            ///
            /// # Errors
            /// [`ErrorKind::Other`] where one is not there.
            pub fn of(library: &'static Library) -> Result<Functions, EngineError> {
                // SAFETY: the types are those of the shim, which the recipe of
                // this very version built; the library is never unloaded.
                unsafe {
                    Ok(Functions {
                        $($name: *library.get(stringify!($name)).map_err(missing)?,)*
                    })
                }
            }
        }
    };
}

functions! {
    kv_init: unsafe extern "C" fn(*const c_char) -> c_int,
    kv_on_error: unsafe extern "C" fn(c_int),
    kv_open: unsafe extern "C" fn(*const c_char, *const c_char, usize) -> Handle,
    kv_compare_before_set: unsafe extern "C" fn(Handle) -> c_int,
    kv_set: unsafe extern "C" fn(Handle, *const u8, usize, *const u8, usize) -> c_int,
    kv_get: unsafe extern "C" fn(Handle, *const u8, usize, *mut u8, usize) -> i64,
    kv_read: unsafe extern "C" fn(Handle, *const u8, usize, *mut u8, usize) -> i64,
    kv_contains: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int,
    kv_remove: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int,
    kv_keys: unsafe extern "C" fn(Handle, Show, *mut c_void) -> i64,
    kv_count: unsafe extern "C" fn(Handle) -> usize,
    kv_actual_size: unsafe extern "C" fn(Handle) -> usize,
    kv_sync: unsafe extern "C" fn(Handle, c_int),
    kv_trim: unsafe extern "C" fn(Handle),
    kv_close: unsafe extern "C" fn(Handle),
}

fn missing(error: libloading::Error) -> EngineError {
    EngineError::new(
        ErrorKind::Other,
        format!("the library of mmkv is not what was built: {error}"),
    )
}
