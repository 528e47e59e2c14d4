//! The model that a store is opened with.

use std::ffi::CString;

use super::error::{last, misuse, spoken};
use crate::engines::objectbox::ffi::Functions;
use crate::engines::objectbox::ffi::types::{Code, Handle};
use crate::engines::{EngineError, ErrorKind};

/// A model being made. Ids count up from 1 in the order of the calls; the
/// library also wants lasting unique ids, which are derived from them.
pub struct Model {
    functions: &'static Functions,
    handle: Handle,
    entities: u32,
    properties: u32,
    indexes: u32,
    relations: u32,
}

/// Ids of each sort get a range of unique ids of their own.
const ENTITY: u64 = 1 << 32;
const PROPERTY: u64 = 2 << 32;
const INDEX: u64 = 3 << 32;
const RELATION: u64 = 4 << 32;

impl Model {
    pub fn new(functions: &'static Functions) -> Result<Self, EngineError> {
        // SAFETY: no arguments.
        let handle = unsafe { (functions.obx_model)() };
        if handle.is_null() {
            return Err(last(functions, 0));
        }
        Ok(Model {
            functions,
            handle,
            entities: 0,
            properties: 0,
            indexes: 0,
            relations: 0,
        })
    }

    pub fn entities(&self) -> u32 {
        self.entities
    }

    /// Begins an entity; its properties and relations follow.
    pub fn entity(&mut self, name: &str) -> Result<(), EngineError> {
        self.entities += 1;
        self.properties = 0;
        let name = text(name)?;
        let id = self.entities;
        // SAFETY: the model is alive, the name outlives the call.
        self.check(unsafe {
            (self.functions.obx_model_entity)(
                self.handle,
                name.as_ptr(),
                id,
                ENTITY + u64::from(id),
            )
        })
    }

    /// Adds a property; an index where the flags ask for one.
    pub fn property(
        &mut self,
        name: &str,
        kind: i32,
        flags: u32,
        indexed: bool,
    ) -> Result<(), EngineError> {
        let uid = self.add_property(name, kind)?;
        if flags != 0 {
            // SAFETY: the model is alive.
            self.check(unsafe { (self.functions.obx_model_property_flags)(self.handle, flags) })?;
        }
        if indexed {
            let (index, index_uid) = self.next_index();
            // SAFETY: the model is alive.
            self.check(unsafe {
                (self.functions.obx_model_property_index_id)(self.handle, index, index_uid)
            })?;
        }
        self.ended(uid)
    }

    /// Adds a to-one relation, which is a property with an index.
    pub fn add_to_one(
        &mut self,
        name: &str,
        kind: i32,
        flags: u32,
        target: &str,
    ) -> Result<(), EngineError> {
        let uid = self.add_property(name, kind)?;
        let target = text(target)?;
        let (index, index_uid) = self.next_index();
        // SAFETY: the model is alive, the name outlives the call.
        let result = unsafe {
            (self.functions.obx_model_property_flags)(self.handle, flags);
            (self.functions.obx_model_property_relation)(
                self.handle,
                target.as_ptr(),
                index,
                index_uid,
            )
        };
        self.check(result)?;
        self.ended(uid)
    }

    /// Adds a to-many relation from the entity that was begun last.
    pub fn add_to_many(&mut self, name: &str, target: u32) -> Result<(), EngineError> {
        self.relations += 1;
        let (id, name) = (self.relations, text(name)?);
        // SAFETY: the model is alive, the name outlives the call.
        let result = unsafe {
            let made = (self.functions.obx_model_relation)(
                self.handle,
                id,
                RELATION + u64::from(id),
                target,
                ENTITY + u64::from(target),
            );
            if made != 0 {
                made
            } else {
                (self.functions.obx_model_relation_name)(self.handle, name.as_ptr())
            }
        };
        self.check(result)
    }

    /// Gives it to the store's options.
    pub(super) fn into_handle(mut self) -> Handle {
        let functions = self.functions;
        let handle = std::mem::replace(&mut self.handle, std::ptr::null_mut());
        // SAFETY: the model is alive; these return nothing.
        unsafe {
            let last = |id: u32, range: u64| (id, range + u64::from(id));
            let (id, uid) = last(self.entities, ENTITY);
            (functions.obx_model_last_entity_id)(handle, id, uid);
            if self.indexes > 0 {
                let (id, uid) = last(self.indexes, INDEX);
                (functions.obx_model_last_index_id)(handle, id, uid);
            }
            if self.relations > 0 {
                let (id, uid) = last(self.relations, RELATION);
                (functions.obx_model_last_relation_id)(handle, id, uid);
            }
        }
        handle
    }

    fn add_property(&mut self, name: &str, kind: i32) -> Result<u64, EngineError> {
        self.properties += 1;
        let uid = PROPERTY + (u64::from(self.entities) << 16) + u64::from(self.properties);
        let name = text(name)?;
        // SAFETY: the model is alive, the name outlives the call.
        self.check(unsafe {
            (self.functions.obx_model_property)(
                self.handle,
                name.as_ptr(),
                kind,
                self.properties,
                uid,
            )
        })?;
        Ok(uid)
    }

    fn ended(&self, uid: u64) -> Result<(), EngineError> {
        // SAFETY: the model is alive.
        self.check(unsafe {
            (self.functions.obx_model_entity_last_property_id)(self.handle, self.properties, uid)
        })
    }

    fn next_index(&mut self) -> (u32, u64) {
        self.indexes += 1;
        (self.indexes, INDEX + u64::from(self.indexes))
    }

    fn check(&self, result: Code) -> Result<(), EngineError> {
        if result == 0 {
            return Ok(());
        }
        // SAFETY: the model is alive; the text is copied at once.
        let message = unsafe { spoken((self.functions.obx_model_error_message)(self.handle)) };
        Err(EngineError::new(
            ErrorKind::Other,
            format!("ObjectBox does not take the model: {message} ({result})"),
        ))
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: alive, and freed once.
            unsafe { (self.functions.obx_model_free)(self.handle) };
        }
    }
}

fn text(name: &str) -> Result<CString, EngineError> {
    CString::new(name).map_err(|_| misuse("a zero in a name"))
}
