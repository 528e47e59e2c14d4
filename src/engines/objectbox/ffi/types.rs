//! Plain data of the C API. Layouts, numbers and names are those of its
//! public header (objectbox-c, `objectbox.h`).

use std::ffi::{c_char, c_int, c_void};

/// A pointer to one of the library's own objects.
pub type Handle = *mut c_void;
/// A zero-terminated text.
pub type Text = *const c_char;
/// Zero for success, otherwise one of the codes below.
pub type Code = c_int;

/// An object: a FlatBuffer inside the database's memory map.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// Its first byte.
    pub data: *const u8,
    /// Bytes in it.
    pub size: usize,
}

/// Objects found by a query.
#[repr(C)]
#[derive(Debug)]
pub struct BytesArray {
    /// The first of them.
    pub bytes: *const Bytes,
    /// How many there are.
    pub count: usize,
}

/// Ids found by a query or behind a relation.
#[repr(C)]
#[derive(Debug)]
pub struct IdArray {
    /// The first of them.
    pub ids: *const u64,
    /// How many there are.
    pub count: usize,
}

/// Codes that functions return.
pub mod code {
    use super::Code;

    /// Done.
    pub const SUCCESS: Code = 0;
    /// There is no such object; also the end of a scan.
    pub const NOT_FOUND: Code = 404;
    /// This build of the library cannot do it.
    pub const FEATURE_NOT_AVAILABLE: Code = 10005;
    /// A number left its type.
    pub const NUMERIC_OVERFLOW: Code = 10004;
    /// Reading or writing failed.
    pub const IO: Code = 10007;
    /// `max_db_size` is reached.
    pub const DB_FULL: Code = 10101;
    /// The limit for data is reached.
    pub const DATA_FULL: Code = 10104;
    /// Another object has the same value.
    pub const UNIQUE_VIOLATED: Code = 10201;
    /// An insert met an object.
    pub const ID_EXISTS: Code = 10210;
    /// An update met none.
    pub const ID_NOT_FOUND: Code = 10211;
    /// Another rule was broken.
    pub const CONSTRAINT_VIOLATED: Code = 10299;
    /// The file is damaged.
    pub const FILE_CORRUPT: Code = 10502;
    /// Its pages are damaged.
    pub const PAGES_CORRUPT: Code = 10503;
}

/// Types of properties.
pub mod property {
    use std::ffi::c_int;

    /// A byte, 0 or 1.
    pub const BOOL: c_int = 1;
    /// 32 bits.
    pub const INT: c_int = 5;
    /// 64 bits.
    pub const LONG: c_int = 6;
    /// A double.
    pub const DOUBLE: c_int = 8;
    /// UTF-8.
    pub const STRING: c_int = 9;
    /// Milliseconds since 1970, 64 bits.
    pub const DATE: c_int = 10;
    /// The id of an object, 0 for none.
    pub const RELATION: c_int = 11;
    /// Bytes of 0 and 1.
    pub const BOOL_VECTOR: c_int = 22;
    /// Bytes.
    pub const BYTE_VECTOR: c_int = 23;
    /// 64-bit ints.
    pub const LONG_VECTOR: c_int = 27;
    /// Doubles.
    pub const DOUBLE_VECTOR: c_int = 29;
    /// Texts.
    pub const STRING_VECTOR: c_int = 30;
    /// Milliseconds since 1970.
    pub const DATE_VECTOR: c_int = 31;
}

/// Flags of properties.
pub mod flag {
    /// The object's id.
    pub const ID: u32 = 1;
    /// Indexed by value.
    pub const INDEXED: u32 = 8;
    /// No two objects have the same.
    pub const UNIQUE: u32 = 32;
    /// The app assigns ids.
    pub const ID_SELF_ASSIGNABLE: u32 = 128;
    /// The index leaves out zeros; for to-one relations.
    pub const SKIP_ZERO: u32 = 512;
    /// Indexed by a hash of 32 bits; texts only.
    pub const INDEX_HASH: u32 = 2048;
    /// Indexed by a hash of 64 bits; texts only.
    pub const INDEX_HASH64: u32 = 4096;
}

/// Flags of an order.
pub mod order {
    /// Largest first.
    pub const DESCENDING: u32 = 1;
    /// Texts by their bytes.
    pub const CASE_SENSITIVE: u32 = 2;
    /// Nulls last; of texts only, see `docs/engines/objectbox.md`.
    pub const NULLS_LAST: u32 = 8;
}

/// What a put may meet.
pub mod put_mode {
    use std::ffi::c_int;

    /// New or not.
    pub const PUT: c_int = 1;
    /// New only.
    pub const INSERT: c_int = 2;
    /// Present only.
    pub const UPDATE: c_int = 3;
}
