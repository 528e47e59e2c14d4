//! Types of the C API, laid out as `realm.h` has them.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// Name of a class inside one file.
pub type ClassKey = u32;
/// Name of a property inside its class.
pub type PropertyKey = i64;
/// Name of an object inside its class.
pub type ObjectKey = i64;

/// A class or property that has no key yet.
pub const NO_CLASS: ClassKey = u32::MAX >> 1;
/// See [`NO_CLASS`].
pub const NO_PROPERTY: PropertyKey = -1;

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[repr(C)]
        pub struct $name {
            opaque: [u8; 0],
        }
    )*};
}

opaque! {
    /// `realm_t`
    RealmT
    /// `realm_schema_t`
    SchemaT
    /// `realm_config_t`
    ConfigT
    /// `realm_scheduler_t`
    SchedulerT
    /// `realm_object_t`
    ObjectT
    /// `realm_list_t`
    ListT
    /// `realm_query_t`
    QueryT
    /// `realm_results_t`
    ResultsT
}

/// `realm_value_type_e`
pub mod kind {
    use super::c_uint;
    pub const NULL: c_uint = 0;
    pub const INT: c_uint = 1;
    pub const BOOL: c_uint = 2;
    pub const STRING: c_uint = 3;
    pub const BINARY: c_uint = 4;
    pub const TIMESTAMP: c_uint = 5;
    pub const DOUBLE: c_uint = 7;
    pub const LINK: c_uint = 10;
    pub const UUID: c_uint = 11;
}

/// `realm_property_type_e`
pub mod property {
    use super::c_uint;
    pub const INT: c_uint = 0;
    pub const BOOL: c_uint = 1;
    pub const STRING: c_uint = 2;
    pub const BINARY: c_uint = 4;
    pub const TIMESTAMP: c_uint = 8;
    pub const DOUBLE: c_uint = 10;
    pub const OBJECT: c_uint = 12;
    pub const LINKING_OBJECTS: c_uint = 14;
    pub const UUID: c_uint = 17;
}

/// `realm_collection_type_e`
pub mod collection {
    use super::c_uint;
    pub const NONE: c_uint = 0;
    pub const LIST: c_uint = 1;
}

/// `realm_property_flags_e`
pub mod flag {
    use super::c_int;
    pub const NULLABLE: c_int = 1;
    pub const PRIMARY_KEY: c_int = 2;
    pub const INDEXED: c_int = 4;
    /// `RLM_CLASS_EMBEDDED`, of a class.
    pub const EMBEDDED: c_int = 1;
}

/// `RLM_SCHEMA_MODE_AUTOMATIC`
pub const SCHEMA_AUTOMATIC: c_uint = 0;
/// `RLM_SCHEMA_VALIDATION_BASIC`
pub const VALIDATION_BASIC: u64 = 0;

/// `realm_string_t` and `realm_binary_t`: a null pointer is null, so that an
/// empty value needs one that is not.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    pub data: *const u8,
    pub size: usize,
}

/// `realm_timestamp_t`: both parts have the sign of the moment.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Moment {
    pub seconds: i64,
    pub nanoseconds: i32,
}

/// `realm_link_t`
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub class: ClassKey,
    pub object: ObjectKey,
}

/// The union inside `realm_value_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub union Payload {
    pub integer: i64,
    pub boolean: bool,
    pub bytes: Bytes,
    pub moment: Moment,
    pub double: f64,
    pub link: Link,
    pub uuid: [u8; 16],
}

/// `realm_value_t`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RealmValue {
    pub payload: Payload,
    pub kind: c_uint,
}

impl RealmValue {
    /// No value.
    pub const NULL: RealmValue = RealmValue {
        payload: Payload { uuid: [0; 16] },
        kind: kind::NULL,
    };
}

/// `realm_query_arg_t`: one value, or a list of them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct QueryArgument {
    pub count: usize,
    pub is_list: bool,
    pub values: *mut RealmValue,
}

/// `realm_property_info_t`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PropertyInfo {
    pub name: *const c_char,
    pub public_name: *const c_char,
    pub kind: c_uint,
    pub collection: c_uint,
    pub link_target: *const c_char,
    pub link_origin_property: *const c_char,
    pub key: PropertyKey,
    pub flags: c_int,
}

/// `realm_class_info_t`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ClassInfo {
    pub name: *const c_char,
    pub primary_key: *const c_char,
    pub properties: usize,
    pub computed_properties: usize,
    pub key: ClassKey,
    pub flags: c_int,
}

/// `realm_error_t`
#[repr(C)]
pub struct ErrorInfo {
    pub code: c_uint,
    pub message: *const c_char,
    pub user_error: *mut c_void,
    pub kind: c_int,
}

/// Callbacks of a scheduler.
pub mod callback {
    use super::c_void;
    pub type Notify = unsafe extern "C" fn(*mut c_void);
    pub type Ask = unsafe extern "C" fn(*mut c_void) -> bool;
    pub type Same = unsafe extern "C" fn(*const c_void, *const c_void) -> bool;
    pub type Free = Option<unsafe extern "C" fn(*mut c_void)>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    /// The sizes that a C compiler gives `realm.h` on 64 bits.
    #[test]
    fn layouts_are_those_of_the_header() {
        assert_eq!(
            (size_of::<RealmValue>(), offset_of!(RealmValue, kind)),
            (24, 16)
        );
        assert_eq!(size_of::<Link>(), 16);
        assert_eq!(size_of::<QueryArgument>(), 24);
        assert_eq!(size_of::<PropertyInfo>(), 56);
        assert_eq!(size_of::<ClassInfo>(), 40);
        assert_eq!(size_of::<ErrorInfo>(), 32);
    }
}
