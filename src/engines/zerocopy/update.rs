//! Changing fields of stored records.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::block::Cell;
use super::changes::{Changes, new_key, touches};
use super::error::{Result, refused};
use super::layout::FieldLayout;
use super::reader::Reader;
use super::row::Row;
use crate::base::Value;
use crate::engines::{EngineError, ErrorKind};
use crate::plan::Expr;
use crate::plan::schema::{FieldId, FieldKind, ModelId};
use crate::workload::HookRunner;
use crate::workload::eval::{Scope, evaluate};
use crate::workload::source::coerce::coerce;

/// What an update does, computed from the records before any of them changes.
/// Uniqueness holds for the outcome, whatever the order.
pub fn update(
    reader: &Reader<'_>,
    model: ModelId,
    rows: &[u64],
    set: &[(FieldId, Expr)],
    arguments: &[Value],
    hooks: &dyn HookRunner,
) -> Result<Changes> {
    let mut changes = Changes::default();
    let mut uniques = Uniques::default();
    let changed: BTreeSet<u64> = rows.iter().copied().collect();
    for &number in &changed {
        let Some(row) = reader.row(model, number)? else {
            continue;
        };
        let scope = Scope::new(&row, arguments, hooks);
        let mut cells = Vec::with_capacity(set.len());
        for (field, expr) in set {
            let value = evaluate(&scope, expr)
                .map_err(|error| reader.fault.told(error))?
                .into_owned();
            cells.push(cell(&row, *field, value, &mut changes)?);
        }
        uniques.check(reader, &row, &cells, &changed)?;
        changes.change(&row, cells)?;
    }
    Ok(changes)
}

/// The new content of a field's column.
fn cell(
    row: &Row<'_>,
    field: FieldId,
    value: Value,
    changes: &mut Changes,
) -> Result<(usize, Cell)> {
    let (reader, model) = (row.reader, row.model);
    let declared = reader.catalog.declared(model);
    let unsupported = || {
        EngineError::new(
            ErrorKind::Unsupported,
            "only scalars can be set, and links only to null",
        )
    };
    let (Some(own), Some(layout)) = (
        declared.fields.get(field),
        reader.catalog.kept(model).fields.get(field),
    ) else {
        return Err(refused(&declared.name, "no such field"));
    };
    if value.is_null() && !own.optional && !matches!(layout, FieldLayout::Back { .. }) {
        return Err(refused(
            &declared.name,
            format!("{} may not be null", own.name),
        ));
    }
    match (&own.kind, layout, value) {
        (FieldKind::Scalar(scalar), FieldLayout::Column(column), value) => {
            let value = coerce(value, scalar).map_err(|error| reader.fault.told(error))?;
            if value.is_null() && !own.optional {
                return Err(refused(
                    &declared.name,
                    format!("{} may not be null", own.name),
                ));
            }
            Ok((*column, Cell::Value(value)))
        }
        (
            FieldKind::List(_),
            FieldLayout::Column(column),
            value @ (Value::List(_) | Value::Null),
        ) => Ok((*column, Cell::Value(value))),
        (
            _,
            FieldLayout::One {
                column,
                target,
                back,
            },
            Value::Null,
        ) => {
            if let Some(linked) = row.link(field)? {
                match (back, reader.catalog.kept(*target).owner(model, field)) {
                    (Some(tree), _) => changes.back_link(*tree, linked, row.number(), false),
                    (None, Some(owner)) => {
                        changes.patch(*target, linked, vec![(owner, Cell::Link(None))]);
                    }
                    (None, None) => {}
                }
            }
            Ok((*column, Cell::Link(None)))
        }
        _ => Err(unsupported()),
    }
}

/// The unique keys that the changed records will have.
#[derive(Default)]
struct Uniques {
    new: BTreeMap<usize, HashSet<Vec<u8>>>,
}

impl Uniques {
    fn check(
        &mut self,
        reader: &Reader<'_>,
        row: &Row<'_>,
        cells: &[(usize, Cell)],
        changed: &BTreeSet<u64>,
    ) -> Result<()> {
        for index in reader.catalog.indexes(row.model) {
            if !index.unique || !touches(index, cells) {
                continue;
            }
            let key = new_key(row, index, cells)?;
            if key.null {
                continue;
            }
            let holder = reader.tree(index.tree).first(&key.bytes)?;
            let free = holder.is_none_or(|holder| changed.contains(&holder));
            if !free || !self.new.entry(index.tree).or_default().insert(key.bytes) {
                let name = &reader.catalog.declared(row.model).name;
                return Err(refused(name, format!("{} is taken", index.name)));
            }
        }
        Ok(())
    }
}
