//! Expressions: one walk for generators, predicates, `set`, quantities and
//! conditions; [`Place`] says what may stand where.

use super::checker::Checker;
use super::place::{Cx, Place};
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::{Expr, Generator};
use crate::syntax::ast::{self, ExprKind, Number, UnaryOp};

impl<'a> Checker<'a> {
    /// The checked form of an expression; findings are reported on the way.
    pub fn expr(&mut self, expr: &'a ast::Expr, cx: Cx<'_>) -> Typed {
        match &expr.kind {
            ExprKind::Null => Typed::new(Expr::Literal(Value::Null), Type::Null).nullable(true),
            ExprKind::Bool(b) => Typed::new(Expr::Literal(Value::Bool(*b)), Type::Bool),
            ExprKind::Number(number) => number_literal(number.value),
            ExprKind::Date(date) => Typed::new(
                Expr::Literal(Value::Timestamp(date.unix_ms)),
                Type::Timestamp,
            ),
            ExprKind::Text(text) => self.text(text, cx),
            ExprKind::Path(path) => self.path(path, cx),
            ExprKind::Call { function, args } => self.call(function, args, expr.span, cx),
            ExprKind::Quantified {
                quantifier,
                over,
                predicate,
            } => self.quantified(quantifier.node, over, predicate, expr.span, cx),
            ExprKind::Unary { op, operand } => match op.node {
                UnaryOp::Neg => self.negative(operand, cx),
                UnaryOp::Not => {
                    let inner = self.condition(operand, cx);
                    Typed::new(Expr::Not(Box::new(inner)), Type::Bool)
                }
            },
            ExprKind::Binary {
                op,
                left,
                right,
                ignoring_case,
            } => self.binary(*op, left, right, *ignoring_case, cx),
            ExprKind::In {
                value,
                set,
                ignoring_case,
            } => self.membership(value, set, *ignoring_case, cx),
            ExprKind::IsNull { value, negated } => self.is_null(value, *negated, cx),
            ExprKind::IsEmpty { value, negated } => self.is_empty(value, *negated, cx),
            ExprKind::Paren(inner) => self.expr(inner, cx),
            ExprKind::Object { entries, .. } => self.object(entries, expr.span, cx),
            ExprKind::List(items) => self.list_literal(items, expr.span, cx),
            ExprKind::NullWhen {
                condition,
                otherwise,
            } => self.null_when(condition, otherwise, expr.span, cx),
            ExprKind::NullShare { share, otherwise } => {
                self.null_share(share, otherwise, expr.span, cx)
            }
            ExprKind::Range { .. } => self.not_here(
                expr.span,
                "a range stands after `in` or where a generator takes one",
                "such as `age in 18..65` or `text(8..40)`",
            ),
            ExprKind::Link { .. } | ExprKind::At { .. } => self.not_here(
                expr.span,
                "a link is the whole generator of a field whose type is a model",
                "such as `school: School = one of School`",
            ),
            ExprKind::IsShape { .. } | ExprKind::Cell { .. } => self.not_here(
                expr.span,
                "metrics, their cells and growth stand in claims",
                "a claim reads `growth(time, sqlite, notes.write) is linear`",
            ),
        }
    }

    pub fn not_here(&mut self, span: Span, message: &str, help: &str) -> Typed {
        self.error_help(Code::NotHere, span, message, help);
        Typed::unknown()
    }

    /// An expression that must be true or false, in the plan's form.
    pub fn condition(&mut self, expr: &'a ast::Expr, cx: Cx<'_>) -> Expr {
        let typed = self.expr(expr, cx);
        if !typed.ty.is_bool() {
            let words = typed.ty.words(&self.exp.schema);
            self.error_help(
                Code::WrongType,
                expr.span,
                format!("a condition is true or false; this is {words}"),
                "compare it with something: `age >= 18`",
            );
        }
        truth(typed)
    }

