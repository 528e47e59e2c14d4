//! Storing new records.

use super::record::{Kept, Slot};
use super::store::Store;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldKind, ModelId};
use crate::workload::{Content, Record, Target};

impl Store {
    /// Stores a record that must be new, its children first.
    pub fn insert(&mut self, model: ModelId, record: &Record) -> Result<(), EngineError> {
        if self.get(model, record.row).is_some() {
            return Err(self.refuse(model, format!("row {} is there already", record.row)));
        }
        let kept = self.keep(model, record)?;
        self.put(model, record.row, Some(kept))
    }

    /// Stores a record by key: in the place of the one that has it, or new.
    pub fn upsert(&mut self, model: ModelId, record: &Record) -> Result<(), EngineError> {
        let key = self.schema.models.get(model).and_then(|model| model.key);
        let Some(Content::Value(key)) = key.and_then(|key| record.fields.get(key)) else {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                "an upsert needs a key",
            ));
        };
        let row = self.by_key(model, key).unwrap_or(record.row);
        let kept = self.keep(model, record)?;
        self.put(model, row, Some(kept))
    }

    fn keep(&mut self, model: ModelId, record: &Record) -> Result<Kept, EngineError> {
        let fields = self.schema.models.get(model).map_or(0, |m| m.fields.len());
        if fields != record.fields.len() {
            return Err(self.refuse(model, "a record of another shape".into()));
        }
        let slots = record.fields.iter().enumerate();
        let kept = slots
            .map(|(field, content)| self.slot(model, field, content))
            .collect::<Result<Kept, EngineError>>()?;
        self.check_nulls(model, &kept)?;
        Ok(kept)
    }

    fn slot(
        &mut self,
        model: ModelId,
        field: usize,
        content: &Content,
    ) -> Result<Slot, EngineError> {
        let kind = self.schema.models[model].fields[field].kind.clone();
        match (content, kind) {
            (Content::Value(value), FieldKind::Scalar(_) | FieldKind::List(_)) => {
                Ok(Slot::Value(value.clone()))
            }
            (Content::Link(link), FieldKind::ToOne { target, .. }) => Ok(Slot::One(
                link.as_ref()
                    .map(|link| self.stored(target, link))
                    .transpose()?,
            )),
            (Content::Links(links), FieldKind::ToMany { target, .. }) => links
                .iter()
                .map(|link| self.stored(target, link))
                .collect::<Result<_, _>>()
                .map(Slot::Many),
            (Content::Children(children), FieldKind::ToMany { target, .. }) => {
                self.children(target, children).map(Slot::Many)
            }
            (Content::Children(children), FieldKind::ToOne { target, .. }) => {
                let rows = self.children(target, children)?;
                Ok(Slot::One(rows.first().copied()))
            }
            (
                Content::Owner,
                FieldKind::ToOne {
                    inverse_of: Some(_),
                    ..
                },
            ) => Ok(Slot::Back),
            _ => Err(self.refuse(model, format!("field {field} of another kind"))),
        }
    }

    fn children(&mut self, target: ModelId, children: &[Record]) -> Result<Vec<u64>, EngineError> {
        for child in children {
            self.insert(target, child)?;
        }
        Ok(children.iter().map(|child| child.row).collect())
    }

    /// The row of a target, which must be stored already.
    fn stored(&self, model: ModelId, target: &Target) -> Result<u64, EngineError> {
        match self.get(model, target.row) {
            Some(_) => Ok(target.row),
            None => Err(self.refuse(model, format!("there is no row {} to link to", target.row))),
        }
    }

    /// Refuses a record with a null where none may be. (A back-link is made by
    /// its owner and not looked at.)
    pub fn check_nulls(&self, model: ModelId, kept: &Kept) -> Result<(), EngineError> {
        let declared = &self.schema.models[model].fields;
        for (field, slot) in declared.iter().zip(kept) {
            let null = matches!(slot, Slot::Value(Value::Null) | Slot::One(None));
            if null && !field.optional {
                return Err(self.refuse(model, format!("{} may not be null", field.name)));
            }
        }
        Ok(())
    }

    pub(super) fn refuse(&self, model: ModelId, what: String) -> EngineError {
        let name = self.schema.models.get(model).map_or("?", |m| &m.name);
        EngineError::new(ErrorKind::Constraint, format!("{name}: {what}"))
    }
}
