//! Entity objects: what an app builds before it inserts, and gets from a query.

use super::adapter::{Adapter, After};
use crate::base::Value;
use crate::engines::EngineError;
use crate::engines::sqlite::error::misuse;
use crate::engines::sqlite::slots::{OwnedBy, Slot, identity, target_id};
use crate::workload::{Content, Record};

/// One object on the heap, its texts and blobs each on their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// One per column.
    pub values: Box<[Value]>,
    /// Objects that its own row points to, by the adapter's `before`.
    pub before: Vec<Vec<Object>>,
    /// Objects that point to its row, by the adapter's `after`.
    pub after: Vec<Vec<Object>>,
}

impl Object {
    /// The object of a record, with those of all that the record owns.
    pub fn build(
        adapters: &[Adapter],
        model: usize,
        record: &Record,
        owner: Option<OwnedBy>,
    ) -> Result<Object, EngineError> {
        let adapter = &adapters[model];
        let id = identity(record.row, adapter.key.map(|key| &record.fields[key]))?;
        let (mut before, mut owned) = (Vec::new(), Vec::new());
        for &(field, target) in &adapter.before {
            let owner = OwnedBy { model, field, id };
            let objects = children(adapters, target, &record.fields[field], owner)?;
            if let Content::Children(records) = &record.fields[field]
                && let Some(first) = records.first()
            {
                let key = adapters[target].key.map(|key| &first.fields[key]);
                owned.push((field, identity(first.row, key)?));
            }
            before.push(objects);
        }
        let values: Result<Box<[Value]>, EngineError> = adapter
            .slots
            .iter()
            .map(|slot| value(slot, record, id, owner, &owned))
            .collect();
        let mut after = Vec::new();
        for (field, what) in &adapter.after {
            let content = &record.fields[*field];
            after.push(match what {
                After::Elements(_) => elements(id, content),
                After::Links { by_key, .. } => links(id, content, *by_key)?,
                After::Children(target) => {
                    let owner = OwnedBy {
                        model,
                        field: *field,
                        id,
                    };
                    children(adapters, *target, content, owner)?
                }
            });
        }
        Ok(Object {
            values: values?,
            before,
            after,
        })
    }

    /// An object without others.
    fn alone(values: Vec<Value>) -> Object {
        Object {
            values: values.into(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }
}

fn children(
    adapters: &[Adapter],
    target: usize,
    content: &Content,
    owner: OwnedBy,
) -> Result<Vec<Object>, EngineError> {
    match content {
        Content::Children(records) => records
            .iter()
            .map(|record| Object::build(adapters, target, record, Some(owner)))
            .collect(),
        _ => Ok(Vec::new()),
    }
}

/// Objects `(owner, position, value)`.
pub fn elements(owner: i64, content: &Content) -> Vec<Object> {
    let Content::Value(Value::List(items)) = content else {
        return Vec::new();
    };
    let object = |(position, item): (usize, &Value)| {
        Object::alone(vec![
            Value::Int(owner),
            Value::Int(position as i64),
            item.clone(),
        ])
    };
    items.iter().enumerate().map(object).collect()
}

/// Objects `(owner, target)`.
pub fn links(owner: i64, content: &Content, by_key: bool) -> Result<Vec<Object>, EngineError> {
    let Content::Links(targets) = content else {
        return Ok(Vec::new());
    };
    targets
        .iter()
        .map(|target| {
            let target = Value::Int(target_id(target, by_key)?);
            Ok(Object::alone(vec![Value::Int(owner), target]))
        })
        .collect()
}

fn value(
    slot: &Slot,
    record: &Record,
    id: i64,
    owner: Option<OwnedBy>,
    owned: &[(usize, i64)],
) -> Result<Value, EngineError> {
    Ok(match slot {
        Slot::Id => Value::Int(id),
        Slot::Scalar(field) => match &record.fields[*field] {
            Content::Value(value) => value.clone(),
            _ => return Err(misuse("a scalar field does not hold a value")),
        },
        Slot::Marker(field) => match &record.fields[*field] {
            Content::Value(Value::List(_)) => Value::Int(1),
            _ => Value::Null,
        },
        Slot::Link { field, by_key } => match &record.fields[*field] {
            Content::Link(Some(target)) => Value::Int(target_id(target, *by_key)?),
            Content::Owner => owner.map_or(Value::Null, |owner| Value::Int(owner.id)),
            Content::Children(_) => {
                let owned = owned.iter().find(|(f, _)| f == field);
                owned.map_or(Value::Null, |(_, id)| Value::Int(*id))
            }
            _ => Value::Null,
        },
        Slot::Owner { model, field } => match owner {
            Some(owner) if (owner.model, owner.field) == (*model, *field) => Value::Int(owner.id),
            _ => Value::Null,
        },
    })
}
