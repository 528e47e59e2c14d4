//! Building queries.

use std::ffi::{CStr, CString, c_int};
use std::rc::Rc;

use super::error::{check, last, misuse, spoken};
use super::query::Query;
use super::store::Store;
use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::{Code, Handle, Text};
use crate::engines::{EngineError, ErrorKind};
use crate::plan::CompareOp;

/// A query builder, or that of a link in one.
pub struct Builder<'b> {
    store: &'b Rc<Store>,
    handle: Handle,
    /// Links' builders go with the one that they belong to.
    root: bool,
}

/// A condition in a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition(c_int);

type Made = Result<Condition, EngineError>;
type OfInt = unsafe extern "C" fn(Handle, u32, i64) -> c_int;
type OfText = unsafe extern "C" fn(Handle, u32, Text, bool) -> c_int;

impl<'b> Builder<'b> {
    /// A builder of queries over an entity.
    pub fn new(store: &'b Rc<Store>, entity: usize) -> Result<Self, EngineError> {
        // SAFETY: the store is open.
        let handle =
            unsafe { (store.functions.obx_query_builder)(store.handle, entity as u32 + 1) };
        if handle.is_null() {
            return Err(last(store.functions, 0));
        }
        Ok(Builder {
            store,
            handle,
            root: true,
        })
    }

