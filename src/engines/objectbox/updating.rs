//! Updates: read, change, put.

use std::ops::Range;

use super::api::{PutMode, Txn, constraint, misuse, unsupported};
use super::finder::{Finder, Ground};
use super::layout::{Entity, Place};
use super::record::{Cell, Encoder};
use super::selection::Selection;
use super::uniques;
use super::view::Seen;
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::plan::{Expr, Select};
use crate::workload::eval::{Scope, evaluate};
use crate::workload::source::coerce::coerce;

/// An update.
pub struct Updating {
    finder: Finder,
    model: ModelId,
    set: Vec<(FieldId, Expr)>,
}

/// Objects on their way back, all in one piece of memory.
#[derive(Default)]
struct Changed {
    bytes: Vec<u8>,
    objects: Vec<(u64, Range<usize>)>,
}

impl Changed {
    fn push(&mut self, id: u64, object: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(object);
        self.objects.push((id, start..self.bytes.len()));
    }

    fn iter(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let bytes = &self.bytes;
        self.objects
            .iter()
            .map(move |(id, range)| (*id, &bytes[range.clone()]))
    }

    fn put(&self, txn: &mut Txn, model: ModelId) -> Result<(), EngineError> {
        for (id, object) in self.iter() {
            txn.put(model, id, object, PutMode::Update)?;
        }
        Ok(())
    }
}

impl Updating {
    /// Prepares it.
    pub fn new(
        ground: &Ground<'_>,
        model: ModelId,
        select: &Select,
        set: &[(FieldId, Expr)],
    ) -> Result<Updating, EngineError> {
        let selection = Selection::of(ground.setup, model, select, &[]);
        Ok(Updating {
            finder: Finder::new(ground, selection)?,
            model,
            set: set.to_vec(),
        })
    }

    /// Changes the records. Every new value is computed before any of them is
    /// put; what breaks a rule changes nothing.
    pub fn run(
        &self,
        ground: &Ground<'_>,
        txn: &mut Txn,
        encoder: &mut Encoder,
        arguments: &[Value],
    ) -> Result<u64, EngineError> {
        let entity = &ground.setup.layout.entities[self.model];
        let fields = self.set.iter().map(|(field, _)| *field);
        let touched = uniques::touched(entity, fields);
        let (mut new, mut old) = (Changed::default(), Changed::default());
        let finder = self.finder.with(ground, arguments)?;
        finder.each(ground, txn, arguments, |seen| {
            let values = self.values(ground, &seen, arguments)?;
            let cells = self.cells(entity, &seen, &values)?;
            new.push(seen.id(), encoder.encode(&cells)?);
            if !touched.is_empty() {
                let cells: Vec<Cell<'_>> = entity
                    .properties
                    .iter()
                    .map(|property| Cell::stored(property, &seen.row))
                    .collect();
                old.push(seen.id(), encoder.encode(&cells)?);
            }
            Ok(true)
        })?;
        if touched.is_empty() {
            new.put(txn, self.model)?;
        } else {
            let changing = Changing {
                ground,
                model: self.model,
                touched: &touched,
            };
            changing.put(txn, encoder, &new, &old)?;
        }
        Ok(new.objects.len() as u64)
    }

    /// The new values of a record.
    fn values(
        &self,
        ground: &Ground<'_>,
        seen: &Seen<'_>,
        arguments: &[Value],
    ) -> Result<Vec<Value>, EngineError> {
        let scope = Scope::new(seen, arguments, ground.hooks);
        let model = &ground.setup.schema.models[self.model];
        let mut values = Vec::with_capacity(self.set.len());
        for (field, expr) in &self.set {
            let value = evaluate(&scope, expr)?.into_owned();
            let declared = model.fields.get(*field);
            let declared = declared.ok_or_else(|| misuse("no such field"))?;
            let value = fitting(&declared.kind, value)?;
            if value.is_null() && !declared.optional {
                let name = &declared.name;
                return Err(constraint(format!(
                    "{}: {name} may not be null",
                    model.name
                )));
            }
            values.push(value);
        }
        Ok(values)
    }

    /// The object with the new values in it.
    fn cells<'a>(
        &self,
        entity: &'a Entity,
        seen: &Seen<'a>,
        values: &'a [Value],
    ) -> Result<Vec<Cell<'a>>, EngineError> {
        let mut cells: Vec<Cell<'a>> = entity
            .properties
            .iter()
            .map(|property| Cell::stored(property, &seen.row))
            .collect();
        for ((field, _), value) in self.set.iter().zip(values) {
            match entity.places.get(*field) {
                Some(Place::Property(at)) => {
                    cells[*at] = Cell::of(&entity.properties[*at], value)?;
                }
                _ => return Err(unsupported("a key is never changed")),
            }
        }
        Ok(cells)
    }
}

/// A new value as its field takes it.
fn fitting(kind: &FieldKind, value: Value) -> Result<Value, EngineError> {
    match (kind, value) {
        (FieldKind::Scalar(scalar), value) => Ok(coerce(value, scalar)?),
        (FieldKind::List(_), value @ (Value::List(_) | Value::Null)) => Ok(value),
        (
            FieldKind::ToOne {
                inverse_of: None, ..
            },
            Value::Null,
        ) => Ok(Value::Null),
        _ => Err(unsupported(
            "only scalars can be set, and links only to null",
        )),
    }
}

/// Puts objects whose unique values change. First all of them without: so no
/// one meets an old value of another, and the outcome alone counts.
struct Changing<'a> {
    ground: &'a Ground<'a>,
    model: ModelId,
    touched: &'a [usize],
}

impl Changing<'_> {
    fn put(
        &self,
        txn: &mut Txn,
        encoder: &mut Encoder,
        new: &Changed,
        old: &Changed,
    ) -> Result<(), EngineError> {
        self.put_without(txn, encoder, old)?;
        let outcome = self.put_checked(txn, new);
        if outcome.is_err() {
            self.put_without(txn, encoder, old)?;
            old.put(txn, self.model)?;
        }
        outcome
    }

    fn put_without(
        &self,
        txn: &mut Txn,
        encoder: &mut Encoder,
        objects: &Changed,
    ) -> Result<(), EngineError> {
        let entity = &self.ground.setup.layout.entities[self.model];
        for (id, object) in objects.iter() {
            let row = super::record::Row::new(object)?;
            let properties = entity.properties.iter().enumerate();
            let cells: Vec<Cell<'_>> = properties
                .map(|(at, property)| {
                    if self.touched.contains(&at) {
                        Cell::Absent
                    } else {
                        Cell::stored(property, &row)
                    }
                })
                .collect();
            txn.put(self.model, id, encoder.encode(&cells)?, PutMode::Update)?;
        }
        Ok(())
    }

    fn put_checked(&self, txn: &mut Txn, new: &Changed) -> Result<(), EngineError> {
        for (id, object) in new.iter() {
            uniques::check(self.ground, txn, self.model, id, object)?;
            txn.put(self.model, id, object, PutMode::Update)?;
        }
        Ok(())
    }
}
