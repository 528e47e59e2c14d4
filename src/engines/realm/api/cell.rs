//! Values read from the map.

use std::marker::PhantomData;

use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::realm::error::misuse;
use crate::engines::realm::ffi::types::{Bytes, Link, Moment, RealmValue, kind};
use crate::plan::Scalar;

/// A value as it was read, for as long as the realm is not written to.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Cell<'r> {
    value: RealmValue,
    realm: PhantomData<&'r ()>,
}

impl Cell<'_> {
    /// Nothing.
    pub const NULL: Cell<'static> = Cell {
        value: RealmValue::NULL,
        realm: PhantomData,
    };

    /// Wraps what a call wrote.
    ///
    /// # Safety
    /// What `value` points to lives for the lifetime that the caller gives.
    pub unsafe fn new<'r>(value: RealmValue) -> Cell<'r> {
        Cell {
            value,
            realm: PhantomData,
        }
    }
}

impl<'r> Cell<'r> {
    /// Whether it is null.
    #[inline]
    pub fn is_null(&self) -> bool {
        self.value.kind == kind::NULL
    }

    /// The link that it is.
    #[inline]
    pub fn link(&self) -> Option<Link> {
        if self.value.kind != kind::LINK {
            return None;
        }
        // SAFETY: the tag says which member was written.
        Some(unsafe { self.value.payload.link })
    }

    /// The value, borrowed, as a field of that type holds it.
    #[inline]
    pub fn value(&self, scalar: &Scalar) -> Result<ValueRef<'r>, EngineError> {
        let payload = self.value.payload;
        // SAFETY: the tag says which member was written, and bytes live for `'r`.
        unsafe {
            Ok(match self.value.kind {
                kind::NULL => ValueRef::Null,
                kind::INT => ValueRef::Int(payload.integer),
                kind::STRING => {
                    let bytes = slice(payload.bytes);
                    let text =
                        std::str::from_utf8(bytes).map_err(|_| misuse("a text is not UTF-8"))?;
                    match scalar {
                        Scalar::Json => ValueRef::Json(text),
                        _ => ValueRef::Text(text),
                    }
                }
                kind::BOOL => ValueRef::Bool(payload.boolean),
                kind::DOUBLE => ValueRef::Float(payload.double),
                kind::TIMESTAMP => ValueRef::Timestamp(milliseconds(payload.moment)),
                kind::UUID => ValueRef::Uuid(payload.uuid),
                kind::BINARY => ValueRef::Blob(slice(payload.bytes)),
                other => return Err(misuse(format!("a value of Realm's type {other}"))),
            })
        }
    }

    /// The value, owned.
    pub fn to_value(self, scalar: &Scalar) -> Result<Value, EngineError> {
        Ok(self.value(scalar)?.to_value())
    }
}

/// SAFETY: `bytes` is null or points to its size of bytes, which live for `'a`.
#[inline]
unsafe fn slice<'a>(bytes: Bytes) -> &'a [u8] {
    if bytes.data.is_null() {
        return &[];
    }
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts(bytes.data, bytes.size) }
}

fn milliseconds(moment: Moment) -> i64 {
    moment
        .seconds
        .saturating_mul(1000)
        .saturating_add(i64::from(moment.nanoseconds / 1_000_000))
}
