//! Expressions. The grammar gives operands and operators in a row; here they
//! find their precedence:
//! `or` < `and` < `not` < comparison < `of` < `..` < `+ -` < `* / mod` < minus.

use std::iter::Peekable;

use pest::iterators::{Pair, Pairs};

use super::Rule;
use super::pairs::{Parts, misread};
use super::parser::{Built, Parser};
use super::postfix::unchained;
use crate::base::span::{Span, Spanned};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, InSet, UnaryOp};

/// Trees of expressions higher than this are refused: everything that walks
/// them may recurse.
const MAX_HEIGHT: u32 = 160;

// Binding powers.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const IGNORING: u8 = 4;
const COMPARE: u8 = 5;
const OF: u8 = 6;
const RANGE: u8 = 7;
const ADD: u8 = 8;
const MUL: u8 = 9;
const NEG: u8 = 10;
const CELL: u8 = 11;

type Row<'t> = Peekable<Pairs<'t, Rule>>;

impl<'t> Parser<'t> {
    /// An `expr` or `operation` pair.
    pub fn expr(&mut self, pair: Pair<'t, Rule>) -> Built<Expr> {
        let span = self.span(&pair);
        let mut conditions = Vec::new();
        let mut operation = None;
        match pair.as_rule() {
            Rule::expr => {
                for part in pair.clone().into_inner() {
                    match part.as_rule() {
                        Rule::conditional => conditions.push(part),
                        _ => operation = Some(part),
                    }
                }
            }
            _ => operation = Some(pair.clone()),
        }
        let operation = operation.ok_or_else(|| misread(self, &pair))?;
        let mut prefixes = Vec::with_capacity(conditions.len());
        let mut height = 0;
        for condition in conditions {
            prefixes.push(self.condition(condition)?);
            height = height.max(self.height);
        }
        let mut expr = self.operation(operation)?;
        height = height.max(self.height);
        // From the innermost outwards.
        for (prefix, start) in prefixes.into_iter().rev() {
            self.grown(height, span)?;
            height = self.height;
            let span = Span::new(span.file, start, span.end);
            expr = Expr::new(prefix.before(expr), span);
        }
        self.height = height;
        Ok(expr)
    }

    fn condition(&mut self, pair: Pair<'t, Rule>) -> Built<(Condition, u32)> {
        let start = self.span(&pair).start;
        let inner = Parts::of(pair).next(self)?;
        let rule = inner.as_rule();
        let mut parts = Parts::of(inner);
        let condition = if rule == Rule::null_share {
            let number = parts.next(self)?;
            self.height = 1;
            Condition::Share(self.number(&number)?)
        } else {
            parts.skip(Rule::kw_null);
            parts.skip(Rule::kw_when);
            let operation = parts.next(self)?;
            Condition::When(Box::new(self.expr(operation)?))
        };
        Ok((condition, start))
    }

    fn operation(&mut self, pair: Pair<'t, Rule>) -> Built<Expr> {
        let whole = pair.clone();
        let mut row = pair.into_inner().peekable();
        let expr = self.climb(&mut row, 0, 0, &whole)?;
        match row.next() {
            None => Ok(expr),
            Some(rest) => Err(misread(self, &rest)),
        }
    }

    fn climb(
        &mut self,
        row: &mut Row<'t>,
        least: u8,
        nesting: u32,
        whole: &Pair<'t, Rule>,
    ) -> Built<Expr> {
        if nesting > MAX_HEIGHT {
            return Err(too_high(self.span(whole)));
        }
        let first = row.next().ok_or_else(|| misread(self, whole))?;
        let mut left = match first.as_rule() {
            Rule::op_neg | Rule::kw_not | Rule::row_of => {
                self.prefixed(first, row, nesting, whole)?
            }
            _ => self.operand(first)?,
        };
        while let Some(next) = row.peek() {
            let power = power(next.as_rule());
            if power == 0 || power < least {
                break;
            }
            let Some(next) = row.next() else { break };
            let height = self.height;
            left = if is_postfix(next.as_rule()) {
                self.postfixed(left, next, height)?
            } else {
                let right = self.climb(row, power + 1, nesting + 1, whole)?;
                let span = left.span.to(right.span);
                self.grown(height.max(self.height), span)?;
                self.binary(left, &next, right)?
            };
        }
        Ok(left)
    }

