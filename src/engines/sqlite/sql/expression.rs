//! Expressions as SQL, with exactly the meaning of [`crate::plan::expr`].
//!
//! SQL's third truth value is kept where it does no harm: NULL as a condition
//! is as good as false under AND and OR and in WHERE, which leaves comparisons
//! plain and indexes usable. Where it would show (under NOT, as a value) it is
//! made false by IS TRUE or IS NOT TRUE, if it can come up at all.

use super::error::unsupported;
use super::frame::{Context, Frame};
use super::names::{constant, text};
use super::typed::{Level, Overflow, Type, Typed};
use super::{quantifier, text_match};
use crate::base::Value;
use crate::engines::EngineError;
use crate::plan::{ArithOp, CompareOp, Expr};
use crate::workload::eval::text::fold;

/// An expression as a value.
pub fn value(c: &Context<'_>, f: &mut Frame, expr: &Expr) -> Result<Typed, EngineError> {
    match expr {
        Expr::Literal(v) => {
            let sql = constant(v).ok_or_else(|| unsupported("a list constant has no SQL form"))?;
            // A negative number binds like a sum: `- -1` would be a comment without the space.
            let level = if sql.starts_with('-') {
                Level::Sum
            } else {
                Level::Atom
            };
            let nullable = v.is_null() || sql == "NULL";
            Ok(Typed {
                level,
                ..Typed::atom(sql, Type::of_value(v), nullable)
            })
        }
        Expr::Path(path) => f.value(c, path),
        Expr::It => {
            let (sql, ty) = f
                .elements
                .last()
                .ok_or_else(|| unsupported("`it` stands outside of a list"))?;
            Ok(Typed::atom(sql.clone(), *ty, false))
        }
        Expr::Arg(at) => Ok(Typed::atom(format!("?{}", at + 1), Type::Any, true)),
        Expr::Neg(of) => {
            let of = value(c, f, of)?;
            Ok(Typed {
                sql: format!("-{}", of.at(Level::Atom)),
                level: Level::Sum,
                overflow: step_up(of.ty, of.overflow),
                ..of
            })
        }
        Expr::Arith { op, left, right } => {
            let (left, right) = (value(c, f, left)?, value(c, f, right)?);
            Ok(arithmetic(*op, &left, &right))
        }
        Expr::If {
            condition: when,
            then,
            otherwise,
        } => {
            let when = condition(c, f, when)?;
            let (a, b) = (value(c, f, then)?, value(c, f, otherwise)?);
            Ok(Typed {
                overflow: a.overflow.max(b.overflow),
                ..Typed::atom(
                    format!("CASE WHEN {} THEN {} ELSE {} END", when.sql, a.sql, b.sql),
                    if a.ty == Type::Any { b.ty } else { a.ty },
                    a.nullable || b.nullable,
                )
            })
        }
        Expr::CountOf { over, predicate } => quantifier::count(c, f, over, predicate.as_deref()),
        Expr::Hook {
            hook,
            args,
            with_record,
        } => super::hook::call(c, f, *hook, args, *with_record, false),
        Expr::Name(_) | Expr::Row | Expr::Generate(_) => {
            Err(unsupported("an expression is not closed"))
        }
        _ => Ok(condition(c, f, expr)?.settled()),
    }
}

