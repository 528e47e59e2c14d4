//! Storing new records.

use std::borrow::Cow;

use super::encoding::Writer;
use super::key::KeyForm;
use super::store::{Store, is_back_link};
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldKind, ModelId};
use crate::workload::{Content, Record, Target};

impl Store {
    /// Stores a record that must be new, its children first. `owner` is the
    /// identity of the record that owns it.
    pub fn insert(
        &mut self,
        model: ModelId,
        record: &Record,
        owner: &Value,
    ) -> Result<(), EngineError> {
        let identity = self.identity(model, record)?;
        let key = self.key(model, &identity)?;
        if self.plain_reader().contains(model, &key)? {
            return Err(self.refuse(model, "a record of this key is there already"));
        }
        self.store(model, &key, &identity, record, owner)
    }

    /// Stores a record by key: in the place of the one that has it, or new.
    pub fn upsert(&mut self, model: ModelId, record: &Record) -> Result<(), EngineError> {
        if self.layouts.get(model).map(|layout| &layout.key) == Some(&KeyForm::Row) {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                "an upsert needs a key",
            ));
        }
        let identity = self.identity(model, record)?;
        let key = self.key(model, &identity)?;
        let owner = self.owner(model, &key)?;
        self.forget(model, &key)?;
        self.store(model, &key, &identity, record, &owner)
    }

    /// The owner that a stored record names; null where it has none.
    fn owner(&self, model: ModelId, key: &[u8]) -> Result<Value, EngineError> {
        let fields = &self.schema.models[model].fields;
        let Some(back) = fields.iter().position(|field| is_back_link(&field.kind)) else {
            return Ok(Value::Null);
        };
        let old = self.load(model, key)?;
        Ok(old.map_or(Value::Null, |mut row| row.swap_remove(back)))
    }

    fn store(
        &mut self,
        model: ModelId,
        key: &[u8],
        identity: &Value,
        record: &Record,
        owner: &Value,
    ) -> Result<(), EngineError> {
        for (field, content) in record.fields.iter().enumerate() {
            if let (Content::Children(children), Some(target)) = (
                content,
                self.schema.models[model].fields[field].kind.target(),
            ) {
                for child in children {
                    self.insert(target, child, identity)?;
                }
            }
        }
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        let written = self
            .encode(model, record, owner, &mut bytes)
            .and_then(|()| self.put(model, key, &bytes));
        self.scratch = bytes;
        written
    }

    fn encode(
        &self,
        model: ModelId,
        record: &Record,
        owner: &Value,
        bytes: &mut Vec<u8>,
    ) -> Result<(), EngineError> {
        let mut writer = self.encoding.writer(&self.layouts[model], bytes);
        let fields = self.schema.models[model].fields.iter();
        for (field, content) in fields.zip(&record.fields) {
            let null = self.field(model, &field.kind, content, owner, &mut writer)?;
            if null && !field.optional {
                return Err(self.refuse(model, &format!("{} may not be null", field.name)));
            }
        }
        writer.finish()
    }

    /// Writes one field; whether it is a null that its declaration may forbid.
    fn field(
        &self,
        model: ModelId,
        kind: &FieldKind,
        content: &Content,
        owner: &Value,
        writer: &mut Writer<'_>,
    ) -> Result<bool, EngineError> {
        match (content, kind) {
            (Content::Value(value), FieldKind::Scalar(_) | FieldKind::List(_)) => {
                writer.field(value)?;
                return Ok(value.is_null());
            }
            (Content::Link(link), FieldKind::ToOne { target, .. }) => {
                let Some(link) = link else {
                    writer.field(&Value::Null)?;
                    return Ok(true);
                };
                writer.field(&*self.stored(*target, link)?)?;
            }
            (Content::Links(links), FieldKind::ToMany { target, .. }) => {
                let identities = links.iter().map(|link| self.stored(*target, link));
                let identities: Vec<_> = identities.collect::<Result<_, _>>()?;
                writer.list(&mut identities.iter().map(|one| &**one))?;
            }
            (Content::Children(children), FieldKind::ToMany { target, .. }) => {
                let identities = children.iter().map(|child| self.identity(*target, child));
                let identities: Vec<_> = identities.collect::<Result<_, _>>()?;
                writer.list(&mut identities.iter().map(|one| &**one))?;
            }
            (Content::Children(children), FieldKind::ToOne { target, .. }) => {
                let Some(child) = children.first() else {
                    writer.field(&Value::Null)?;
                    return Ok(true);
                };
                writer.field(&*self.identity(*target, child)?)?;
            }
            (Content::Owner, kind) if is_back_link(kind) => writer.field(owner)?,
            _ => return Err(self.refuse(model, "a field of another kind")),
        }
        Ok(false)
    }

    /// What names a record: the value of its key, or its row.
    fn identity<'r>(
        &self,
        model: ModelId,
        record: &'r Record,
    ) -> Result<Cow<'r, Value>, EngineError> {
        let declared = self.schema.models.get(model);
        if declared.map(|model| model.fields.len()) != Some(record.fields.len()) {
            return Err(self.refuse(model, "a record of another shape"));
        }
        match &self.layouts[model].key {
            KeyForm::Row => Ok(Cow::Owned(row(record.row))),
            KeyForm::Field(field, _) => match record.fields.get(*field) {
                Some(Content::Value(value)) if !value.is_null() => Ok(Cow::Borrowed(value)),
                _ => Err(self.refuse(model, "a record without its key")),
            },
        }
    }

    fn key(&self, model: ModelId, identity: &Value) -> Result<Vec<u8>, EngineError> {
        let mut key = Vec::new();
        if self.layouts[model].key.write(identity, &mut key) {
            return Ok(key);
        }
        Err(self.refuse(model, "a key of another type"))
    }

    /// The identity of a target, which must be stored already.
    fn stored<'t>(
        &self,
        model: ModelId,
        target: &'t Target,
    ) -> Result<Cow<'t, Value>, EngineError> {
        let identity = match (&self.layouts[model].key, &target.key) {
            (KeyForm::Row, _) => Cow::Owned(row(target.row)),
            (KeyForm::Field(..), Some(key)) => Cow::Borrowed(key),
            (KeyForm::Field(..), None) => {
                return Err(self.refuse(model, "a link without the key of its target"));
            }
        };
        let key = self.key(model, &identity)?;
        if self.plain_reader().contains(model, &key)? {
            return Ok(identity);
        }
        Err(self.refuse(model, &format!("there is no row {} to link to", target.row)))
    }
}

fn row(row: u64) -> Value {
    Value::Int(row as i64)
}
