//! The functions, as a table read from the installed library once.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use libloading::Library;

use super::types::*;
use crate::engines::native::calls::count_one;
use crate::engines::native::{self, pin};
use crate::engines::{EngineError, ErrorKind};

macro_rules! table {
    ($($name:ident($($argument:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        /// Addresses of `realm_…`, by the name behind the prefix.
        pub struct Functions {
            $(
                #[doc = concat!("`realm_", stringify!($name), "`")]
                pub $name: unsafe extern "C" fn($($ty),*) $(-> $result)?,
            )*
            /// Our shim's switch for syncing to disk: process-wide, one way.
            pub disable_sync: Option<unsafe extern "C" fn(c_int)>,
        }

        impl Functions {
            /// SAFETY: the library must be Realm Core 12.12.0's C API.
            unsafe fn read(library: &'static Library) -> Result<Self, libloading::Error> {
                // SAFETY: the signatures are those of its header.
                unsafe {
                    Ok(Functions {
                        $($name: *library.get(concat!("realm_", stringify!($name), "\0"))?,)*
                        disable_sync: library
                            .get("realm_shim_disable_sync_to_disk\0")
                            .ok()
                            .map(|function| *function),
                    })
                }
            }

            $(
                #[doc = concat!("Calls `realm_", stringify!($name), "`, counted.")]
                ///
                /// # Safety
                /// As the C API says: live handles, pointers to what it reads or writes.
                #[inline]
                pub unsafe fn $name(&self, $($argument: $ty),*) $(-> $result)? {
                    count_one();
                    // SAFETY: as the caller says.
                    unsafe { (self.$name)($($argument),*) }
                }
            )*
        }
    };
}

table! {
    get_last_error(a: *mut ErrorInfo) -> bool;
    clear_last_error() -> bool;
    release(a: *mut c_void);
    schema_new(a: *const ClassInfo, b: usize, c: *const *const PropertyInfo) -> *mut SchemaT;
    schema_validate(a: *const SchemaT, b: u64) -> bool;
    config_new() -> *mut ConfigT;
    config_set_path(a: *mut ConfigT, b: *const c_char);
    config_set_schema(a: *mut ConfigT, b: *const SchemaT);
    config_set_schema_version(a: *mut ConfigT, b: u64);
    config_set_schema_mode(a: *mut ConfigT, b: c_uint);
    config_set_scheduler(a: *mut ConfigT, b: *const SchedulerT);
    config_set_automatic_change_notifications(a: *mut ConfigT, b: bool);
    config_set_in_memory(a: *mut ConfigT, b: bool);
    scheduler_new(a: *mut c_void, b: callback::Free, c: callback::Notify, d: callback::Ask, e: callback::Same, f: callback::Ask) -> *mut SchedulerT;
    open(a: *const ConfigT) -> *mut RealmT;
    close(a: *mut RealmT) -> bool;
    begin_write(a: *mut RealmT) -> bool;
    commit(a: *mut RealmT) -> bool;
    rollback(a: *mut RealmT) -> bool;
    compact(a: *mut RealmT, b: *mut bool) -> bool;
    find_class(a: *const RealmT, b: *const c_char, c: *mut bool, d: *mut ClassInfo) -> bool;
    find_property(a: *const RealmT, b: ClassKey, c: *const c_char, d: *mut bool, e: *mut PropertyInfo) -> bool;
    get_num_objects(a: *const RealmT, b: ClassKey, c: *mut usize) -> bool;
    get_object(a: *const RealmT, b: ClassKey, c: ObjectKey) -> *mut ObjectT;
    object_find_with_primary_key(a: *const RealmT, b: ClassKey, c: RealmValue, d: *mut bool) -> *mut ObjectT;
    object_find_all(a: *const RealmT, b: ClassKey) -> *mut ResultsT;
    object_create(a: *mut RealmT, b: ClassKey) -> *mut ObjectT;
    object_create_with_primary_key(a: *mut RealmT, b: ClassKey, c: RealmValue) -> *mut ObjectT;
    object_get_or_create_with_primary_key(a: *mut RealmT, b: ClassKey, c: RealmValue, d: *mut bool) -> *mut ObjectT;
    object_delete(a: *mut ObjectT) -> bool;
    object_get_key(a: *const ObjectT) -> ObjectKey;
    get_values(a: *const ObjectT, b: usize, c: *const PropertyKey, d: *mut RealmValue) -> bool;
    set_values(a: *mut ObjectT, b: usize, c: *const PropertyKey, d: *const RealmValue, e: bool) -> bool;
    set_embedded(a: *mut ObjectT, b: PropertyKey) -> *mut ObjectT;
    get_linked_object(a: *mut ObjectT, b: PropertyKey) -> *mut ObjectT;
    get_list(a: *mut ObjectT, b: PropertyKey) -> *mut ListT;
    list_size(a: *const ListT, b: *mut usize) -> bool;
    list_get(a: *const ListT, b: usize, c: *mut RealmValue) -> bool;
    list_insert(a: *mut ListT, b: usize, c: RealmValue) -> bool;
    list_insert_embedded(a: *mut ListT, b: usize) -> *mut ObjectT;
    list_clear(a: *mut ListT) -> bool;
    list_get_linked_object(a: *mut ListT, b: usize) -> *mut ObjectT;
    get_backlinks(a: *mut ObjectT, b: ClassKey, c: PropertyKey) -> *mut ResultsT;
    query_parse(a: *const RealmT, b: ClassKey, c: *const c_char, d: usize, e: *const QueryArgument) -> *mut QueryT;
    query_count(a: *const QueryT, b: *mut usize) -> bool;
    query_find_first(a: *mut QueryT, b: *mut RealmValue, c: *mut bool) -> bool;
    query_find_all(a: *mut QueryT) -> *mut ResultsT;
    results_count(a: *mut ResultsT, b: *mut usize) -> bool;
    results_get_object(a: *mut ResultsT, b: usize) -> *mut ObjectT;
    results_snapshot(a: *const ResultsT) -> *mut ResultsT;
    results_delete_all(a: *mut ResultsT) -> bool;
    results_min(a: *mut ResultsT, b: PropertyKey, c: *mut RealmValue, d: *mut bool) -> bool;
    results_max(a: *mut ResultsT, b: PropertyKey, c: *mut RealmValue, d: *mut bool) -> bool;
    results_sum(a: *mut ResultsT, b: PropertyKey, c: *mut RealmValue, d: *mut bool) -> bool;
    results_average(a: *mut ResultsT, b: PropertyKey, c: *mut RealmValue, d: *mut bool) -> bool;
}

/// The table; loads the library at the first call in this process.
///
/// # Errors
/// [`ErrorKind::Unsupported`] where it is not installed, [`ErrorKind::Other`]
/// where it is not what it should be.
pub fn functions() -> Result<&'static Functions, EngineError> {
    static TABLE: OnceLock<Result<Functions, EngineError>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let library = native::load(&pin::REALM)?;
        // SAFETY: what is installed under this pin is Realm Core 12.12.0.
        unsafe { Functions::read(library) }.map_err(|error| {
            EngineError::new(ErrorKind::Other, format!("realm's library: {error}"))
        })
    });
    table.as_ref().map_err(Clone::clone)
}
