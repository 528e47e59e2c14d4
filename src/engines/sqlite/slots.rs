//! A record's fields as the parameters of its INSERT.

use super::decode::bind;
use super::error::{misuse, unsupported};
use super::inserting::Source;
use super::statement::{Execution, Statement};
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::workload::{Content, Record, Target};

/// What a parameter of a record's own statement is.
pub enum Slot {
    /// Its identity.
    Id,
    /// A scalar field.
    Scalar(FieldId),
    /// 1 where there is a list, else null.
    Marker(FieldId),
    /// A to-one link, or the back-link to the owner.
    Link {
        /// The field.
        field: FieldId,
        /// Whether the target's identity is its int key.
        by_key: bool,
    },
    /// The link of a child to an owner that it has no field for.
    Owner {
        /// The owner's model.
        model: ModelId,
        /// Its to-many field.
        field: FieldId,
    },
}

/// The record that a child is stored with.
#[derive(Clone, Copy)]
pub struct OwnedBy {
    /// Its model.
    pub model: ModelId,
    /// Its field that owns the child.
    pub field: FieldId,
    /// Its identity.
    pub id: i64,
}

/// Binds one slot.
#[inline]
pub fn bind_slot<'v>(
    row: &mut Execution<'_, 'v>,
    slot: &Slot,
    record: &'v Record,
    id: i64,
    owner: Option<OwnedBy>,
    owned: &[(FieldId, i64)],
) -> Result<(), EngineError> {
    match slot {
        Slot::Id => row.int(id),
        Slot::Scalar(field) => match &record.fields[*field] {
            Content::Value(value) => bind(row, value),
            _ => Err(misuse("a scalar field does not hold a value")),
        },
        Slot::Marker(field) => match &record.fields[*field] {
            Content::Value(Value::List(_)) => row.int(1),
            _ => row.null(),
        },
        Slot::Link { field, by_key } => match &record.fields[*field] {
            Content::Link(Some(target)) => row.int(target_id(target, *by_key)?),
            Content::Owner => match owner {
                Some(owner) => row.int(owner.id),
                None => row.null(),
            },
            Content::Children(_) => match owned.iter().find(|(f, _)| f == field) {
                Some((_, id)) => row.int(*id),
                None => row.null(),
            },
            _ => row.null(),
        },
        Slot::Owner { model, field } => match owner {
            Some(owner) if (owner.model, owner.field) == (*model, *field) => row.int(owner.id),
            _ => row.null(),
        },
    }
}

/// The elements of a list.
pub fn elements(statement: &mut Statement, owner: i64, items: &[Value]) -> Result<(), EngineError> {
    for (position, item) in items.iter().enumerate() {
        let mut row = statement.execution();
        row.int(owner)?;
        row.int(position as i64)?;
        bind(&mut row, item)?;
        row.run()?;
    }
    Ok(())
}

/// The entries of a link table.
pub fn links(
    statement: &mut Statement,
    owner: i64,
    targets: &[Target],
    by_key: bool,
) -> Result<(), EngineError> {
    for target in targets {
        let mut row = statement.execution();
        row.int(owner)?;
        row.int(target_id(target, by_key)?)?;
        row.run()?;
    }
    Ok(())
}

/// The identity that a link holds: its target's int key, or row + 1.
pub fn target_id(target: &Target, by_key: bool) -> Result<i64, EngineError> {
    match (&target.key, by_key) {
        (Some(Value::Int(key)), true) => Ok(*key),
        (_, true) => Err(misuse("a link does not hold its target's key")),
        (_, false) => surrogate(target.row),
    }
}

/// The identity of a record: its int key, or its row + 1.
pub fn identity(row: u64, key: Option<&Content>) -> Result<i64, EngineError> {
    match key {
        Some(Content::Value(Value::Int(key))) => Ok(*key),
        Some(_) => Err(EngineError::new(ErrorKind::Constraint, "a key is null")),
        None => surrogate(row),
    }
}

fn surrogate(row: u64) -> Result<i64, EngineError> {
    i64::try_from(row)
        .ok()
        .and_then(|row| row.checked_add(1))
        .ok_or_else(|| unsupported("row numbers above 2^63 have no identity"))
}

/// The key field of a model, where it is the identity.
pub fn id_key(source: Source<'_>, model: ModelId) -> Option<FieldId> {
    let key = source.schema.models[model].key?;
    (!source.layout.tables[model].surrogate).then_some(key)
}

/// Whether a field is a to-one link to an object that the record owns.
pub fn owned_one(schema: &Schema, model: ModelId, field: FieldId) -> bool {
    use crate::plan::{FieldKind, Ownership};
    matches!(
        schema.models[model].fields[field].kind,
        FieldKind::ToOne {
            ownership: Ownership::Owned { .. },
            inverse_of: None,
            ..
        }
    )
}
