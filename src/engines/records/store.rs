//! Records with what belongs together: the engine, what is pending, and the
//! values that may stand once.

use std::cell::RefCell;

use super::encoding::Encoding;
use super::fields::Fields;
use super::keyvalue::KeyValue;
use super::layout::Layout;
use super::pending::{Mark, Pending};
use super::reader::{Linked, Reader};
use super::uniques::Uniques;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind, Maintenance};
use crate::plan::schema::{ModelId, Schema};

/// All records of an open store.
pub struct Store {
    pub schema: Schema,
    pub layouts: Vec<Layout>,
    pub encoding: Encoding,
    engine: Box<dyn KeyValue>,
    pending: Pending,
    uniques: Uniques,
    spare: RefCell<Vec<Linked>>,
    /// No fields of linked records: for changes, which follow links by key.
    nothing: Vec<Fields>,
    /// A record while it is encoded.
    pub(super) scratch: Vec<u8>,
}

impl Store {
    pub fn new(
        schema: Schema,
        encoding: Encoding,
        engine: Box<dyn KeyValue>,
    ) -> Result<Store, EngineError> {
        let nothing = schema.models.iter();
        Ok(Store {
            layouts: Layout::of(&schema)?,
            encoding,
            engine,
            pending: Pending::new(schema.models.len()),
            uniques: Uniques::of(&schema),
            spare: RefCell::default(),
            nothing: nothing.map(|m| Fields::none(m.fields.len())).collect(),
            scratch: Vec::new(),
            schema,
        })
    }

    /// Reads as the running transaction sees them; `linked` are the fields of
    /// linked records that are touched.
    pub fn reader<'s>(&'s self, linked: &'s [Fields]) -> Reader<'s> {
        Reader {
            schema: &self.schema,
            layouts: &self.layouts,
            encoding: self.encoding,
            engine: &*self.engine,
            pending: &self.pending,
            linked,
            spare: &self.spare,
            fault: RefCell::default(),
        }
    }

    /// The same, for what follows no links.
    pub fn plain_reader(&self) -> Reader<'_> {
        self.reader(&self.nothing)
    }

    /// All fields of the record under a key.
    pub fn load(&self, model: ModelId, key: &[u8]) -> Result<Option<Vec<Value>>, EngineError> {
        let reader = self.plain_reader();
        let (mut bytes, mut row) = (Vec::new(), Vec::new());
        if !reader.get(model, key, &mut bytes)? {
            return Ok(None);
        }
        let all = Fields::all(self.layouts[model].fields.len());
        reader.decode(model, &all, &bytes, &mut row)?;
        Ok(Some(row))
    }

    /// Writes a record in the place of the one that has this key.
    pub fn replace(
        &mut self,
        model: ModelId,
        key: &[u8],
        row: &[Value],
    ) -> Result<(), EngineError> {
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let written = self
            .encoding
            .write(&self.layouts[model], row, &mut bytes)
            .and_then(|()| {
                self.forget(model, key)?;
                self.put(model, key, &bytes)
            });
        self.scratch = bytes;
        written
    }

    /// Takes a record's unique values back, before it is replaced or removed.
    pub fn forget(&mut self, model: ModelId, key: &[u8]) -> Result<(), EngineError> {
        if !self.uniques.guards(model) {
            return Ok(());
        }
        self.watch(model)?;
        let mut bytes = Vec::new();
        if self.plain_reader().get(model, key, &mut bytes)? {
            let values = self.uniques.values(&self.plain_reader(), model, &bytes)?;
            self.uniques.remove(model, &values);
        }
        Ok(())
    }

    /// Writes an encoded record whose old values, if any, were forgotten.
    pub fn put(&mut self, model: ModelId, key: &[u8], bytes: &[u8]) -> Result<(), EngineError> {
        if self.uniques.guards(model) {
            self.watch(model)?;
            let values = self.uniques.values(&self.plain_reader(), model, bytes)?;
            let taken = self.uniques.add(model, values);
            if let Some(taken) = taken.map(|name| format!("{name} is taken")) {
                return Err(self.refuse(model, &taken));
            }
        }
        self.pending.put(model, key, Some(bytes));
        Ok(())
    }

    /// Removes a record.
    pub fn remove(&mut self, model: ModelId, key: &[u8]) -> Result<(), EngineError> {
        self.forget(model, key)?;
        self.pending.put(model, key, None);
        Ok(())
    }

    /// Gathers the unique values of a model by one scan, where that was not done yet.
    fn watch(&mut self, model: ModelId) -> Result<(), EngineError> {
        if self.uniques.is_gathered(model) {
            return Ok(());
        }
        let reader = self.plain_reader();
        let mut gathered = Vec::new();
        reader.scan(model, &mut |_, bytes| {
            gathered.push(self.uniques.values(&reader, model, bytes)?);
            Ok(true)
        })?;
        self.uniques.gather(model, gathered);
        Ok(())
    }

    /// This moment, to roll back to.
    pub fn mark(&self) -> Mark {
        self.pending.mark()
    }

    /// Undoes what was written after a moment.
    pub fn roll_back(&mut self, mark: Mark) {
        self.pending.roll_back(mark);
        self.uniques.scatter();
    }

    /// Undoes everything since the last commit.
    pub fn roll_back_all(&mut self) {
        self.pending.clear();
        self.uniques.scatter();
    }

    /// Hands everything pending to the engine.
    pub fn commit(&mut self) -> Result<(), EngineError> {
        let applied = self.engine.apply(&mut self.pending.writes());
        if applied.is_err() {
            self.uniques.scatter();
        }
        self.pending.clear();
        applied
    }

    /// The engine's own housekeeping.
    pub fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        self.engine.maintain(what)
    }

    /// How records are found, and which values are kept apart.
    pub fn indexes(&self) -> Vec<String> {
        let mut indexes = self.engine.indexes();
        indexes.extend(self.uniques.words(&self.schema));
        indexes
    }

    pub fn close(self) -> Result<(), EngineError> {
        self.engine.close()
    }

    pub fn refuse(&self, model: ModelId, what: &str) -> EngineError {
        let name = self.schema.models.get(model).map_or("?", |m| &m.name);
        EngineError::new(ErrorKind::Constraint, format!("{name}: {what}"))
    }

    /// Refuses a record with a null where none may be. (A back-link is made by
    /// its owner and not looked at.)
    pub fn check_nulls(&self, model: ModelId, row: &[Value]) -> Result<(), EngineError> {
        for (field, value) in self.schema.models[model].fields.iter().zip(row) {
            if value.is_null() && !field.optional && !is_back_link(&field.kind) {
                return Err(self.refuse(model, &format!("{} may not be null", field.name)));
            }
        }
        Ok(())
    }
}

/// Whether a field mirrors the owner's link.
pub fn is_back_link(kind: &crate::plan::FieldKind) -> bool {
    matches!(
        kind,
        crate::plan::FieldKind::ToOne {
            inverse_of: Some(_),
            ..
        }
    )
}