    fn functions(&self) -> &'static Functions {
        self.store.functions
    }

    /// The query of all that was put into it.
    pub fn build(self) -> Result<Query, EngineError> {
        self.checked()?;
        // SAFETY: the builder is open, the query is given up to its owner.
        unsafe {
            let query = (self.functions().obx_query)(self.handle);
            if query.is_null() {
                return Err(last(self.functions(), 0));
            }
            Ok(Query::new(Rc::clone(self.store), query))
        }
    }

    /// The first error of a call, which the builder keeps.
    fn checked(&self) -> Result<(), EngineError> {
        // SAFETY: the builder is open; the text is copied at once.
        let (failed, message) = unsafe {
            let failed = (self.functions().obx_qb_error_code)(self.handle);
            if failed == 0 {
                return Ok(());
            }
            let message = (self.functions().obx_qb_error_message)(self.handle);
            (failed, spoken(message))
        };
        Err(EngineError::new(
            ErrorKind::Other,
            format!("ObjectBox does not take the query: {message} ({failed})"),
        ))
    }

    fn made(&self, condition: c_int) -> Made {
        if condition == 0 {
            self.checked()?;
            return Err(last(self.functions(), 0));
        }
        Ok(Condition(condition))
    }

    fn done(&self, result: Code) -> Result<(), EngineError> {
        check(self.functions(), result)
    }

    /// A property is null.
    pub fn null(&self, property: u32) -> Made {
        // SAFETY: the builder is open.
        self.made(unsafe { (self.functions().obx_qb_null)(self.handle, property) })
    }

    /// A property is not null.
    pub fn not_null(&self, property: u32) -> Made {
        // SAFETY: the builder is open.
        self.made(unsafe { (self.functions().obx_qb_not_null)(self.handle, property) })
    }

    /// A comparison with an int.
    pub fn int(&self, property: u32, op: CompareOp, value: i64) -> Made {
        let functions = self.functions();
        let call: OfInt = match op {
            CompareOp::Equal => functions.obx_qb_equals_int,
            CompareOp::NotEqual => functions.obx_qb_not_equals_int,
            CompareOp::Less => functions.obx_qb_less_than_int,
            CompareOp::LessOrEqual => functions.obx_qb_less_or_equal_int,
            CompareOp::Greater => functions.obx_qb_greater_than_int,
            CompareOp::GreaterOrEqual => functions.obx_qb_greater_or_equal_int,
        };
        // SAFETY: the builder is open.
        self.made(unsafe { call(self.handle, property, value) })
    }

    /// One of these, for a property of 64 bits.
    pub fn longs(&self, property: u32, values: &[i64]) -> Made {
        // SAFETY: the builder is open; the values are copied.
        self.made(unsafe {
            (self.functions().obx_qb_in_int64s)(
                self.handle,
                property,
                values.as_ptr(),
                values.len(),
            )
        })
    }

    /// One of these, for a property of 32 bits.
    pub fn ints(&self, property: u32, values: &[i32]) -> Made {
        // SAFETY: the builder is open; the values are copied.
        self.made(unsafe {
            (self.functions().obx_qb_in_int32s)(
                self.handle,
                property,
                values.as_ptr(),
                values.len(),
            )
        })
    }

    /// A comparison with a double; there is none for `!=`.
    pub fn double(&self, property: u32, op: CompareOp, value: f64) -> Made {
        let (functions, handle) = (self.functions(), self.handle);
        // SAFETY: the builder is open.
        self.made(unsafe {
            match op {
                CompareOp::Less => (functions.obx_qb_less_than_double)(handle, property, value),
                CompareOp::LessOrEqual => {
                    (functions.obx_qb_less_or_equal_double)(handle, property, value)
                }
                CompareOp::Greater => {
                    (functions.obx_qb_greater_than_double)(handle, property, value)
                }
                CompareOp::GreaterOrEqual => {
                    (functions.obx_qb_greater_or_equal_double)(handle, property, value)
                }
                CompareOp::Equal => {
                    (functions.obx_qb_between_2doubles)(handle, property, value, value)
                }
                CompareOp::NotEqual => return Err(misuse("there is no `!=` of doubles")),
            }
        })
    }

    /// A comparison with a text.
    pub fn text(&self, property: u32, op: CompareOp, value: &CStr, case: bool) -> Made {
        let functions = self.functions();
        self.text_by(
            match op {
                CompareOp::Equal => functions.obx_qb_equals_string,
                CompareOp::NotEqual => functions.obx_qb_not_equals_string,
                CompareOp::Less => functions.obx_qb_less_than_string,
                CompareOp::LessOrEqual => functions.obx_qb_less_or_equal_string,
                CompareOp::Greater => functions.obx_qb_greater_than_string,
                CompareOp::GreaterOrEqual => functions.obx_qb_greater_or_equal_string,
            },
            property,
            value,
            case,
        )
    }

    /// A text that is in it.
    pub fn contains(&self, property: u32, value: &CStr, case: bool) -> Made {
        self.text_by(
            self.functions().obx_qb_contains_string,
            property,
            value,
            case,
        )
    }

    /// A text at its start.
    pub fn starts_with(&self, property: u32, value: &CStr, case: bool) -> Made {
        self.text_by(
            self.functions().obx_qb_starts_with_string,
            property,
            value,
            case,
        )
    }

    /// A text at its end.
    pub fn ends_with(&self, property: u32, value: &CStr, case: bool) -> Made {
        self.text_by(
            self.functions().obx_qb_ends_with_string,
            property,
            value,
            case,
        )
    }

    /// An element of a list of texts.
    pub fn element(&self, property: u32, value: &CStr, case: bool) -> Made {
        let call = self.functions().obx_qb_contains_element_string;
        self.text_by(call, property, value, case)
    }

    fn text_by(&self, call: OfText, property: u32, value: &CStr, case: bool) -> Made {
        // SAFETY: the builder is open; the text is copied.
        self.made(unsafe { call(self.handle, property, value.as_ptr(), case) })
    }

    /// One of these texts.
    pub fn texts(&self, property: u32, values: &[CString], case: bool) -> Made {
        let pointers: Vec<Text> = values.iter().map(|value| value.as_ptr()).collect();
        // SAFETY: the builder is open; the texts are copied.
        self.made(unsafe {
            (self.functions().obx_qb_in_strings)(
                self.handle,
                property,
                pointers.as_ptr(),
                pointers.len(),
                case,
            )
        })
    }

    /// A comparison with bytes; there is none for `!=`.
    pub fn bytes(&self, property: u32, op: CompareOp, value: &[u8]) -> Made {
        let functions = self.functions();
        let call = match op {
            CompareOp::Equal => functions.obx_qb_equals_bytes,
            CompareOp::Less => functions.obx_qb_less_than_bytes,
            CompareOp::LessOrEqual => functions.obx_qb_less_or_equal_bytes,
            CompareOp::Greater => functions.obx_qb_greater_than_bytes,
            CompareOp::GreaterOrEqual => functions.obx_qb_greater_or_equal_bytes,
            CompareOp::NotEqual => return Err(misuse("there is no `!=` of bytes")),
        };
        // SAFETY: the builder is open; the bytes are copied.
        self.made(unsafe { call(self.handle, property, value.as_ptr(), value.len()) })
    }

    /// All of these conditions, or any.
    pub fn joined(&self, all: bool, conditions: &[Condition]) -> Made {
        let numbers: Vec<c_int> = conditions.iter().map(|condition| condition.0).collect();
        let call = if all {
            self.functions().obx_qb_all
        } else {
            self.functions().obx_qb_any
        };
        // SAFETY: the builder is open; the conditions are its own.
        self.made(unsafe { call(self.handle, numbers.as_ptr(), numbers.len()) })
    }

    /// Names the parameter of the condition that was made last.
    pub fn alias(&self, alias: &CStr) -> Result<(), EngineError> {
        // SAFETY: the builder is open; the name is copied.
        self.done(unsafe { (self.functions().obx_qb_param_alias)(self.handle, alias.as_ptr()) })
    }

    /// Orders by a property, after those already said.
    pub fn order(&self, property: u32, flags: u32) -> Result<(), EngineError> {
        // SAFETY: the builder is open.
        self.done(unsafe { (self.functions().obx_qb_order)(self.handle, property, flags) })
    }

    /// The builder about what a to-one property leads to.
    pub fn to_one(&self, property: u32) -> Result<Builder<'b>, EngineError> {
        // SAFETY: the builder is open.
        self.linked(unsafe { (self.functions().obx_qb_link_property)(self.handle, property) })
    }

    /// The builder about objects of `entity` whose to-one property leads here.
    pub fn back(&self, entity: usize, property: u32) -> Result<Builder<'b>, EngineError> {
        // SAFETY: the builder is open.
        self.linked(unsafe {
            (self.functions().obx_qb_backlink_property)(self.handle, entity as u32 + 1, property)
        })
    }

    /// The builder about what a to-many relation leads to.
    pub fn to_many(&self, relation: u32) -> Result<Builder<'b>, EngineError> {
        // SAFETY: the builder is open.
        self.linked(unsafe { (self.functions().obx_qb_link_standalone)(self.handle, relation) })
    }

    fn linked(&self, handle: Handle) -> Result<Builder<'b>, EngineError> {
        if handle.is_null() {
            self.checked()?;
            return Err(last(self.functions(), 0));
        }
        Ok(Builder {
            store: self.store,
            handle,
            root: false,
        })
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        if self.root {
            // SAFETY: open, and closed once, with the builders of its links.
            unsafe { (self.functions().obx_qb_close)(self.handle) };
        }
    }
}
