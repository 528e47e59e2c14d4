//! Counts and aggregates, all computed by SQLite.

use super::expression;
use super::filter;
use super::frame::{Context, Frame, ROOT};
use super::program::Program;
use super::typed::{Overflow, Type};
use crate::engines::EngineError;
use crate::plan::schema::ModelId;
use crate::plan::{Aggregate, Expr, Path, Query, Select};

/// `count User where …`
pub fn count(c: &Context<'_>, model: ModelId, select: &Select) -> Result<Program, EngineError> {
    let mut frame = Frame::new(model, ROOT);
    let clause = filter::clause(c, &mut frame, select)?;
    let sql = format!("SELECT count(*) FROM {}{clause}", frame.from(c));
    Ok(Program::Count(c.finish(&sql)))
}

/// `count Line per quantity`
pub fn count_per(
    c: &Context<'_>,
    model: ModelId,
    select: &Select,
    per: &Path,
) -> Result<Program, EngineError> {
    let mut frame = Frame::new(model, ROOT);
    let value = frame.delivered(c, per)?;
    let clause = filter::clause(c, &mut frame, select)?;
    let sql = format!(
        "SELECT {0}, count(*) FROM {1}{clause} GROUP BY {0}",
        value.sql,
        frame.from(c)
    );
    Ok(Program::CountPer {
        sql: c.finish(&sql),
        ty: value.ty,
    })
}

/// `compute sum(price)`
///
/// The count beside the aggregate is that of the records, nulls included. An
/// overflow inside a sum's operand makes the sum a real, which is noticed when
/// it is delivered; other aggregates could lose it and check each operand.
pub fn aggregate(
    c: &Context<'_>,
    query: &Query,
    function: Aggregate,
    of: &Expr,
) -> Result<Program, EngineError> {
    let mut frame = Frame::new(query.model, ROOT);
    let of = expression::value(c, &mut frame, of)?;
    let checked = function != Aggregate::Sum && of.overflow > Overflow::Never;
    let value = if checked {
        of.operand()
    } else {
        of.sql.clone()
    };
    let clause = filter::clause(c, &mut frame, &query.select)?;
    let order = filter::order_and_limit(c, &mut frame, &query.order, query.limit, query.offset)?;
    let whole_set = query.limit.is_none() && query.offset == 0;
    let (value, from) = if whole_set {
        (value, format!("{}{clause}", frame.from(c)))
    } else {
        let inner = format!(
            "SELECT {value} AS \"value\" FROM {}{clause}{order}",
            frame.from(c)
        );
        ("\"value\"".into(), format!("({inner})"))
    };
    let (call, ty) = match function {
        // The sum of nothing is the int 0, also where a float was to be expected.
        Aggregate::Sum => {
            let ty = if of.ty.is_whole() {
                Type::Int
            } else {
                Type::Any
            };
            (format!("coalesce(sum({value}), 0)"), ty)
        }
        Aggregate::Average => (format!("avg({value})"), Type::Float),
        Aggregate::Min => (format!("min({value})"), of.ty),
        Aggregate::Max => (format!("max({value})"), of.ty),
    };
    // Alone, an extreme is looked up at an end of an index; with a count
    // beside it, it would be a scan.
    let extreme = matches!(function, Aggregate::Min | Aggregate::Max);
    let sql = if extreme && whole_set && clause.is_empty() && !frame.joined() {
        format!("SELECT (SELECT {call} FROM {from}), (SELECT count(*) FROM {from})")
    } else {
        format!("SELECT {call}, count(*) FROM {from}")
    };
    Ok(Program::Aggregate {
        sql: c.finish(&sql),
        ty,
    })
}