    fn negative(&mut self, operand: &'a ast::Expr, cx: Cx<'_>) -> Typed {
        let typed = self.expr(operand, cx);
        if !typed.ty.is_number() && typed.ty != Type::Duration {
            let words = typed.ty.words(&self.exp.schema);
            self.error(
                Code::WrongType,
                operand.span,
                format!("`-` stands before a number; this is {words}"),
            );
            return Typed::unknown();
        }
        let expr = match typed.expr {
            Expr::Literal(Value::Int(i)) => Expr::Literal(Value::Int(-i)),
            Expr::Literal(Value::Float(f)) => Expr::Literal(Value::Float(-f)),
            other => Expr::Neg(Box::new(other)),
        };
        Typed { expr, ..typed }
    }

    /// `null when c else x`: generators only.
    fn null_when(
        &mut self,
        condition: &'a ast::Expr,
        otherwise: &'a ast::Expr,
        span: Span,
        cx: Cx<'_>,
    ) -> Typed {
        if !cx.is_generator() {
            return self.null_else_misplaced(span);
        }
        let condition = self.condition(condition, cx);
        let otherwise = self.expr(otherwise, cx);
        null_if(condition, otherwise)
    }

    /// `10% null else x`: generators only.
    fn null_share(
        &mut self,
        share: &ast::NumberLit,
        otherwise: &'a ast::Expr,
        span: Span,
        cx: Cx<'_>,
    ) -> Typed {
        if !cx.is_generator() {
            return self.null_else_misplaced(span);
        }
        let condition = self.share(share);
        let otherwise = self.expr(otherwise, cx);
        null_if(condition, otherwise)
    }

    fn null_else_misplaced(&mut self, span: Span) -> Typed {
        self.not_here(
            span,
            "`null … else …` stands in generators",
            "a predicate asks `is null`; a `set` gives one value",
        )
    }

    /// A draw that is true for this share of the rows.
    pub fn share(&mut self, share: &ast::NumberLit) -> Expr {
        #[allow(clippy::cast_precision_loss)]
        let part = match share.value {
            Number::Percent(f) | Number::Float(f) => f,
            Number::Int(i) => i as f64,
            Number::Size(_) | Number::Duration(_) => f64::NAN,
        };
        if !(0.0..=1.0).contains(&part) {
            self.error_help(
                Code::BadRange,
                share.span,
                format!("`{}` is no share", share.text),
                "a share lies between 0% and 100%",
            );
        }
        let chance = Generator::Chance(Expr::Literal(Value::Float(part)));
        Expr::Generate(Box::new(chance))
    }
}

/// `null` where the condition holds.
pub(super) fn null_if(condition: Expr, otherwise: Typed) -> Typed {
    let expr = Expr::If {
        condition: Box::new(condition),
        then: Box::new(Expr::Literal(Value::Null)),
        otherwise: Box::new(otherwise.expr),
    };
    Typed::new(expr, otherwise.ty).nullable(true)
}

/// A bool value as a condition: `synced` is `synced == true`.
fn truth(typed: Typed) -> Expr {
    match typed.expr {
        value @ (Expr::Path(_) | Expr::It | Expr::Arg(_) | Expr::Name(_)) => Expr::Compare {
            op: crate::plan::CompareOp::Equal,
            left: Box::new(value),
            right: Box::new(Expr::Literal(Value::Bool(true))),
            ignoring_case: false,
        },
        other => other,
    }
}

fn number_literal(number: Number) -> Typed {
    let whole = |n: u64| Expr::Literal(Value::Int(i64::try_from(n).unwrap_or(i64::MAX)));
    match number {
        Number::Int(i) => Typed::new(Expr::Literal(Value::Int(i)), Type::Int),
        Number::Float(f) | Number::Percent(f) => {
            Typed::new(Expr::Literal(Value::Float(f)), Type::Float)
        }
        Number::Size(n) => Typed::new(whole(n), Type::Int),
        Number::Duration(n) => Typed::new(whole(n), Type::Duration),
    }
}

impl Checker<'_> {
    /// The record that paths start from, where there is one.
    pub fn record_of(cx: Cx<'_>) -> Option<crate::plan::schema::ModelId> {
        match cx.place {
            Place::Record { model } | Place::Generator { model, .. } => Some(model),
            Place::Element { .. } | Place::Point | Place::Index => None,
        }
    }
}
