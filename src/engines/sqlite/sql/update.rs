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
///
/// Where a new value needs more than the record's own columns, all new values
/// are computed first (`UPDATE … FROM`, which SQLite carries out over a
/// temporary table): a subquery in SET would see what the same statement has
/// changed already.
pub fn by_statement(
    c: &Context<'_>,
    model: ModelId,
    select: &Select,
    set: &[(FieldId, Expr)],
) -> Result<Program, EngineError> {
    let table = &c.layout.tables[model];
    let mut root = Frame::new(model, ROOT);
    let mut sets = Vec::with_capacity(set.len());
    for (field, expr) in set {
        let value = expression::value(c, &mut root, expr)?;
        let value = stored(c, model, *field, value);
        sets.push(format!("{} = {value}", target(c, model, *field)?));
    }
    let sql = if c.aliased() {
        let new = c.alias();
        let mut frame = Frame::new(model, c.alias());
        let id = frame::id(c, &frame.alias, model, false).sql;
        let mut columns = vec![format!("{id} AS \"id\"")];
        sets.clear();
        for (at, (field, expr)) in set.iter().enumerate() {
            let value = expression::value(c, &mut frame, expr)?;
            let value = stored(c, model, *field, value);
            columns.push(format!("{value} AS \"value{at}\""));
            let target = target(c, model, *field)?;
            sets.push(format!("{target} = {new}.\"value{at}\""));
        }
        let clause = filter::clause(c, &mut frame, select)?;
        let from = frame.from(c);
        format!(
            "UPDATE {}{AS_ROOT} SET {} FROM (SELECT {} FROM {from}{clause}) AS {new} WHERE {} = {new}.\"id\"",
            table.name,
            sets.join(", "),
            columns.join(", "),
            frame::id(c, ROOT, model, false).sql,
        )
    } else {
        let clause = filter::change_clause(c, model, select)?;
        format!(
            "UPDATE {}{AS_ROOT} SET {}{clause}",
            table.name,
            sets.join(", ")
        )
    };
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
pub fn target<'c>(c: &Context<'c>, model: ModelId, field: FieldId) -> Result<&'c str, EngineError> {
    match c.layout.tables[model].fields.get(field) {
        Some(Storage::Column { column, .. } | Storage::Reference { column, .. }) => Ok(column),
        _ => Err(unsupported("only scalars and to-one links can be set")),
    }
}

/// As it goes into the column: an overflow that the column's type would not
/// notice is checked.
pub fn stored(c: &Context<'_>, model: ModelId, field: FieldId, value: Typed) -> String {
    let float = matches!(
        c.layout.tables[model].fields[field],
        Storage::Column {
            scalar: Scalar::Float,
            ..
        }
    );
    let noticed = if float || !c.layout.strict {
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
