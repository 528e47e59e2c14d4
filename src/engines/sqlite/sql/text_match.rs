//! `contains`, `starts_with`, `ends_with`, `like` as SQL.

use super::expression::side;
use super::frame::{Context, Frame};
use super::names::{glob, successor, text};
use super::typed::{Level, Typed};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::{Expr, TextOp};
use crate::workload::eval::text::fold;

/// One of them, as a condition.
///
/// A literal prefix becomes a range, and a literal `like` a GLOB: both can use
/// an index. What comes as an argument goes through functions that mean the
/// same.
pub fn condition(
    c: &Context<'_>,
    f: &mut Frame,
    op: TextOp,
    value: &Expr,
    pattern: &Expr,
    ignoring_case: bool,
) -> Result<Typed, EngineError> {
    let of = side(c, f, value, ignoring_case)?;
    let literal = match pattern {
        Expr::Literal(Value::Text(t)) if ignoring_case => Some(fold(t)),
        Expr::Literal(Value::Text(t)) => Some(t.clone()),
        _ => None,
    };
    let operand = of.operand();
    let (sql, level) = match (op, literal) {
        (TextOp::Contains, Some(t)) => (
            format!("instr({}, {}) > 0", of.sql, text(&t)),
            Level::Comparison,
        ),
        (TextOp::StartsWith | TextOp::EndsWith, Some(t)) if t.is_empty() => {
            (format!("{operand} IS NOT NULL"), Level::Comparison)
        }
        // No index holds what a call computes, and a range would call it twice.
        (TextOp::StartsWith, Some(t)) if operand.ends_with(')') => (
            format!(
                "substr({}, 1, {}) = {}",
                of.sql,
                t.chars().count(),
                text(&t)
            ),
            Level::Comparison,
        ),
        (TextOp::StartsWith, Some(t)) => match successor(&t) {
            Some(end) => (
                format!("{operand} >= {} AND {operand} < {}", text(&t), text(&end)),
                Level::And,
            ),
            None => (format!("{operand} >= {}", text(&t)), Level::Comparison),
        },
        (TextOp::EndsWith, Some(t)) => (
            format!("substr({}, -{}) = {}", of.sql, t.chars().count(), text(&t)),
            Level::Comparison,
        ),
        (TextOp::Like, Some(t)) => (
            format!("{operand} GLOB {}", text(&glob(&t))),
            Level::Comparison,
        ),
        (op, None) => {
            let pattern = side(c, f, pattern, ignoring_case)?;
            let (of, pattern) = (&of.sql, &pattern.sql);
            match op {
                TextOp::Contains => (format!("instr({of}, {pattern}) > 0"), Level::Comparison),
                TextOp::StartsWith => (format!("starts_with({of}, {pattern})"), Level::Comparison),
                TextOp::EndsWith => (format!("ends_with({of}, {pattern})"), Level::Comparison),
                TextOp::Like => (format!("is_like({of}, {pattern})"), Level::Comparison),
            }
        }
    };
    let nullable = of.nullable || !matches!(pattern, Expr::Literal(Value::Text(_)));
    Ok(Typed::condition(sql, level, nullable))
}
