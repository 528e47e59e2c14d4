//! Conditions of claims: `for n >= 1k`, `[batch == 1]`.

use std::collections::BTreeSet;

use super::super::checker::Checker;
use super::super::constant::words;
use super::super::place::{Cx, Place};
use super::metric::MetricFacts;
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::Code;
use crate::plan::claim::Condition;
use crate::plan::{CompareOp, Expr};
use crate::syntax::ast;

/// A checked condition, in both forms.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub condition: Condition,
    pub expr: Expr,
    pub span: Span,
}

impl<'a> Checker<'a> {
    /// A condition over axes of these metrics; `None` where it is wrong.
    pub(super) fn claim_condition(
        &mut self,
        ast: &'a ast::Expr,
        metrics: &[MetricFacts],
    ) -> Option<Clause> {
        let errors = self.out.len();
        let outer = self.take_names();
        let expr = self.condition(ast, Cx::new(0, Place::Point));
        let named = std::mem::replace(&mut self.names, outer);
        if self.out.len() > errors {
            return None;
        }
        let mut open = false;
        expr.walk(&mut |inner| open |= matches!(inner, Expr::It));
        if open {
            return None;
        }
        let mut axes = BTreeSet::new();
        for metric in metrics {
            axes.extend(metric.axes.iter().cloned());
        }
        let stray = named
            .iter()
            .find(|name| self.quantity(name).is_some_and(|q| q.is_axis) && !axes.contains(*name));
        if let (Some(stray), false) = (stray, metrics.is_empty()) {
            let help = if axes.is_empty() {
                "it repeats over no sweep".to_owned()
            } else {
                let list: Vec<&str> = axes.iter().map(String::as_str).collect();
                format!("it repeats over {}", list.join(", "))
            };
            let message = format!("the trial does not repeat over `{stray}`");
            self.error_help(Code::BadCondition, ast.span, message, help);
            return None;
        }
        let Some(condition) = condition_of(&expr) else {
            self.error_help(
                Code::BadCondition,
                ast.span,
                "a condition of a claim compares sweeps with values as written",
                "such as `n >= 1k`, `batch == n`, `journal == wal`, `n in 1k..10k`",
            );
            return None;
        };
        self.values_exist(&expr, ast.span)?;
        Some(Clause {
            condition,
            expr,
            span: ast.span,
        })
    }

    /// `n == 7` needs a sweep that has a 7.
    fn values_exist(&mut self, expr: &Expr, span: Span) -> Option<()> {
        match expr {
            Expr::And(all) | Expr::Or(all) => {
                all.iter().try_for_each(|one| self.values_exist(one, span))
            }
            Expr::Not(inner) => self.values_exist(inner, span),
            Expr::Compare {
                op: CompareOp::Equal | CompareOp::NotEqual,
                left,
                right,
                ..
            } => match (&**left, &**right) {
                (Expr::Name(name), Expr::Literal(value))
                | (Expr::Literal(value), Expr::Name(name)) => self.value_exists(name, value, span),
                _ => Some(()),
            },
            Expr::In { needle, among, .. } => {
                let Expr::Name(name) = &**needle else {
                    return Some(());
                };
                among.iter().try_for_each(|one| match one {
                    Expr::Literal(value) => self.value_exists(name, value, span),
                    _ => Some(()),
                })
            }
            _ => Some(()),
        }
    }

    fn value_exists(&mut self, name: &str, value: &Value, span: Span) -> Option<()> {
        use super::super::constant::holds;
        let quantity = self.quantity(name)?;
        let there = quantity
            .values
            .iter()
            .any(|own| holds(CompareOp::Equal, own, value));
        if there || quantity.values.is_empty() {
            return Some(());
        }
        let values: Vec<String> = quantity.values.iter().take(12).map(words).collect();
        let message = format!("`{name}` is never {}", words(value));
        let help = format!("its values are {}", values.join(", "));
        self.error_help(Code::BadCondition, span, message, help);
        None
    }
}

/// The plan's form; `None` where it has none.
fn condition_of(expr: &Expr) -> Option<Condition> {
    match expr {
        Expr::And(all) => all
            .iter()
            .map(condition_of)
            .collect::<Option<_>>()
            .map(Condition::And),
        Expr::Or(all) => all
            .iter()
            .map(condition_of)
            .collect::<Option<_>>()
            .map(Condition::Or),
        Expr::Not(inner) => Some(Condition::Not(Box::new(condition_of(inner)?))),
        Expr::Compare {
            op, left, right, ..
        } => compare(*op, left, right),
        Expr::Between { value, low, high } => match (&**value, &**low, &**high) {
            (Expr::Name(axis), Expr::Literal(low), Expr::Literal(high)) => {
                Some(Condition::Between {
                    axis: axis.clone(),
                    low: low.clone(),
                    high: high.clone(),
                })
            }
            (value, low, high) => Some(Condition::And(vec![
                compare(CompareOp::GreaterOrEqual, value, low)?,
                compare(CompareOp::LessOrEqual, value, high)?,
            ])),
        },
        Expr::In { needle, among, .. } => among
            .iter()
            .map(|one| compare(CompareOp::Equal, needle, one))
            .collect::<Option<_>>()
            .map(Condition::Or),
        _ => None,
    }
}

fn compare(op: CompareOp, left: &Expr, right: &Expr) -> Option<Condition> {
    match (left, right) {
        (Expr::Name(axis), Expr::Literal(value)) => Some(Condition::Compare {
            axis: axis.clone(),
            op,
            value: value.clone(),
        }),
        (Expr::Literal(value), Expr::Name(axis)) => Some(Condition::Compare {
            axis: axis.clone(),
            op: mirrored(op),
            value: value.clone(),
        }),
        (Expr::Name(left), Expr::Name(right)) => Some(Condition::CompareAxes {
            left: left.clone(),
            op,
            right: right.clone(),
        }),
        _ => None,
    }
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessOrEqual => CompareOp::GreaterOrEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterOrEqual => CompareOp::LessOrEqual,
        same @ (CompareOp::Equal | CompareOp::NotEqual) => same,
    }
}
