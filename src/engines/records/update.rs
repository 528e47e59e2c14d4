//! Changing records.

use std::ops::Range;

use super::block::Block;
use super::find::Asking;
use super::store::{Store, is_back_link};
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::Expr;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::workload::eval::{Scope, evaluate};
use crate::workload::source::coerce::coerce;

/// Records as they are to be, encoded.
#[derive(Debug, Default)]
pub struct Changed {
    bytes: Vec<u8>,
    records: Vec<(Range<usize>, Range<usize>)>,
    /// Children whose owner let them go: model, identity, the back-link.
    orphans: Vec<(ModelId, Value, FieldId)>,
}

impl Changed {
    /// Number of records.
    pub fn count(&self) -> u64 {
        self.records.len() as u64
    }
}

impl Store {
    /// What the records selected become. Every new value is computed from the
    /// records before any of them changes.
    pub fn changed(
        &self,
        asking: &Asking<'_>,
        set: &[(FieldId, Expr)],
        block: &mut Block,
    ) -> Result<Changed, EngineError> {
        let model = asking.model();
        let declared = &self.schema.models[model].fields;
        let mut changed = Changed::default();
        let mut new: Vec<Option<Value>> = vec![None; declared.len()];
        asking.find(block, &mut |found| {
            let seen = asking.seen(found, &asking.program.both);
            let scope = Scope::new(&seen, asking.arguments, asking.hooks);
            for (field, expr) in set {
                let value = evaluate(&scope, expr).map_err(|error| asking.told(error))?;
                let value = self.new_value(model, *field, value.into_owned())?;
                if value.is_null()
                    && let Some(orphan) = self.orphan(model, *field, &found.row[*field])
                {
                    changed.orphans.push(orphan);
                }
                new[*field] = Some(value);
            }
            let start = changed.bytes.len();
            changed.bytes.extend(found.key);
            let middle = changed.bytes.len();
            let layout = &self.layouts[model];
            let mut writer = self.encoding.writer(layout, &mut changed.bytes);
            for ((field, old), new) in declared.iter().zip(found.row).zip(&new) {
                let value = new.as_ref().unwrap_or(old);
                if value.is_null() && !field.optional && !is_back_link(&field.kind) {
                    return Err(self.refuse(model, &format!("{} may not be null", field.name)));
                }
                writer.field(value)?;
            }
            writer.finish()?;
            changed
                .records
                .push((start..middle, middle..changed.bytes.len()));
            Ok(true)
        })?;
        Ok(changed)
    }

    /// Writes changed records. Uniqueness holds for the outcome, whatever the
    /// order: all old values go before the first new one comes.
    pub fn change(&mut self, model: ModelId, changed: &Changed) -> Result<(), EngineError> {
        for (key, _) in &changed.records {
            self.forget(model, &changed.bytes[key.clone()])?;
        }
        for (key, value) in &changed.records {
            self.put(
                model,
                &changed.bytes[key.clone()],
                &changed.bytes[value.clone()],
            )?;
        }
        for (target, identity, back) in &changed.orphans {
            let mut key = Vec::new();
            self.layouts[*target].key.write(identity, &mut key);
            if let Some(mut row) = self.load(*target, &key)? {
                row[*back] = Value::Null;
                self.replace(*target, &key, &row)?;
            }
        }
        Ok(())
    }

    /// The child behind an owning to-one link, if it names its owner.
    fn orphan(
        &self,
        model: ModelId,
        field: FieldId,
        old: &Value,
    ) -> Option<(ModelId, Value, FieldId)> {
        let target = self.schema.models[model].fields.get(field)?.kind.target()?;
        let back = self.back_link(model, field)?;
        (!old.is_null()).then(|| (target, old.clone(), back))
    }

    /// The back-link that mirrors a link, in the model linked to.
    pub fn back_link(&self, model: ModelId, field: FieldId) -> Option<FieldId> {
        let target = self.schema.models[model].fields.get(field)?.kind.target()?;
        let fields = &self.schema.models.get(target)?.fields;
        fields.iter().position(|back| {
            matches!(
                back.kind,
                FieldKind::ToOne { target, inverse_of: Some(of), .. }
                    if target == model && of == field
            )
        })
    }

    fn new_value(
        &self,
        model: ModelId,
        field: FieldId,
        value: Value,
    ) -> Result<Value, EngineError> {
        let declared = self.schema.models[model].fields.get(field);
        match (declared.map(|field| &field.kind), value) {
            (Some(FieldKind::Scalar(scalar)), value) => Ok(coerce(value, scalar)?),
            (Some(FieldKind::List(_)), value @ (Value::List(_) | Value::Null)) => Ok(value),
            (
                Some(FieldKind::ToOne {
                    inverse_of: None, ..
                }),
                Value::Null,
            ) => Ok(Value::Null),
            _ => Err(EngineError::new(
                ErrorKind::Unsupported,
                "only scalars can be set, and links only to null",
            )),
        }
    }
}
