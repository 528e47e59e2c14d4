//! Changing records.

use super::record::Slot;
use super::store::Store;
use super::view::Seen;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::Expr;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::workload::HookRunner;
use crate::workload::eval::{Scope, evaluate};
use crate::workload::source::coerce::coerce;

impl Store {
    /// Sets fields of these rows. Every new value is computed from the records
    /// before any of them changes; uniqueness holds for the outcome, whatever
    /// the order.
    pub fn update(
        &mut self,
        model: ModelId,
        rows: &[u64],
        set: &[(FieldId, Expr)],
        arguments: &[Value],
        hooks: &dyn HookRunner,
    ) -> Result<(), EngineError> {
        let mut changed = Vec::with_capacity(rows.len());
        for &row in rows {
            let Some(seen) = Seen::of(self, model, row) else {
                continue;
            };
            let scope = Scope::new(&seen, arguments, hooks);
            let mut kept = seen.kept.clone();
            for (field, expr) in set {
                let value = evaluate(&scope, expr)?.into_owned();
                let slot = self.new_slot(model, *field, value)?;
                match kept.get_mut(*field) {
                    Some(old) => *old = slot,
                    None => return Err(self.refuse(model, "no such field".into())),
                }
            }
            self.check_nulls(model, &kept)?;
            changed.push((row, kept));
        }
        // All away, then all back: no record meets an old value of another.
        for (row, _) in &changed {
            self.put(model, *row, None)?;
        }
        for (row, kept) in changed {
            self.put(model, row, Some(kept))?;
        }
        Ok(())
    }

    fn new_slot(&self, model: ModelId, field: FieldId, value: Value) -> Result<Slot, EngineError> {
        let declared = &self.schema.models[model].fields.get(field);
        match (declared.map(|field| &field.kind), value) {
            (Some(FieldKind::Scalar(scalar)), value) => Ok(Slot::Value(coerce(value, scalar)?)),
            (Some(FieldKind::List(_)), value @ (Value::List(_) | Value::Null)) => {
                Ok(Slot::Value(value))
            }
            (
                Some(FieldKind::ToOne {
                    inverse_of: None, ..
                }),
                Value::Null,
            ) => Ok(Slot::One(None)),
            _ => Err(EngineError::new(
                ErrorKind::Unsupported,
                "only scalars can be set, and links only to null",
            )),
        }
    }
}
