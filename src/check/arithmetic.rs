//! `+ - * / mod`, with lengths of time beside moments.

use super::checker::Checker;
use super::operators::arith_op;
use super::types::{Type, Typed};
use crate::base::Value;
use crate::base::span::{Span, Spanned};
use crate::diagnostics::Code;
use crate::plan::{ArithOp, Expr};
use crate::syntax::ast::BinaryOp;

/// Nanoseconds in a millisecond: timestamps count in the latter.
const NS_PER_MS: i64 = 1_000_000;

impl Checker<'_> {
    pub fn arithmetic(&mut self, op: Spanned<BinaryOp>, left: Typed, right: Typed) -> Typed {
        use ArithOp::{Add, Divide, Multiply, Remainder, Subtract};
        let arith = arith_op(op.node);
        let mut to_ms = (false, false);
        let ty = match (&left.ty, arith, &right.ty) {
            (Type::Unknown, ..) | (.., Type::Unknown) => Type::Unknown,
            (Type::Dynamic, ..) | (.., Type::Dynamic) => Type::Dynamic,
            (Type::Int, _, Type::Int) => Type::Int,
            (
                Type::Int | Type::Float,
                Add | Subtract | Multiply | Divide,
                Type::Int | Type::Float,
            ) => Type::Float,
            (Type::Timestamp, Add | Subtract, Type::Duration) => {
                to_ms = (false, true);
                Type::Timestamp
            }
            (Type::Duration, Add, Type::Timestamp) => {
                to_ms = (true, false);
                Type::Timestamp
            }
            (Type::Timestamp, Subtract, Type::Timestamp)
            | (Type::Duration, Add | Subtract, Type::Duration)
            | (Type::Duration, Multiply | Divide | Remainder, Type::Int)
            | (Type::Int, Multiply, Type::Duration) => {
                to_ms = (true, true);
                Type::Duration
            }
            (a, _, b) => {
                let help = arithmetic_help(a, b, arith);
                let schema = &self.exp.schema;
                let message = format!(
                    "`{}` does not go with {} and {}",
                    op.node.symbol(),
                    a.words(schema),
                    b.words(schema)
                );
                self.error_maybe(Code::WrongType, op.span, message, help);
                return Typed::unknown();
            }
        };
        let null = left.null || right.null;
        let (mut left, mut right) = (left, right);
        if to_ms.0 && left.ty == Type::Duration {
            left = self.in_milliseconds(left, op.span);
        }
        if to_ms.1 && right.ty == Type::Duration {
            right = self.in_milliseconds(right, op.span);
        }
        let expr = Expr::Arith {
            op: arith,
            left: Box::new(left.expr),
            right: Box::new(right.expr),
        };
        Typed::new(expr, ty).nullable(null)
    }

    /// Lengths of time stand in ns as written and in params, in ms beside
    /// timestamps. Anything computed is in ms already.
    pub fn in_milliseconds(&mut self, typed: Typed, span: Span) -> Typed {
        if typed.ty != Type::Duration {
            return typed;
        }
        let expr = match typed.expr {
            Expr::Literal(Value::Int(ns)) => {
                if ns % NS_PER_MS != 0 {
                    self.error_help(
                        Code::WrongType,
                        span,
                        "a timestamp is exact to the millisecond",
                        "write a length in `ms` or more",
                    );
                }
                Expr::Literal(Value::Int(ns / NS_PER_MS))
            }
            Expr::Name(name) => Expr::Arith {
                op: ArithOp::Divide,
                left: Box::new(Expr::Name(name)),
                right: Box::new(Expr::Literal(Value::Int(NS_PER_MS))),
            },
            Expr::Neg(inner) if matches!(*inner, Expr::Name(_)) => Expr::Neg(Box::new(
                self.in_milliseconds(Typed::new(*inner, Type::Duration), span)
                    .expr,
            )),
            other => other,
        };
        Typed { expr, ..typed }
    }
}

fn arithmetic_help(a: &Type, b: &Type, op: ArithOp) -> Option<String> {
    let text = match (a, b) {
        (Type::Text, _) | (_, Type::Text) => {
            "texts are put together by filling in: `\"user{row}\"`"
        }
        (Type::Timestamp, Type::Int) | (Type::Int, Type::Timestamp) => {
            "say how long: `placed + 1d`, `placed - 90s`"
        }
        (Type::Float, _) | (_, Type::Float) if op == ArithOp::Remainder => "`mod` is for ints",
        _ => return None,
    };
    Some(text.to_owned())
}
