//! Changing objects: fetch, set, and let the save write what differs.

use std::rc::Rc;

use super::context::Context;
use super::entity::SlotKind;
use super::object::Object;
use super::seen::Seen;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::Expr;
use crate::plan::schema::FieldId;
use crate::workload::eval::{EvalError, Scope, evaluate};
use crate::workload::source::coerce::coerce;

impl Context {
    /// Sets properties of these objects. All new values are computed before
    /// the first is set, and refused before any is.
    pub fn change(
        &self,
        objects: &[Rc<Object>],
        set: &[(FieldId, Expr)],
        arguments: &[Value],
    ) -> Result<(), EngineError> {
        let mut computed = Vec::with_capacity(objects.len());
        for object in objects {
            let outcome = self.new_values(object, set, arguments);
            let values = self.evaluated(outcome)?;
            for ((field, _), value) in set.iter().zip(&values) {
                self.settable(object, *field, value)?;
            }
            computed.push(values);
        }
        for (object, values) in objects.iter().zip(computed) {
            self.changing(object);
            for ((field, _), value) in set.iter().zip(values) {
                self.mutated(object, *field);
                object.set(*field, value);
            }
        }
        Ok(())
    }

    fn new_values(
        &self,
        object: &Rc<Object>,
        set: &[(FieldId, Expr)],
        arguments: &[Value],
    ) -> Result<Vec<Value>, EvalError> {
        let seen = Seen::of(self, Rc::clone(object))?;
        let scope = Scope::new(&seen, arguments, &*self.hooks);
        set.iter()
            .map(|(field, expr)| {
                let value = evaluate(&scope, expr)?.into_owned();
                match self
                    .entity(object.entity)
                    .slots
                    .get(*field)
                    .map(|s| &s.kind)
                {
                    Some(SlotKind::Attribute(scalar)) => coerce(value, scalar),
                    _ => Ok(value),
                }
            })
            .collect()
    }

    fn settable(&self, object: &Object, field: FieldId, value: &Value) -> Result<(), EngineError> {
        let slot = self.entity(object.entity).slots.get(field);
        let fits = match (slot.map(|slot| &slot.kind), value) {
            (Some(SlotKind::Attribute(_)), Value::List(_)) => false,
            (Some(SlotKind::Attribute(_)), _) => true,
            (Some(SlotKind::Transformable), Value::List(_) | Value::Null) => true,
            (Some(SlotKind::ToOne { back, .. }), Value::Null) => !back,
            _ => false,
        };
        if !fits {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                "only attributes can be set, and to-one relationships only to null",
            ));
        }
        match slot {
            Some(slot) if value.is_null() && !slot.optional => {
                let column = slot.column.as_deref().unwrap_or_default();
                Err(self.refuse(object.entity, &format!("{column} may not be null")))
            }
            _ => Ok(()),
        }
    }
}
