//! Handing objects to a sink: exactly the asked properties are touched.

use std::borrow::Cow;
use std::rc::Rc;

use super::context::Context;
use super::entity::{Entities, SlotId};
use super::object::Object;
use super::seen::Seen;
use crate::base::{Value, ValueRef};
use crate::engines::EngineError;
use crate::engines::sqlite::decode::recycle;
use crate::plan::schema::ModelId;
use crate::plan::{Column, Path};
use crate::workload::Sink;
use crate::workload::eval::EvalError;
use crate::workload::sinks::deliver;

/// The columns of a read.
pub struct Delivery {
    columns: Vec<Asked>,
    /// Whether every value is an attribute or to-one of the object itself.
    own: bool,
    room: Vec<ValueRef<'static>>,
}

enum Asked {
    Identity,
    Own(SlotId),
    Path(Path),
}

impl Delivery {
    /// For these columns of a model.
    pub fn new(entities: &Entities, model: ModelId, columns: &[Column]) -> Delivery {
        let slots = &entities.all[model].slots;
        let asked = |column: &Column| match column {
            Column::Identity => Asked::Identity,
            Column::Path(path) => match (path.hops.as_slice(), path.json.as_slice()) {
                ([slot], []) if slots.get(*slot).is_some_and(|s| s.ty().is_some()) => {
                    Asked::Own(*slot)
                }
                _ => Asked::Path(path.clone()),
            },
        };
        let columns: Vec<Asked> = columns.iter().map(asked).collect();
        Delivery {
            own: columns.iter().all(|c| !matches!(c, Asked::Path(_))),
            columns,
            room: Vec::new(),
        }
    }

    /// Prefetches the relationships that the columns lead over.
    pub fn prefetch(&self, context: &Context, objects: &[Rc<Object>]) -> Result<(), EngineError> {
        for column in &self.columns {
            let Asked::Path(path) = column else { continue };
            let mut at = objects.to_vec();
            for hop in &path.hops {
                let Some(model) = at.first().map(|object| object.entity) else {
                    break;
                };
                if context.entity(model).slots[*hop].target().is_none() {
                    break;
                }
                at = context.prefetch(&at, *hop)?;
            }
        }
        Ok(())
    }

    /// Delivers one object.
    pub fn row(
        &mut self,
        context: &Context,
        object: &Rc<Object>,
        sink: &mut dyn Sink,
    ) -> Result<(), EngineError> {
        if self.own {
            return self.own_row(context, object, sink);
        }
        let values = self.paths(context, object);
        let values = context.evaluated(values)?;
        let values: Vec<Cow<'_, Value>> = values.into_iter().map(Cow::Owned).collect();
        deliver(sink, &values);
        Ok(())
    }

    fn own_row(
        &mut self,
        context: &Context,
        object: &Rc<Object>,
        sink: &mut dyn Sink,
    ) -> Result<(), EngineError> {
        let reads = self.columns.iter().any(|c| matches!(c, Asked::Own(_)));
        let values = match reads {
            true => context.values(object)?,
            false => Rc::default(),
        };
        let mut row = recycle(std::mem::take(&mut self.room));
        for column in &self.columns {
            row.push(match column {
                Asked::Own(slot) => {
                    context.accessed(object, *slot);
                    values.get(*slot).map_or(ValueRef::Null, Value::scalar_ref)
                }
                _ => ValueRef::Int(object.id.get()),
            });
        }
        sink.row(&row);
        self.room = recycle(row);
        Ok(())
    }

    fn paths(&self, context: &Context, object: &Rc<Object>) -> Result<Vec<Value>, EvalError> {
        let seen = Seen::of(context, Rc::clone(object))?;
        self.columns
            .iter()
            .map(|column| match column {
                Asked::Identity => Ok(Value::Int(object.id.get())),
                Asked::Own(slot) => seen.follow(&[*slot], &[]),
                Asked::Path(path) => seen.follow(&path.hops, &path.json),
            })
            .collect()
    }
}
