//! Batch requests: SQL over the set, past the objects.

use super::entity::{Entities, SlotId, SlotKind};
use super::fetch::aliased;
use super::pushdown::{goes_down, select_goes_down};
use crate::engines::EngineError;
use crate::engines::sqlite::sql::frame::{AS_ROOT, Context as SqlContext, Frame, ROOT, id};
use crate::engines::sqlite::sql::typed::{Overflow, Typed};
use crate::engines::sqlite::sql::{Type, expression, filter};
use crate::plan::schema::{FieldId, ModelId, Schema};
use crate::plan::{Expr, Select};

/// `NSBatchUpdateRequest`: one statement; `None` where the request needs the
/// objects (what SQL cannot say, or what only their validation would refuse).
pub fn update(
    schema: &Schema,
    entities: &Entities,
    model: ModelId,
    select: &Select,
    set: &[(FieldId, Expr)],
) -> Result<Option<String>, EngineError> {
    let down = set.iter().all(|(_, expr)| goes_down(schema, model, expr));
    if !down || !select_goes_down(schema, model, select) {
        return Ok(None);
    }
    let entity = &entities.all[model];
    let c = SqlContext::new(schema, &entities.layout, &[]);
    let (outer, inner) = (Frame::new(model, ROOT), c.alias());
    let mut frame = Frame::new(model, inner);
    let mut columns = vec![format!(
        "{} AS \"id\"",
        id(&c, &frame.alias, model, false).sql
    )];
    let mut sets = vec!["Z_OPT = Z_OPT + 1".to_owned()];
    let new = c.alias();
    for (at, (field, expr)) in set.iter().enumerate() {
        let value = expression::value(&c, &mut frame, expr)?;
        let Some(column) = target(entities, model, *field, &value) else {
            return Ok(None);
        };
        columns.push(format!("{} AS \"value{at}\"", stored(&value)));
        sets.push(format!("{column} = {new}.\"value{at}\""));
    }
    let clause = filter::clause(&c, &mut frame, select)?;
    // All new values are computed before the first is stored: a statement over
    // the table alone would see what it has changed itself.
    let sql = format!(
        "UPDATE OR FAIL {}{AS_ROOT} SET {} FROM (SELECT {} FROM {}{clause}) AS {new} WHERE {} = {new}.\"id\"",
        entity.table,
        sets.join(", "),
        columns.join(", "),
        frame.from(&c),
        id(&c, &outer.alias, model, false).sql,
    );
    Ok(Some(aliased(&sql).replacen(" t0 SET", " AS t0 SET", 1)))
}

/// The column that takes the value; `None` where it must be looked at first.
fn target<'e>(
    entities: &'e Entities,
    model: ModelId,
    field: SlotId,
    value: &Typed,
) -> Option<&'e str> {
    let slot = entities.all[model].slots.get(field)?;
    let null = value.sql == "NULL";
    let fits = match &slot.kind {
        SlotKind::Attribute(scalar) => {
            let ty = Type::of(scalar);
            let widened = matches!(
                (value.ty, ty),
                (Type::Int, Type::Float | Type::Timestamp) | (Type::Timestamp, Type::Int)
            );
            null || value.ty == ty || widened
        }
        SlotKind::ToOne { back: false, .. } => null,
        _ => false,
    };
    let allowed = slot.optional || !value.nullable;
    (fits && allowed).then_some(slot.column.as_deref()?)
}

/// What overflowed is an error; no column type would notice.
fn stored(value: &Typed) -> String {
    if value.overflow > Overflow::Never {
        value.operand()
    } else {
        value.clone().settled().sql
    }
}

/// `NSBatchDeleteRequest`; `None` where delete rules would have to be applied.
pub fn delete(
    schema: &Schema,
    entities: &Entities,
    model: ModelId,
    select: &Select,
) -> Result<Option<String>, EngineError> {
    let entity = &entities.all[model];
    if entity.has_relationships() || !select_goes_down(schema, model, select) {
        return Ok(None);
    }
    let c = SqlContext::new(schema, &entities.layout, &[]);
    let ids = filter::identities(&c, model, select)?;
    let sql = format!("DELETE FROM {} WHERE Z_PK IN ({ids})", entity.table);
    Ok(Some(aliased(&sql)))
}

/// Whether an entity takes an `NSBatchInsertRequest`, which knows no relationships.
pub fn inserts(entities: &Entities, model: ModelId) -> bool {
    !entities.all[model].has_relationships()
}