/// An expression as a condition: NULL stands for false.
pub fn condition(c: &Context<'_>, f: &mut Frame, expr: &Expr) -> Result<Typed, EngineError> {
    match expr {
        Expr::Compare {
            op,
            left,
            right,
            ignoring_case,
        } => {
            let left = side(c, f, left, *ignoring_case)?;
            let right = side(c, f, right, *ignoring_case)?;
            Ok(compare(*op, &left, &right))
        }
        Expr::And(parts) => junction(c, f, parts, "AND", Level::And, "1"),
        Expr::Or(parts) => junction(c, f, parts, "OR", Level::Or, "0"),
        Expr::Not(of) => Ok(not(condition(c, f, of)?)),
        Expr::In {
            needle,
            among,
            ignoring_case,
        } => {
            let needle = side(c, f, needle, *ignoring_case)?;
            let mut nullable = needle.nullable && !among.is_empty();
            let mut items = Vec::with_capacity(among.len());
            for item in among {
                let item = side(c, f, item, *ignoring_case)?;
                nullable |= item.nullable;
                items.push(item.operand());
            }
            let sql = format!("{} IN ({})", needle.operand(), items.join(", "));
            Ok(Typed::condition(sql, Level::Comparison, nullable))
        }
        Expr::Between {
            value: v,
            low,
            high,
        } => {
            let (v, low, high) = (value(c, f, v)?, value(c, f, low)?, value(c, f, high)?);
            let sql = format!(
                "{} BETWEEN {} AND {}",
                v.operand(),
                low.operand(),
                high.operand()
            );
            let nullable = v.nullable || low.nullable || high.nullable;
            Ok(Typed::condition(sql, Level::Comparison, nullable))
        }
        Expr::TextMatch {
            op,
            value: v,
            pattern,
            ignoring_case,
        } => text_match::condition(c, f, *op, v, pattern, *ignoring_case),
        Expr::IsNull(of) => {
            if let Expr::Path(path) = &**of
                && let Some(null) = quantifier::is_null(c, f, path)?
            {
                return Ok(null);
            }
            let of = value(c, f, of)?;
            Ok(Typed::condition(
                format!("{} IS NULL", of.operand()),
                Level::Comparison,
                false,
            ))
        }
        Expr::IsEmpty(path) => quantifier::is_empty(c, f, path),
        Expr::Quantified {
            quantifier: which,
            over,
            predicate,
        } => quantifier::quantified(c, f, *which, over, predicate),
        Expr::Path(_) => {
            let path = value(c, f, expr)?;
            let sql = format!("{} = 1", path.operand());
            Ok(Typed::condition(sql, Level::Comparison, path.nullable))
        }
        Expr::Hook {
            hook,
            args,
            with_record,
        } => super::hook::call(c, f, *hook, args, *with_record, true),
        _ => value(c, f, expr),
    }
}

/// The opposite of a condition.
pub fn not(of: Typed) -> Typed {
    if of.nullable {
        Typed::condition(
            format!("({}) IS NOT TRUE", of.sql),
            Level::Comparison,
            false,
        )
    } else {
        Typed::condition(format!("NOT {}", of.at(Level::Atom)), Level::Not, false)
    }
}

fn junction(
    c: &Context<'_>,
    f: &mut Frame,
    parts: &[Expr],
    word: &str,
    level: Level,
    empty: &str,
) -> Result<Typed, EngineError> {
    let mut nullable = false;
    let mut sql = Vec::with_capacity(parts.len());
    for part in parts {
        let part = condition(c, f, part)?;
        nullable |= part.nullable;
        if parts.len() == 1 {
            // Still a condition: as a value its NULL is made false, whatever it is made of.
            return Ok(Typed {
                ty: Type::Bool,
                level: part.level.max(Level::Comparison),
                ..part
            });
        }
        sql.push(part.at(level));
    }
    if sql.is_empty() {
        return Ok(Typed::condition(empty, Level::Atom, false));
    }
    Ok(Typed::condition(
        sql.join(&format!(" {word} ")),
        level,
        nullable,
    ))
}

/// A side of a comparison, lower-cased if asked.
pub fn side(
    c: &Context<'_>,
    f: &mut Frame,
    expr: &Expr,
    ignoring_case: bool,
) -> Result<Typed, EngineError> {
    if ignoring_case {
        if let Expr::Literal(Value::Text(literal)) = expr {
            return Ok(Typed::atom(text(&fold(literal)), Type::Text, false));
        }
        let of = value(c, f, expr)?;
        return Ok(Typed::atom(format!("fold({})", of.sql), of.ty, of.nullable));
    }
    value(c, f, expr)
}

