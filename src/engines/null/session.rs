//! The session that does nothing.

use super::delivery::Delivery;
use super::rows;
use crate::base::{Value, ValueRef};
use crate::engines::{EngineError, Maintenance, Prepared, Session};
use crate::plan::schema::{ModelId, Schema};
use crate::plan::{Request, Select};
use crate::workload::{Record, Sink};

/// An open session.
pub struct NullSession {
    schema: Schema,
    delivery: Delivery,
    prepared: Vec<Planned>,
}

/// What a prepared request does.
enum Planned {
    /// Delivers these rows in turn.
    Rows(Vec<Vec<Value>>),
    /// Delivers one value.
    Value,
    /// Delivers nothing, returns how many.
    Count,
    /// A change of one record by its identity.
    One,
    Released,
}

impl NullSession {
    pub fn new(schema: Schema, delivery: Delivery) -> Self {
        NullSession {
            schema,
            delivery,
            prepared: Vec::new(),
        }
    }
}

impl Session for NullSession {
    fn begin(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn insert(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Ok(())
    }

    fn upsert(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Ok(())
    }

    fn instantiate(&mut self, _: ModelId, _: &[Record]) -> Result<(), EngineError> {
        Ok(())
    }

    fn insert_instantiated(&mut self, _: ModelId, _: u64) -> Result<(), EngineError> {
        Ok(())
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        self.prepared.push(match request {
            Request::Read(query) => Planned::Rows(rows::built(&self.schema, query)),
            Request::CountPer { model, per, .. } => {
                Planned::Rows(rows::groups(&self.schema, *model, per))
            }
            Request::Aggregate { .. } => Planned::Value,
            Request::Update {
                select: Select::Identity,
                ..
            }
            | Request::Delete {
                select: Select::Identity,
                ..
            } => Planned::One,
            Request::Count { .. } | Request::Update { .. } | Request::Delete { .. } => {
                Planned::Count
            }
        });
        Ok(Prepared(self.prepared.len() - 1))
    }

    fn execute(
        &mut self,
        prepared: Prepared,
        _: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        Ok(match self.prepared.get(prepared.0) {
            Some(Planned::Rows(rows)) => {
                let count = self.delivery.next();
                if count > 0 {
                    deliver(rows, count, sink);
                }
                count
            }
            Some(Planned::Value) => {
                let count = self.delivery.next();
                sink.row(&[ValueRef::Int(0)]);
                count
            }
            Some(Planned::Count) => self.delivery.next(),
            Some(Planned::One) => 1,
            Some(Planned::Released) | None => 0,
        })
    }

    fn release(&mut self, prepared: Prepared) {
        if let Some(planned) = self.prepared.get_mut(prepared.0) {
            *planned = Planned::Released;
        }
    }

    fn maintain(&mut self, _: Maintenance) -> Result<(), EngineError> {
        Ok(())
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        Ok(Vec::new())
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Delivers `count` rows of the buffer in turn. The borrowed forms are made
/// once, not per delivery.
fn deliver(rows: &[Vec<Value>], count: u64, sink: &mut dyn Sink) {
    let used = usize::try_from(count).map_or(rows.len(), |count| count.min(rows.len()));
    let lists: Vec<Vec<Vec<ValueRef<'_>>>> = rows[..used]
        .iter()
        .map(|row| {
            row.iter()
                .map(|value| match value {
                    Value::List(items) => items.iter().map(Value::scalar_ref).collect(),
                    _ => Vec::new(),
                })
                .collect()
        })
        .collect();
    let refs: Vec<Vec<ValueRef<'_>>> = rows[..used]
        .iter()
        .zip(&lists)
        .map(|(row, lists)| {
            row.iter()
                .zip(lists)
                .map(|(value, list)| match value {
                    Value::List(_) => ValueRef::List(list),
                    scalar => scalar.scalar_ref(),
                })
                .collect()
        })
        .collect();
    let mut left = count;
    while left > 0 {
        for row in &refs {
            if left == 0 {
                break;
            }
            sink.row(row);
            left -= 1;
        }
    }
}
