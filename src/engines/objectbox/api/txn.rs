//! Transactions, and what is done to single objects in them.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::rc::Rc;

use super::arrays::{Ids, Rows};
use super::error::{check, last, misuse};
use super::query::Query;
use super::store::Store;
use crate::engines::EngineError;
use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::{Handle, IdArray, code, put_mode};

/// What a put may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutMode {
    /// An object or none.
    Put,
    /// None: an object with that id is an error.
    Insert,
    /// An object: none is an error.
    Update,
}

/// A transaction. Dropped without a commit, a write transaction is undone.
///
/// Writes go through cursors, not boxes: a box's failed put closes the whole
/// transaction, a cursor's leaves it as it was.
pub struct Txn {
    store: Rc<Store>,
    handle: Handle,
    /// Per entity, null until used; empty for reads.
    cursors: Vec<Handle>,
}

impl Txn {
    /// A read transaction.
    pub fn read(store: &Rc<Store>) -> Result<Txn, EngineError> {
        // SAFETY: the store is open.
        let handle = unsafe { (store.functions.obx_txn_read)(store.handle) };
        Txn::new(store, handle, Vec::new())
    }

    /// A write transaction.
    pub fn write(store: &Rc<Store>) -> Result<Txn, EngineError> {
        // SAFETY: the store is open.
        let handle = unsafe { (store.functions.obx_txn_write)(store.handle) };
        Txn::new(store, handle, vec![std::ptr::null_mut(); store.boxes.len()])
    }

    fn new(store: &Rc<Store>, handle: Handle, cursors: Vec<Handle>) -> Result<Txn, EngineError> {
        if handle.is_null() {
            return Err(last(store.functions, 0));
        }
        Ok(Txn {
            store: Rc::clone(store),
            handle,
            cursors,
        })
    }