fn compare(op: CompareOp, left: &Typed, right: &Typed) -> Typed {
    let nullable = left.nullable || right.nullable;
    let (word, nullable) = match op {
        CompareOp::Equal => ("=", nullable),
        // True where exactly one side is null, too.
        CompareOp::NotEqual if nullable => ("IS NOT", false),
        CompareOp::NotEqual => ("<>", false),
        CompareOp::Less => ("<", nullable),
        CompareOp::LessOrEqual => ("<=", nullable),
        CompareOp::Greater => (">", nullable),
        CompareOp::GreaterOrEqual => (">=", nullable),
    };
    let (mut left_sql, mut right_sql) = (left.operand(), right.operand());
    if op == CompareOp::Equal {
        if kept_apart(left, right) {
            left_sql.insert(0, '+');
        } else if kept_apart(right, left) {
            right_sql.insert(0, '+');
        }
    }
    let sql = format!("{left_sql} {word} {right_sql}");
    Typed::condition(sql, Level::Comparison, nullable)
}

/// Whether an int column must not be taken for the float constant that it is
/// compared with. SQLite puts the constant of `w = 0.5 AND …` in for `w` in
/// the other conditions ("constant propagation"), and a computed int would
/// then be a real, which looks like an overflow. A unary plus prevents it.
fn kept_apart(column: &Typed, constant: &Typed) -> bool {
    // Names of columns are quoted, arguments are `?1`.
    let constant_float = constant.ty == Type::Float && !constant.sql.contains(['"', '?']);
    let whole = || constant.sql.parse::<f64>().is_ok_and(|f| f.fract() == 0.0);
    constant_float && column.ty.is_whole() && column.sql.ends_with('"') && !whole()
}

fn step_up(ty: Type, inner: Overflow) -> Overflow {
    match (ty.is_whole(), inner) {
        (false, _) => Overflow::Never,
        (true, Overflow::Never) => Overflow::Outside,
        (true, _) => Overflow::Inside,
    }
}

fn arithmetic(op: ArithOp, left: &Typed, right: &Typed) -> Typed {
    let (word, level) = match op {
        ArithOp::Add => ("+", Level::Sum),
        ArithOp::Subtract => ("-", Level::Sum),
        ArithOp::Multiply => ("*", Level::Product),
        ArithOp::Divide => ("/", Level::Product),
        ArithOp::Remainder => ("%", Level::Product),
    };
    let ty = match (left.ty, right.ty) {
        (Type::Float, _) | (_, Type::Float) => Type::Float,
        (Type::Any, _) | (_, Type::Any) => Type::Any,
        (Type::Timestamp, Type::Timestamp) => Type::Int,
        (Type::Timestamp, _) | (_, Type::Timestamp) => Type::Timestamp,
        _ => Type::Int,
    };
    // By zero is null; a constant divisor other than zero is never that.
    let divides = matches!(op, ArithOp::Divide | ArithOp::Remainder);
    let by_zero = divides && right.sql.parse::<f64>().map_or(true, |d| d == 0.0);
    // What overflowed inside a float expression is a whole of its own.
    let part = |of: &Typed, level| {
        if ty == Type::Float && of.overflow > Overflow::Never {
            of.operand()
        } else {
            of.at(level)
        }
    };
    let tighter = if level == Level::Sum {
        Level::Product
    } else {
        Level::Arrow
    };
    let inner = left.overflow.max(right.overflow);
    let overflow = match op {
        // A remainder is never larger than its operands.
        ArithOp::Remainder if inner == Overflow::Never => Overflow::Never,
        ArithOp::Divide if inner == Overflow::Never && right.sql != "-1" && !by_zero => {
            Overflow::Never
        }
        _ => step_up(ty, inner),
    };
    Typed {
        sql: format!("{} {word} {}", part(left, level), part(right, tighter)),
        ty,
        nullable: left.nullable || right.nullable || by_zero,
        level,
        overflow,
    }
}
