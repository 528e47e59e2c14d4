//! Selections as WHERE clauses.

use super::error::unsupported;
use super::expression;
use super::frame::{self, Context, Frame, ROOT, column};
use super::layout::Storage;
use crate::engines::EngineError;
use crate::plan::schema::ModelId;
use crate::plan::{OrderKey, Select};

/// ` WHERE …` for a frame; empty where everything is selected.
pub fn clause(c: &Context<'_>, f: &mut Frame, select: &Select) -> Result<String, EngineError> {
    Ok(match condition(c, f, select)? {
        Some(condition) => format!(" WHERE {condition}"),
        None => String::new(),
    })
}

/// The condition of a selection, if it has one.
pub fn condition(
    c: &Context<'_>,
    f: &mut Frame,
    select: &Select,
) -> Result<Option<String>, EngineError> {
    Ok(match select {
        Select::All => None,
        Select::Where(expr) => Some(expression::condition(c, f, expr)?.sql),
        Select::Point(field) => match c.layout.tables[f.model].fields.get(*field) {
            Some(Storage::Column { column: name, .. }) => {
                Some(format!("{} = ?1", column(&f.alias, name)))
            }
            _ => return Err(unsupported("point access needs a scalar field")),
        },
        Select::Identity => Some(format!(
            "{} = ?1",
            frame::id(c, &f.alias, f.model, false).sql
        )),
    })
}

/// ` WHERE …` for an UPDATE or DELETE of the root table: where the condition
/// follows links, by a subquery for the identities.
pub fn change_clause(
    c: &Context<'_>,
    model: ModelId,
    select: &Select,
) -> Result<String, EngineError> {
    let mut root = Frame::new(model, ROOT);
    let plain = clause(c, &mut root, select)?;
    if !root.joined() {
        return Ok(plain);
    }
    let ids = identities(c, model, select)?;
    let id = frame::id(c, ROOT, model, false).sql;
    Ok(format!(" WHERE {id} IN ({ids})"))
}

/// `SELECT` of the identities of a selection, as a subquery.
pub fn identities(c: &Context<'_>, model: ModelId, select: &Select) -> Result<String, EngineError> {
    let mut inner = Frame::new(model, c.alias());
    let clause = clause(c, &mut inner, select)?;
    let id = frame::id(c, &inner.alias, model, false).sql;
    Ok(format!("SELECT {id} FROM {}{clause}", inner.from(c)))
}

/// ` ORDER BY … LIMIT …`. SQLite's own order puts null first, and last when
/// descending, and compares texts by bytes.
pub fn order_and_limit(
    c: &Context<'_>,
    f: &mut Frame,
    order: &[OrderKey],
    limit: Option<u64>,
    offset: u64,
) -> Result<String, EngineError> {
    let mut sql = String::new();
    for (at, key) in order.iter().enumerate() {
        sql.push_str(if at == 0 { " ORDER BY " } else { ", " });
        sql.push_str(&f.value(c, &key.path)?.sql);
        if key.descending {
            sql.push_str(" DESC");
        }
    }
    if limit.is_some() || offset > 0 {
        let limit = limit.map_or("-1".into(), |l| l.to_string());
        sql.push_str(&format!(" LIMIT {limit}"));
    }
    if offset > 0 {
        sql.push_str(&format!(" OFFSET {offset}"));
    }
    Ok(sql)
}