    fn functions(&self) -> &'static Functions {
        self.store.functions
    }

    /// Commits.
    pub fn commit(mut self) -> Result<(), EngineError> {
        self.close_cursors();
        let handle = std::mem::replace(&mut self.handle, std::ptr::null_mut());
        // SAFETY: the transaction is open; success closes it in any outcome.
        check(self.functions(), unsafe {
            (self.functions().obx_txn_success)(handle)
        })
    }

    /// The object with that id.
    pub fn get(&self, entity: usize, id: u64) -> Result<Option<&[u8]>, EngineError> {
        let entity = self.store.entity_box(entity)?;
        let (mut data, mut size) = (std::ptr::null(), 0);
        // SAFETY: a transaction of this thread is open; the bytes stay valid
        // until it ends or writes, and writing needs `&mut self`.
        unsafe {
            match (self.functions().obx_box_get)(entity, id, &mut data, &mut size) {
                code::SUCCESS => Ok(Some(std::slice::from_raw_parts(data, size))),
                code::NOT_FOUND => Ok(None),
                failed => Err(last(self.functions(), failed)),
            }
        }
    }

    /// How many objects there are.
    pub fn count(&self, entity: usize) -> Result<u64, EngineError> {
        let entity = self.store.entity_box(entity)?;
        let mut count = 0;
        // SAFETY: the box is open.
        let result = unsafe { (self.functions().obx_box_count)(entity, 0, &mut count) };
        check(self.functions(), result).map(|()| count)
    }

    /// All objects, by ascending id.
    pub fn scan(&self, entity: usize) -> Result<Scan<'_>, EngineError> {
        // SAFETY: the transaction is open and outlives the cursor.
        let cursor = unsafe { (self.functions().obx_cursor)(self.handle, entity as u32 + 1) };
        if cursor.is_null() {
            return Err(last(self.functions(), 0));
        }
        Ok(Scan {
            functions: self.functions(),
            cursor,
            begun: false,
            transaction: PhantomData,
        })
    }

    /// Objects that a query finds, in its order.
    pub fn find(&self, query: &Query) -> Result<Rows<'_>, EngineError> {
        // SAFETY: query and transaction are open; what is found stays valid
        // until the transaction ends or writes.
        unsafe {
            let array = (self.functions().obx_query_find)(query.handle());
            if array.is_null() {
                return Err(last(self.functions(), 0));
            }
            Ok(Rows::new(self.functions(), array))
        }
    }

    /// Shows what a query finds, one by one, until `visit` returns false.
    /// `visit` may ask nothing of the store: the query is still running.
    pub fn visit<'t>(
        &'t self,
        query: &Query,
        visit: &mut dyn FnMut(&'t [u8]) -> bool,
    ) -> Result<(), EngineError> {
        let mut visitor = Visitor { visit, panic: None };
        let data: *mut Visitor<'_, 't> = &mut visitor;
        // SAFETY: query and transaction are open; the visitor outlives the
        // call and is used by nothing else meanwhile.
        let result = unsafe {
            (self.functions().obx_query_visit)(query.handle(), Visitor::call, data.cast())
        };
        if let Some(panic) = visitor.panic {
            std::panic::resume_unwind(panic);
        }
        check(self.functions(), result)
    }

    /// Ids of objects whose to-one `property` points to `id`.
    pub fn pointing(&self, entity: usize, property: u32, id: u64) -> Result<Ids, EngineError> {
        let entity = self.store.entity_box(entity)?;
        // SAFETY: the box is open.
        self.ids(unsafe { (self.functions().obx_box_get_backlink_ids)(entity, property, id) })
    }

    /// Ids of the objects of `entity` that a to-many relation leads to from `id`.
    pub fn related(&self, entity: usize, relation: u32, id: u64) -> Result<Ids, EngineError> {
        let entity = self.store.entity_box(entity)?;
        // SAFETY: the box is open.
        self.ids(unsafe { (self.functions().obx_box_rel_get_ids)(entity, relation, id) })
    }

    /// Ids of the objects of `entity` from which a to-many relation leads to `id`.
    pub fn relating(&self, entity: usize, relation: u32, id: u64) -> Result<Ids, EngineError> {
        let entity = self.store.entity_box(entity)?;
        // SAFETY: the box is open.
        self.ids(unsafe { (self.functions().obx_box_rel_get_backlink_ids)(entity, relation, id) })
    }

    fn ids(&self, array: *mut IdArray) -> Result<Ids, EngineError> {
        if array.is_null() {
            return Err(last(self.functions(), 0));
        }
        // SAFETY: it comes from the library and is not null.
        Ok(unsafe { Ids::new(self.functions(), array) })
    }

    /// Stores an object.
    pub fn put(
        &mut self,
        entity: usize,
        id: u64,
        object: &[u8],
        mode: PutMode,
    ) -> Result<(), EngineError> {
        let mode: c_int = match mode {
            PutMode::Put => put_mode::PUT,
            PutMode::Insert => put_mode::INSERT,
            PutMode::Update => put_mode::UPDATE,
        };
        let cursor = self.cursor(entity)?;
        // SAFETY: the cursor is open, the bytes are read during the call.
        check(self.functions(), unsafe {
            (self.functions().obx_cursor_put4)(cursor, id, object.as_ptr(), object.len(), mode)
        })
    }

    /// Removes an object; whether it was there. Relations from and to it go
    /// with it, to-one links to it become 0.
    pub fn remove(&mut self, entity: usize, id: u64) -> Result<bool, EngineError> {
        let cursor = self.cursor(entity)?;
        // SAFETY: the cursor is open.
        match unsafe { (self.functions().obx_cursor_remove)(cursor, id) } {
            code::SUCCESS => Ok(true),
            code::NOT_FOUND => Ok(false),
            failed => Err(last(self.functions(), failed)),
        }
    }

    /// Removes all that a query finds; how many.
    pub fn remove_found(&mut self, query: &Query) -> Result<u64, EngineError> {
        let mut count = 0;
        // SAFETY: query and transaction are open.
        let result = unsafe { (self.functions().obx_query_remove)(query.handle(), &mut count) };
        check(self.functions(), result).map(|()| count)
    }

    /// Removes all objects; how many.
    pub fn remove_all(&mut self, entity: usize) -> Result<u64, EngineError> {
        let count = self.count(entity)?;
        let cursor = self.cursor(entity)?;
        // SAFETY: the cursor is open.
        check(self.functions(), unsafe {
            (self.functions().obx_cursor_remove_all)(cursor)
        })?;
        Ok(count)
    }

    /// Adds an entry of a to-many relation from an object of `entity`.
    pub fn relate(
        &mut self,
        entity: usize,
        relation: u32,
        from: u64,
        to: u64,
    ) -> Result<(), EngineError> {
        let cursor = self.cursor(entity)?;
        // SAFETY: the cursor is open.
        check(self.functions(), unsafe {
            (self.functions().obx_cursor_rel_put)(cursor, relation, from, to)
        })
    }

    /// Takes an entry of a to-many relation away.
    pub fn unrelate(
        &mut self,
        entity: usize,
        relation: u32,
        from: u64,
        to: u64,
    ) -> Result<(), EngineError> {
        let cursor = self.cursor(entity)?;
        // SAFETY: the cursor is open.
        check(self.functions(), unsafe {
            (self.functions().obx_cursor_rel_remove)(cursor, relation, from, to)
        })
    }

    fn cursor(&mut self, entity: usize) -> Result<Handle, EngineError> {
        let functions = self.functions();
        let Some(cursor) = self.cursors.get_mut(entity) else {
            return Err(misuse("a write outside a write transaction"));
        };
        if cursor.is_null() {
            // SAFETY: the transaction is open; the cursor is closed before it.
            *cursor = unsafe { (functions.obx_cursor)(self.handle, entity as u32 + 1) };
            if cursor.is_null() {
                return Err(last(functions, 0));
            }
        }
        Ok(*cursor)
    }

    fn close_cursors(&mut self) {
        let functions = self.functions();
        for cursor in self.cursors.drain(..).filter(|cursor| !cursor.is_null()) {
            // SAFETY: open, and closed once, before its transaction.
            unsafe { (functions.obx_cursor_close)(cursor) };
        }
    }
}

