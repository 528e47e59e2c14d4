//! The library's C API: a table of the functions that are used.

pub mod types;

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use libloading::Library;

use self::types::{BytesArray, Code, Handle, IdArray, Text};
use crate::engines::native::{self, pin};
use crate::engines::{EngineError, ErrorKind};

macro_rules! functions {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Functions by their C names.
        #[allow(missing_docs)]
        #[derive(Clone, Copy)]
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            fn of(library: &'static Library) -> Result<Self, EngineError> {
                // SAFETY: the signatures are those of the public header, and the
                // library is never unloaded.
                unsafe {
                    Ok(Functions {
                        $($name: *library
                            .get(concat!(stringify!($name), "\0").as_bytes())
                            .map_err(missing)?,)*
                    })
                }
            }
        }
    };
}

functions! {
    obx_version_string() -> Text;
    obx_last_error_message() -> Text;
    obx_last_error_code() -> Code;

    obx_model() -> Handle;
    obx_model_free(Handle) -> Code;
    obx_model_error_message(Handle) -> Text;
    obx_model_entity(Handle, Text, u32, u64) -> Code;
    obx_model_property(Handle, Text, c_int, u32, u64) -> Code;
    obx_model_property_flags(Handle, u32) -> Code;
    obx_model_property_index_id(Handle, u32, u64) -> Code;
    obx_model_property_relation(Handle, Text, u32, u64) -> Code;
    obx_model_entity_last_property_id(Handle, u32, u64) -> Code;
    obx_model_relation(Handle, u32, u64, u32, u64) -> Code;
    obx_model_relation_name(Handle, Text) -> Code;
    obx_model_last_entity_id(Handle, u32, u64);
    obx_model_last_index_id(Handle, u32, u64);
    obx_model_last_relation_id(Handle, u32, u64);

    obx_opt() -> Handle;
    obx_opt_free(Handle);
    obx_opt_directory(Handle, Text) -> Code;
    obx_opt_max_db_size_in_kb(Handle, u64);
    obx_opt_model(Handle, Handle) -> Code;
    obx_store_open(Handle) -> Handle;
    obx_store_close(Handle) -> Code;
    obx_store_entity_id(Handle, Text) -> u32;

    obx_txn_write(Handle) -> Handle;
    obx_txn_read(Handle) -> Handle;
    obx_txn_success(Handle) -> Code;
    obx_txn_close(Handle) -> Code;

    obx_cursor(Handle, u32) -> Handle;
    obx_cursor_close(Handle) -> Code;
    obx_cursor_put4(Handle, u64, *const u8, usize, c_int) -> Code;
    obx_cursor_first(Handle, *mut *const u8, *mut usize) -> Code;
    obx_cursor_next(Handle, *mut *const u8, *mut usize) -> Code;
    obx_cursor_remove(Handle, u64) -> Code;
    obx_cursor_remove_all(Handle) -> Code;
    obx_cursor_count(Handle, *mut u64) -> Code;
    obx_cursor_rel_put(Handle, u32, u64, u64) -> Code;
    obx_cursor_rel_remove(Handle, u32, u64, u64) -> Code;

    obx_box(Handle, u32) -> Handle;
    obx_box_get(Handle, u64, *mut *const u8, *mut usize) -> Code;
    obx_box_count(Handle, u64, *mut u64) -> Code;
    obx_box_get_backlink_ids(Handle, u32, u64) -> *mut IdArray;
    obx_box_rel_get_ids(Handle, u32, u64) -> *mut IdArray;
    obx_box_rel_get_backlink_ids(Handle, u32, u64) -> *mut IdArray;

    obx_query_builder(Handle, u32) -> Handle;
    obx_qb_close(Handle) -> Code;
    obx_qb_error_code(Handle) -> Code;
    obx_qb_error_message(Handle) -> Text;
    obx_qb_null(Handle, u32) -> c_int;
    obx_qb_not_null(Handle, u32) -> c_int;
    obx_qb_equals_int(Handle, u32, i64) -> c_int;
    obx_qb_not_equals_int(Handle, u32, i64) -> c_int;
    obx_qb_greater_than_int(Handle, u32, i64) -> c_int;
    obx_qb_greater_or_equal_int(Handle, u32, i64) -> c_int;
    obx_qb_less_than_int(Handle, u32, i64) -> c_int;
    obx_qb_less_or_equal_int(Handle, u32, i64) -> c_int;
    obx_qb_between_2ints(Handle, u32, i64, i64) -> c_int;
    obx_qb_in_int64s(Handle, u32, *const i64, usize) -> c_int;
    obx_qb_in_int32s(Handle, u32, *const i32, usize) -> c_int;
    obx_qb_greater_than_double(Handle, u32, f64) -> c_int;
    obx_qb_greater_or_equal_double(Handle, u32, f64) -> c_int;
    obx_qb_less_than_double(Handle, u32, f64) -> c_int;
    obx_qb_less_or_equal_double(Handle, u32, f64) -> c_int;
    obx_qb_between_2doubles(Handle, u32, f64, f64) -> c_int;
    obx_qb_equals_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_not_equals_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_greater_than_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_greater_or_equal_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_less_than_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_less_or_equal_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_contains_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_starts_with_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_ends_with_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_contains_element_string(Handle, u32, Text, bool) -> c_int;
    obx_qb_in_strings(Handle, u32, *const Text, usize, bool) -> c_int;
    obx_qb_equals_bytes(Handle, u32, *const u8, usize) -> c_int;
    obx_qb_greater_than_bytes(Handle, u32, *const u8, usize) -> c_int;
    obx_qb_greater_or_equal_bytes(Handle, u32, *const u8, usize) -> c_int;
    obx_qb_less_than_bytes(Handle, u32, *const u8, usize) -> c_int;
    obx_qb_less_or_equal_bytes(Handle, u32, *const u8, usize) -> c_int;
    obx_qb_all(Handle, *const c_int, usize) -> c_int;
    obx_qb_any(Handle, *const c_int, usize) -> c_int;
    obx_qb_param_alias(Handle, Text) -> Code;
    obx_qb_order(Handle, u32, u32) -> Code;
    obx_qb_link_property(Handle, u32) -> Handle;
    obx_qb_backlink_property(Handle, u32, u32) -> Handle;
    obx_qb_link_standalone(Handle, u32) -> Handle;

    obx_query(Handle) -> Handle;
    obx_query_close(Handle) -> Code;
    obx_query_offset_limit(Handle, usize, usize) -> Code;
    obx_query_find(Handle) -> *mut BytesArray;
    obx_query_find_ids(Handle) -> *mut IdArray;
    obx_query_count(Handle, *mut u64) -> Code;
    obx_query_remove(Handle, *mut u64) -> Code;
    obx_query_visit(Handle, unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> bool, *mut c_void) -> Code;
    obx_query_param_alias_int(Handle, Text, i64) -> Code;
    obx_query_param_alias_double(Handle, Text, f64) -> Code;
    obx_query_param_alias_string(Handle, Text, Text) -> Code;
    obx_query_param_alias_bytes(Handle, Text, *const u8, usize) -> Code;

    obx_query_prop(Handle, u32) -> Handle;
    obx_query_prop_close(Handle) -> Code;
    obx_query_prop_sum_int(Handle, *mut i64, *mut i64) -> Code;
    obx_query_prop_sum(Handle, *mut f64, *mut i64) -> Code;
    obx_query_prop_avg(Handle, *mut f64, *mut i64) -> Code;
    obx_query_prop_min_int(Handle, *mut i64, *mut i64) -> Code;
    obx_query_prop_max_int(Handle, *mut i64, *mut i64) -> Code;
    obx_query_prop_min(Handle, *mut f64, *mut i64) -> Code;
    obx_query_prop_max(Handle, *mut f64, *mut i64) -> Code;

    obx_bytes_array_free(*mut BytesArray);
    obx_id_array_free(*mut IdArray);
}

fn missing(error: libloading::Error) -> EngineError {
    EngineError::new(
        ErrorKind::Other,
        format!("the library is not the one that is known: {error}"),
    )
}

/// The functions of the installed library, which is loaded at the first call.
///
/// # Errors
/// As [`native::load`]; [`ErrorKind::Other`] where a function is not in it.
pub fn functions() -> Result<&'static Functions, EngineError> {
    static FUNCTIONS: OnceLock<Functions> = OnceLock::new();
    if let Some(functions) = FUNCTIONS.get() {
        return Ok(functions);
    }
    let functions = Functions::of(native::load(&pin::OBJECTBOX)?)?;
    Ok(FUNCTIONS.get_or_init(|| functions))
}
