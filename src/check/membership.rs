//! `in`, `is null`, `is empty`, and ranges.

use super::checker::Checker;
use super::place::Cx;
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::{CompareOp, Expr};
use crate::syntax::ast::{self, ExprKind, InSet};

impl<'a> Checker<'a> {
    pub fn membership(
        &mut self,
        value: &'a ast::Expr,
        set: &'a InSet,
        ignoring_case: bool,
        cx: Cx<'_>,
    ) -> Typed {
        if let Some(typed) = self.engine_membership(value, set, cx) {
            return typed;
        }
        match set {
            InSet::List(items) => {
                let mut needle = self.expr(value, cx);
                let mut among = Vec::with_capacity(items.len());
                for item in items {
                    let one = match self.symbol_beside(value, item, cx) {
                        Some(symbol) => symbol,
                        None => self.expr(item, cx),
                    };
                    let (a, b) = self.comparable(
                        needle,
                        value.span,
                        one,
                        item.span,
                        CompareOp::Equal,
                        item.span,
                    );
                    among.push(b.expr);
                    needle = a;
                }
                let expr = Expr::In {
                    needle: Box::new(needle.expr),
                    among,
                    ignoring_case,
                };
                Typed::new(expr, Type::Bool)
            }
            InSet::Expr(range) => {
                let ExprKind::Range { from, to } = &range.inner().kind else {
                    return self.not_here(
                        range.span,
                        "after `in` stands a list in parentheses or a range",
                        "write `in (1, 2, 3)` or `in 1..3`",
                    );
                };
                let value_typed = self.expr(value, cx);
                let low = self.expr(from, cx);
                let high = self.expr(to, cx);
                let op = CompareOp::LessOrEqual;
                let (_, low) = self.comparable(
                    value_typed.clone(),
                    value.span,
                    low,
                    from.span,
                    op,
                    from.span,
                );
                let (value_typed, high) =
                    self.comparable(value_typed, value.span, high, to.span, op, to.span);
                self.rising(&low.expr, &high.expr, range.span);
                let expr = Expr::Between {
                    value: Box::new(value_typed.expr),
                    low: Box::new(low.expr),
                    high: Box::new(high.expr),
                };
                Typed::new(expr, Type::Bool)
            }
        }
    }

    pub fn is_null(&mut self, value: &'a ast::Expr, negated: bool, cx: Cx<'_>) -> Typed {
        let typed = self.expr(value, cx);
        if matches!(typed.ty, Type::ToMany(_)) {
            self.error_help(
                Code::NotComparable,
                value.span,
                "links to many are never null",
                "write `is empty`",
            );
        }
        let expr = Expr::IsNull(Box::new(typed.expr));
        negate(expr, negated)
    }

    pub fn is_empty(&mut self, value: &'a ast::Expr, negated: bool, cx: Cx<'_>) -> Typed {
        let typed = self.expr(value, cx);
        let fine = matches!(
            typed.ty,
            Type::Unknown | Type::List(_) | Type::ToMany(_) | Type::Text | Type::Blob
        );
        match (typed.expr, fine) {
            (Expr::Path(path), true) => negate(Expr::IsEmpty(path), negated),
            (_, true) if typed.ty == Type::Unknown => Typed::unknown(),
            _ => {
                let words = typed.ty.words(&self.exp.schema);
                self.error_help(
                    Code::NotComparable,
                    value.span,
                    format!("`is empty` asks about a field that is a list, a link to many, a text or a blob; this is {words}"),
                    "write `is null` to ask whether there is a value",
                );
                Typed::new(Expr::Literal(Value::Bool(false)), Type::Bool)
            }
        }
    }

    /// Reports a range whose lower end lies above its upper end at some point.
    pub fn rising(&mut self, low: &Expr, high: &Expr, span: Span) {
        let below = Expr::Compare {
            op: CompareOp::LessOrEqual,
            left: Box::new(low.clone()),
            right: Box::new(high.clone()),
            ignoring_case: false,
        };
        if self
            .possible(&below)
            .is_some_and(|values| values.contains(&Value::Bool(false)))
        {
            self.error_help(
                Code::BadRange,
                span,
                "the range is empty: it starts above its end",
                "ranges go upwards and include both ends",
            );
        }
    }
}

fn negate(expr: Expr, negated: bool) -> Typed {
    let expr = if negated {
        Expr::Not(Box::new(expr))
    } else {
        expr
    };
    Typed::new(expr, Type::Bool)
}
