//! A query that was built, and may be run often.

use std::ffi::{CStr, CString};
use std::rc::Rc;

use super::error::{check, last};
use super::store::Store;
use super::txn::Txn;
use crate::engines::EngineError;
use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::Handle;
use crate::plan::Aggregate;

/// A built query.
pub struct Query {
    store: Rc<Store>,
    handle: Handle,
}

/// What an aggregate of a property gives, over how many values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Of an int property.
    Int(i64, i64),
    /// Of a double property, and every average.
    Float(f64, i64),
}

impl Query {
    /// # Safety
    /// The handle is a query of this store, open and given up.
    pub(super) unsafe fn new(store: Rc<Store>, handle: Handle) -> Self {
        Query { store, handle }
    }

    pub(super) fn handle(&self) -> Handle {
        self.handle
    }

    fn functions(&self) -> &'static Functions {
        self.store.functions
    }

    /// Leaves out the first ones and stops after `limit`; none for 0.
    pub fn page(&self, offset: usize, limit: usize) -> Result<(), EngineError> {
        // SAFETY: the query is open.
        check(self.functions(), unsafe {
            (self.functions().obx_query_offset_limit)(self.handle, offset, limit)
        })
    }

    /// How many it finds.
    pub fn count(&self, _: &Txn) -> Result<u64, EngineError> {
        let mut count = 0;
        // SAFETY: the query is open.
        let result = unsafe { (self.functions().obx_query_count)(self.handle, &mut count) };
        check(self.functions(), result).map(|()| count)
    }

    /// Aggregates a property, as an int or a double.
    pub fn aggregate(
        &self,
        _: &Txn,
        property: u32,
        function: Aggregate,
        float: bool,
    ) -> Result<Number, EngineError> {
        let functions = self.functions();
        let (mut int, mut double, mut count) = (0i64, 0f64, 0i64);
        let whole = !float && function != Aggregate::Average;
        // SAFETY: the query is open and outlives the property query, which is
        // closed here.
        let result = unsafe {
            let over = (functions.obx_query_prop)(self.handle, property);
            if over.is_null() {
                return Err(last(functions, 0));
            }
            let result = match (function, whole) {
                (Aggregate::Sum, true) => {
                    (functions.obx_query_prop_sum_int)(over, &mut int, &mut count)
                }
                (Aggregate::Min, true) => {
                    (functions.obx_query_prop_min_int)(over, &mut int, &mut count)
                }
                (Aggregate::Max, true) => {
                    (functions.obx_query_prop_max_int)(over, &mut int, &mut count)
                }
                (Aggregate::Sum, false) => {
                    (functions.obx_query_prop_sum)(over, &mut double, &mut count)
                }
                (Aggregate::Min, false) => {
                    (functions.obx_query_prop_min)(over, &mut double, &mut count)
                }
                (Aggregate::Max, false) => {
                    (functions.obx_query_prop_max)(over, &mut double, &mut count)
                }
                (Aggregate::Average, _) => {
                    (functions.obx_query_prop_avg)(over, &mut double, &mut count)
                }
            };
            let failed = (result != 0).then(|| last(functions, result));
            (functions.obx_query_prop_close)(over);
            failed
        };
        match result {
            Some(error) => Err(error),
            None if whole => Ok(Number::Int(int, count)),
            None => Ok(Number::Float(double, count)),
        }
    }

    /// Sets an int parameter.
    pub fn set_int(&self, alias: &CStr, value: i64) -> Result<(), EngineError> {
        // SAFETY: the query is open, the alias outlives the call.
        check(self.functions(), unsafe {
            (self.functions().obx_query_param_alias_int)(self.handle, alias.as_ptr(), value)
        })
    }

    /// Sets a double parameter.
    pub fn set_double(&self, alias: &CStr, value: f64) -> Result<(), EngineError> {
        // SAFETY: the query is open, the alias outlives the call.
        check(self.functions(), unsafe {
            (self.functions().obx_query_param_alias_double)(self.handle, alias.as_ptr(), value)
        })
    }

    /// Sets a text parameter.
    pub fn set_text(&self, alias: &CStr, value: &CString) -> Result<(), EngineError> {
        // SAFETY: the query is open, both texts outlive the call.
        check(self.functions(), unsafe {
            (self.functions().obx_query_param_alias_string)(
                self.handle,
                alias.as_ptr(),
                value.as_ptr(),
            )
        })
    }

    /// Sets a parameter of bytes.
    pub fn set_bytes(&self, alias: &CStr, value: &[u8]) -> Result<(), EngineError> {
        // SAFETY: the query is open, alias and bytes outlive the call.
        check(self.functions(), unsafe {
            (self.functions().obx_query_param_alias_bytes)(
                self.handle,
                alias.as_ptr(),
                value.as_ptr(),
                value.len(),
            )
        })
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        // SAFETY: open, and closed once; its store outlives it.
        unsafe { (self.functions().obx_query_close)(self.handle) };
    }
}