impl Drop for Txn {
    fn drop(&mut self) {
        self.close_cursors();
        if !self.handle.is_null() {
            // SAFETY: open, and closed once.
            unsafe { (self.functions().obx_txn_close)(self.handle) };
        }
    }
}

/// What the library calls back with each object.
struct Visitor<'v, 't> {
    visit: &'v mut dyn FnMut(&'t [u8]) -> bool,
    /// A panic must not run through the library.
    panic: Option<Box<dyn std::any::Any + Send>>,
}

impl Visitor<'_, '_> {
    unsafe extern "C" fn call(data: *const c_void, size: usize, visitor: *mut c_void) -> bool {
        // SAFETY: as `Txn::visit` passes it; the bytes stay valid until the
        // transaction ends or writes, and it is borrowed for `'t`.
        let (visitor, bytes) = unsafe {
            let visitor = &mut *visitor.cast::<Visitor<'_, '_>>();
            (visitor, std::slice::from_raw_parts(data.cast(), size))
        };
        let visit = std::panic::AssertUnwindSafe(|| (visitor.visit)(bytes));
        match std::panic::catch_unwind(visit) {
            Ok(go_on) => go_on,
            Err(panic) => {
                visitor.panic = Some(panic);
                false
            }
        }
    }
}

/// All objects of an entity, one by one.
pub struct Scan<'t> {
    functions: &'static Functions,
    cursor: Handle,
    begun: bool,
    transaction: PhantomData<&'t Txn>,
}

impl<'t> Iterator for Scan<'t> {
    type Item = Result<&'t [u8], EngineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut data, mut size) = (std::ptr::null(), 0);
        let step = if self.begun {
            self.functions.obx_cursor_next
        } else {
            self.functions.obx_cursor_first
        };
        self.begun = true;
        // SAFETY: the cursor is open; the bytes stay valid until the
        // transaction ends or writes, and it is borrowed for `'t`.
        unsafe {
            match step(self.cursor, &mut data, &mut size) {
                code::SUCCESS => Some(Ok(std::slice::from_raw_parts(data, size))),
                code::NOT_FOUND => None,
                failed => Some(Err(last(self.functions, failed))),
            }
        }
    }
}

impl Drop for Scan<'_> {
    fn drop(&mut self) {
        // SAFETY: open, and closed once.
        unsafe { (self.functions.obx_cursor_close)(self.cursor) };
    }
}
