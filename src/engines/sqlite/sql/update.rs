//! Updates: one statement over the set, or object by object.

use super::error::unsupported;
use super::expression;
use super::filter;
use super::frame::{self, AS_ROOT, Context, Frame, ROOT};
use super::layout::Storage;
use super::program::Program;
use super::typed::{Overflow, Typed};
use crate::engines::EngineError;
use crate::plan::schema::{FieldId, ModelId};
use crate::plan::{Expr, Scalar, Select};

/// `UPDATE … SET … WHERE …`: the idiom.
pub fn by_statement(
    c: &Context<'_>,
    model: ModelId,
    select: &Select,
    set: &[(FieldId, Expr)],
) -> Result<Program, EngineError> {
    let mut sets = Vec::with_capacity(set.len());
    for (field, expr) in set {
        sets.push(format!(
            "{} = {}",
            target(c, model, *field)?,
            beside(c, model, *field, expr)?
        ));
    }
    let clause = filter::change_clause(c, model, select)?;
    let table = &c.layout.tables[model].name;
    let sql = format!("UPDATE {table}{AS_ROOT} SET {}{clause}", sets.join(", "));
    Ok(Program::Change(c.finish(&sql)))
}

/// Identity and new values of each record, then an update of each by its identity.
pub fn by_object(
    c: &Context<'_>,
    model: ModelId,
    select: &Select,
    set: &[(FieldId, Expr)],
) -> Result<Program, EngineError> {
    let mut frame = Frame::new(model, ROOT);
    let mut columns = vec![frame::id(c, ROOT, model, false).sql];
    let mut sets = Vec::with_capacity(set.len());
    for (at, (field, expr)) in set.iter().enumerate() {
        sets.push(format!("{} = ?{}", target(c, model, *field)?, at + 2));
        let value = expression::value(c, &mut frame, expr)?;
        columns.push(stored(c, model, *field, value));
    }
    let clause = filter::clause(c, &mut frame, select)?;
    let select = format!(
        "SELECT {} FROM {}{clause}",
        columns.join(", "),
        frame.from(c)
    );
    let table = &c.layout.tables[model];
    Ok(Program::ByObject {
        select: c.finish(&select),
        update: format!(
            "UPDATE {} SET {} WHERE {} = ?1",
            table.name,
            sets.join(", "),
            table.id
        ),
        values: set.len(),
    })
}

/// The column that a `set` changes.
fn target<'c>(c: &Context<'c>, model: ModelId, field: FieldId) -> Result<&'c str, EngineError> {
    match c.layout.tables[model].fields.get(field) {
        Some(Storage::Column { column, .. } | Storage::Reference { column, .. }) => Ok(column),
        _ => Err(unsupported("only scalars and to-one links can be set")),
    }
}

/// The new value inside an UPDATE. Where it follows links, a subquery over the
/// same record does so.
fn beside(
    c: &Context<'_>,
    model: ModelId,
    field: FieldId,
    expr: &Expr,
) -> Result<String, EngineError> {
    let mut root = Frame::new(model, ROOT);
    let value = expression::value(c, &mut root, expr)?;
    if !root.joined() {
        return Ok(stored(c, model, field, value));
    }
    let mut inner = Frame::new(model, c.alias());
    let value = expression::value(c, &mut inner, expr)?;
    let value = stored(c, model, field, value);
    let (own, outer) = (
        frame::id(c, &inner.alias, model, false).sql,
        frame::id(c, ROOT, model, false).sql,
    );
    Ok(format!(
        "(SELECT {value} FROM {} WHERE {own} = {outer})",
        inner.from(c)
    ))
}

/// As it goes into the column: an overflow that the column's type would not
/// notice is checked.
fn stored(c: &Context<'_>, model: ModelId, field: FieldId, value: Typed) -> String {
    let float = matches!(
        c.layout.tables[model].fields[field],
        Storage::Column {
            scalar: Scalar::Float,
            ..
        }
    );
    let noticed = if float {
        Overflow::Never
    } else {
        Overflow::Outside
    };
    if value.overflow > noticed {
        value.operand()
    } else {
        value.sql
    }
}
