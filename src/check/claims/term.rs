//! Sides of a claim, and their units.

use super::super::checker::Checker;
use super::super::operators::arith_op;
use super::metric::MetricFacts;
use crate::diagnostics::Code;
use crate::plan::ArithOp;
use crate::plan::claim::Term;
use crate::syntax::ast::{self, BinaryOp, ExprKind, Number};

/// Powers of time and of bytes: `time / time` has none of either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    pub time: i8,
    pub bytes: i8,
}

impl Unit {
    pub const NONE: Unit = Unit { time: 0, bytes: 0 };
    pub const TIME: Unit = Unit { time: 1, bytes: 0 };
    pub const BYTES: Unit = Unit { time: 0, bytes: 1 };

    pub fn words(self) -> &'static str {
        match self {
            Unit::NONE => "a plain number",
            Unit::TIME => "a time",
            Unit::BYTES => "a size",
            _ => "a product or quotient of units",
        }
    }
}

impl<'a> Checker<'a> {
    /// A side of a comparison with its unit.
    pub(super) fn term(
        &mut self,
        expr: &'a ast::Expr,
        metrics: &mut Vec<MetricFacts>,
    ) -> Option<(Term, Unit)> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.term(inner, metrics),
            ExprKind::Number(number) => Some(number_term(number.value)),
            ExprKind::Call { .. } | ExprKind::Cell { .. } => self.metric_term(expr, metrics),
            ExprKind::Binary {
                op, left, right, ..
            } if op.node.is_arithmetic() && op.node != BinaryOp::Mod => {
                let a = self.term(left, metrics);
                let b = self.term(right, metrics);
                let ((left, left_unit), (right, right_unit)) = (a?, b?);
                let arith = arith_op(op.node);
                let unit = match arith {
                    ArithOp::Multiply => Unit {
                        time: left_unit.time.saturating_add(right_unit.time),
                        bytes: left_unit.bytes.saturating_add(right_unit.bytes),
                    },
                    ArithOp::Divide => Unit {
                        time: left_unit.time.saturating_sub(right_unit.time),
                        bytes: left_unit.bytes.saturating_sub(right_unit.bytes),
                    },
                    _ => {
                        if left_unit != right_unit {
                            self.error(
                                Code::WrongUnit,
                                op.span,
                                format!(
                                    "`{}` does not go with {} and {}",
                                    op.node.symbol(),
                                    left_unit.words(),
                                    right_unit.words()
                                ),
                            );
                            return None;
                        }
                        left_unit
                    }
                };
                let term = Term::Arith {
                    op: arith,
                    left: Box::new(left),
                    right: Box::new(right),
                };
                Some((term, unit))
            }
            ExprKind::Path(path) => {
                let help = match path.single() {
                    Some(name) if self.quantity(&name.name).is_some() => {
                        "write the number out; `for n == 1k` limits the sizes that a claim is about"
                    }
                    _ => "a metric is written `time(sqlite, notes.read)`",
                };
                self.error_help(
                    Code::BadClaim,
                    path.span,
                    format!("`{path}` is no metric"),
                    help,
                );
                None
            }
            _ => {
                self.error_help(
                    Code::BadClaim,
                    expr.span,
                    "a side of a claim is a metric, a number, or arithmetic over them",
                    "such as `2 * time(sqlite, notes.read)` or `0.2ms`",
                );
                None
            }
        }
    }
}

#[allow(clippy::cast_precision_loss)]
fn number_term(number: Number) -> (Term, Unit) {
    match number {
        Number::Int(i) => (Term::Number(i as f64), Unit::NONE),
        Number::Float(f) | Number::Percent(f) => (Term::Number(f), Unit::NONE),
        Number::Size(bytes) => (Term::Number(bytes as f64), Unit::BYTES),
        Number::Duration(ns) => (Term::Number(ns as f64), Unit::TIME),
    }
}