    fn prefixed(
        &mut self,
        prefix: Pair<'t, Rule>,
        row: &mut Row<'t>,
        nesting: u32,
        whole: &Pair<'t, Rule>,
    ) -> Built<Expr> {
        let start = self.span(&prefix);
        let (op, power) = match prefix.as_rule() {
            Rule::op_neg => (Some(UnaryOp::Neg), NEG),
            Rule::kw_not => (Some(UnaryOp::Not), NOT),
            _ => (None, ADD),
        };
        let operand = self.climb(row, power, nesting + 1, whole)?;
        let span = start.to(operand.span);
        self.grown(self.height, span)?;
        let operand = Box::new(operand);
        let kind = match op {
            Some(op) => ExprKind::Unary {
                op: Spanned::new(op, start),
                operand,
            },
            None => {
                let model = Parts::of(prefix).next(self)?;
                ExprKind::At {
                    model: self.path(model),
                    row: operand,
                }
            }
        };
        Ok(Expr::new(kind, span))
    }

    fn binary(&mut self, left: Expr, op: &Pair<'t, Rule>, right: Expr) -> Built<Expr> {
        let span = left.span.to(right.span);
        let op_span = self.span(op);
        let kind = match op.as_rule() {
            Rule::op_range => {
                if matches!(left.kind, ExprKind::Range { .. }) {
                    return Err(Box::new(
                        Diagnostic::error(Code::Unexpected, op_span, "a range has two ends")
                            .label("a third end"),
                    ));
                }
                ExprKind::Range {
                    from: Box::new(left),
                    to: Box::new(right),
                }
            }
            Rule::op_in => {
                unchained(&left, op_span)?;
                ExprKind::In {
                    value: Box::new(left),
                    set: InSet::Expr(Box::new(right)),
                    ignoring_case: false,
                }
            }
            _ => {
                let symbol = op.as_str().trim();
                let found = BinaryOp::ALL.iter().find(|op| op.symbol() == symbol);
                let op = *found.ok_or_else(|| misread(self, op))?;
                if op.is_comparison() {
                    unchained(&left, op_span)?;
                }
                ExprKind::Binary {
                    op: Spanned::new(op, op_span),
                    left: Box::new(left),
                    right: Box::new(right),
                    ignoring_case: false,
                }
            }
        };
        Ok(Expr::new(kind, span))
    }

    /// Notes that something stands above an expression of this height.
    pub fn grown(&mut self, height: u32, span: Span) -> Built<()> {
        self.height = height + 1;
        if self.height > MAX_HEIGHT {
            return Err(too_high(span));
        }
        Ok(())
    }
}

enum Condition {
    When(Box<Expr>),
    Share(crate::syntax::ast::NumberLit),
}

impl Condition {
    fn before(self, otherwise: Expr) -> ExprKind {
        let otherwise = Box::new(otherwise);
        match self {
            Self::When(condition) => ExprKind::NullWhen {
                condition,
                otherwise,
            },
            Self::Share(share) => ExprKind::NullShare { share, otherwise },
        }
    }
}

/// Binding power of an operator; 0 for what is none.
fn power(rule: Rule) -> u8 {
    match rule {
        Rule::kw_or => OR,
        Rule::kw_and => AND,
        Rule::ignoring_case => IGNORING,
        Rule::op_compare | Rule::op_text | Rule::op_in => COMPARE,
        Rule::in_list | Rule::is_null | Rule::is_empty | Rule::is_shape => COMPARE,
        Rule::of_model => OF,
        Rule::op_range => RANGE,
        Rule::op_add => ADD,
        Rule::op_mul | Rule::kw_mod => MUL,
        Rule::picks | Rule::over => CELL,
        _ => 0,
    }
}

fn is_postfix(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::ignoring_case
            | Rule::in_list
            | Rule::is_null
            | Rule::is_empty
            | Rule::is_shape
            | Rule::of_model
            | Rule::picks
            | Rule::over
    )
}

fn too_high(span: Span) -> Box<Diagnostic> {
    // All of it says less than where it begins.
    let span = Span::new(span.file, span.start, span.end.min(span.start + 1));
    Box::new(
        Diagnostic::error(Code::TooDeep, span, "this expression is nested too deeply")
            .help("a list `in (…)`, a pool or a hook says the same in fewer words"),
    )
}
