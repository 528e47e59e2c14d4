//! `expect comparison`, over counts and results of steps before.

use super::super::checker::Checker;
use super::super::model::OpDef;
use super::super::operators::{arith_op, compare_op};
use super::super::types::{Type, Typed};
use super::TrialState;
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::step::Operand;
use crate::plan::{CompareOp, Expr};
use crate::syntax::ast::{self, BinaryOp, ExprKind, Number};

impl<'a> Checker<'a> {
    pub fn expect(&mut self, expr: &'a ast::Expr, state: &TrialState) -> Option<OpDef> {
        let ExprKind::Binary {
            op, left, right, ..
        } = &expr.inner().kind
        else {
            self.not_an_expectation(expr.span);
            return None;
        };
        let plain = matches!(
            op.node,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        );
        if !plain {
            self.not_an_expectation(op.span);
            return None;
        }
        let (left_operand, left_type) = self.operand(left, state)?;
        let (right_operand, right_type) = self.operand(right, state)?;
        let compare = compare_op(op.node);
        self.sides_agree(
            left_type, left.span, right_type, right.span, compare, op.span,
        );
        if matches!(
            (&left_operand, &right_operand),
            (
                Operand::Literal(_) | Operand::Name(_),
                Operand::Literal(_) | Operand::Name(_)
            )
        ) {
            self.error_help(
                Code::BadExpect,
                expr.span,
                "no step is spoken of",
                "name one: `expect native > 0`, `expect total.value == n`",
            );
        }
        Some(OpDef::Expect {
            left: left_operand,
            op: compare,
            right: right_operand,
        })
    }

    fn sides_agree(
        &mut self,
        left: Type,
        left_span: Span,
        right: Type,
        right_span: Span,
        op: CompareOp,
        at: Span,
    ) {
        let dummy = |ty: Type| Typed::new(Expr::It, ty);
        self.comparable(dummy(left), left_span, dummy(right), right_span, op, at);
    }

    fn not_an_expectation(&mut self, span: Span) {
        self.error_help(
            Code::BadExpect,
            span,
            "`expect` takes one comparison",
            "such as `expect native == hooked` or `expect total.value > 0`",
        );
    }

    fn operand(&mut self, expr: &'a ast::Expr, state: &TrialState) -> Option<(Operand, Type)> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.operand(inner, state),
            ExprKind::Number(number) => Some(match number.value {
                Number::Int(i) => (Operand::Literal(Value::Int(i)), Type::Int),
                Number::Float(f) | Number::Percent(f) => {
                    (Operand::Literal(Value::Float(f)), Type::Float)
                }
                Number::Size(_) | Number::Duration(_) => {
                    self.error(
                        Code::BadExpect,
                        expr.span,
                        "an `expect` is about counts and computed values; times and sizes are for claims",
                    );
                    return None;
                }
            }),
            ExprKind::Unary { op, operand } if op.node == ast::UnaryOp::Neg => {
                match self.operand(operand, state)? {
                    (Operand::Literal(Value::Int(i)), ty) => {
                        Some((Operand::Literal(Value::Int(-i)), ty))
                    }
                    (Operand::Literal(Value::Float(f)), ty) => {
                        Some((Operand::Literal(Value::Float(-f)), ty))
                    }
                    _ => {
                        self.not_an_expectation(expr.span);
                        None
                    }
                }
            }
            ExprKind::Bool(b) => Some((Operand::Literal(Value::Bool(*b)), Type::Bool)),
            ExprKind::Date(date) => Some((
                Operand::Literal(Value::Timestamp(date.unix_ms)),
                Type::Timestamp,
            )),
            ExprKind::Text(text) => match text.plain() {
                Some(plain) => Some((Operand::Literal(Value::Text(plain.to_owned())), Type::Text)),
                None => {
                    self.misplaced_fill(text);
                    None
                }
            },
            ExprKind::Path(path) => self.step_operand(path, state),
            ExprKind::Binary {
                op, left, right, ..
            } if op.node.is_arithmetic() => {
                let (left_operand, a) = self.operand(left, state)?;
                let (right_operand, b) = self.operand(right, state)?;
                for (ty, side) in [(&a, left), (&b, right)] {
                    if !ty.is_number() {
                        let words = ty.words(&self.exp.schema);
                        self.error(
                            Code::WrongType,
                            side.span,
                            format!("a number belongs here; this is {words}"),
                        );
                        return None;
                    }
                }
                let ty = match (&a, &b) {
                    (Type::Int, Type::Int) => Type::Int,
                    (x, y) if x.is_open() || y.is_open() => Type::Dynamic,
                    _ => Type::Float,
                };
                let operand = Operand::Arith {
                    op: arith_op(op.node),
                    left: Box::new(left_operand),
                    right: Box::new(right_operand),
                };
                Some((operand, ty))
            }
            _ => {
                self.not_an_expectation(expr.span);
                None
            }
        }
    }

    fn step_operand(&mut self, path: &'a ast::Path, state: &TrialState) -> Option<(Operand, Type)> {
        let first = path.first()?;
        let found = state.facts.iter().find(|f| f.label == first.name).cloned();
        let Some(step) = found else {
            if let Some(quantity) = self.quantity(&first.name)
                && path.segments.len() == 1
            {
                let ty = quantity.kind.ty();
                self.note_name(&first.name);
                return Some((Operand::Name(first.name.clone()), ty));
            }
            self.unknown_step(first, state);
            return None;
        };
        if step.in_setup || step.in_block {
            let help = if step.in_setup {
                "move the step out of `setup`"
            } else {
                "name the block"
            };
            self.error_help(
                Code::BadExpect,
                first.span,
                format!("`{first}` is not measured, so nothing is kept of it"),
                help,
            );
            return None;
        }
        match path.segments.as_slice() {
            [_] if step.counts => Some((Operand::Count(step.label), Type::Int)),
            [_, value] if value.name == "value" => match step.result {
                Some(ty) => Some((Operand::Result(step.label), ty)),
                None => {
                    self.error_help(
                        Code::BadExpect,
                        path.span,
                        format!("`{first}` computes nothing"),
                        "give it `compute sum(…)`, or name the step alone for its count",
                    );
                    None
                }
            },
            [_] => {
                self.error(
                    Code::BadExpect,
                    path.span,
                    format!("`{first}` is a `{}`: it has no count", step.verb),
                );
                None
            }
            _ => {
                self.error_help(
                    Code::BadExpect,
                    path.span,
                    format!("a step has no `{path}`"),
                    format!("`{first}` is its count, `{first}.value` what it computes"),
                );
                None
            }
        }
    }

    fn unknown_step(&mut self, name: &ast::Ident, state: &TrialState) {
        if state.broken || self.may_declare(0, &name.name) {
            return;
        }
        if state.labels.values().any(|label| *label == name.name) {
            self.error_help(
                Code::BadExpect,
                name.span,
                format!("`{name}` comes later"),
                "an `expect` stands after the steps it speaks of",
            );
            return;
        }
        let labels = state.facts.iter().map(|f| f.label.as_str());
        let names = self.quantities.iter().map(|q| q.name.as_str());
        let help = did_you_mean(&name.name, labels.chain(names));
        self.error_maybe(
            Code::BadExpect,
            name.span,
            format!("no step before is called `{name}`"),
            help,
        );
    }
}
