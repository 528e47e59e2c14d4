//! A claim's comparisons.

use super::super::checker::Checker;
use super::super::operators::compare_op;
use super::condition::Clause;
use super::metric::MetricFacts;
use super::term::Unit;
use crate::base::span::Span;
use crate::diagnostics::{Code, did_you_mean};
use crate::plan::claim::{Growth, Relation, Term};
use crate::plan::{Claim, ClaimComparison};
use crate::syntax::ast::{self, BinaryOp, ExprKind, InSet, ItemKind};

const SHAPES: &[(&str, Growth)] = &[
    ("constant", Growth::Constant),
    ("logarithmic", Growth::Logarithmic),
    ("linear", Growth::Linear),
    ("linearithmic", Growth::Linearithmic),
    ("quadratic", Growth::Quadratic),
];

impl<'a> Checker<'a> {
    pub fn check_claims(&mut self) {
        for (unit, item) in self.items() {
            if let (0, ItemKind::Claim(claim)) = (unit, &item.kind) {
                self.claim(claim, item.span);
            }
        }
    }

    fn claim(&mut self, claim: &'a ast::Claim, span: Span) {
        let text = self.heading(&claim.title);
        let comparisons = claim
            .comparisons
            .members
            .iter()
            .filter_map(|comparison| self.claim_comparison(comparison))
            .collect::<Vec<_>>();
        if claim.comparisons.members.is_empty() && claim.comparisons.broken.is_empty() {
            self.error_help(
                Code::BadClaim,
                claim.title.span,
                "the claim compares nothing",
                "such as `time(sqlite, notes.read) < time(realm, notes.read)`",
            );
        }
        self.exp.claims.push(Claim {
            text,
            comparisons,
            line: self.sources.position(span).line,
        });
    }

    fn claim_comparison(&mut self, comparison: &'a ast::Comparison) -> Option<ClaimComparison> {
        let mut metrics = Vec::new();
        let relation = self.relation(&comparison.expr, &mut metrics);
        let clause = comparison
            .condition
            .as_ref()
            .map(|condition| self.claim_condition(condition, &metrics));
        let clause = match clause {
            Some(None) => return None,
            Some(found) => found,
            None => None,
        };
        let relation = relation?;
        self.something_selected(&metrics, clause.as_ref());
        Some(ClaimComparison {
            text: self.one_line(comparison.span),
            relation,
            condition: clause.map(|clause| clause.condition),
            line: self.sources.position(comparison.span).line,
        })
    }

    fn relation(
        &mut self,
        expr: &'a ast::Expr,
        metrics: &mut Vec<MetricFacts>,
    ) -> Option<Relation> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.relation(inner, metrics),
            ExprKind::Binary {
                op, left, right, ..
            } if is_plain(op.node) => {
                let a = self.term(left, metrics);
                let b = self.term(right, metrics);
                let ((left_term, left_unit), (right_term, right_unit)) = (a?, b?);
                self.same_unit(left_unit, right_unit, right, op.span);
                if metrics.is_empty() {
                    self.measures_nothing(expr.span);
                }
                Some(Relation::Compare {
                    left: left_term,
                    op: compare_op(op.node),
                    right: right_term,
                })
            }
            ExprKind::In {
                value,
                set: InSet::Expr(range),
                ..
            } => {
                let ExprKind::Range { from, to } = &range.inner().kind else {
                    self.not_a_claim(range.span);
                    return None;
                };
                let value_term = self.term(value, metrics);
                let low = self.term(from, metrics);
                let high = self.term(to, metrics);
                let ((value, unit), (low, low_unit), (high, high_unit)) =
                    (value_term?, low?, high?);
                self.same_unit(unit, low_unit, from, from.span);
                self.same_unit(unit, high_unit, to, to.span);
                if metrics.is_empty() {
                    self.measures_nothing(expr.span);
                }
                if let (Term::Number(low), Term::Number(high)) = (&low, &high)
                    && low > high
                {
                    self.error_help(
                        Code::BadRange,
                        range.span,
                        "the range is empty: it starts above its end",
                        "ranges go upwards and include both ends",
                    );
                }
                Some(Relation::Between { value, low, high })
            }
            ExprKind::IsShape { value, shape } => {
                let is = SHAPES.iter().find(|(word, _)| *word == shape.name);
                if is.is_none() {
                    let words = SHAPES.iter().map(|(word, _)| *word);
                    let help = did_you_mean(&shape.name, words).unwrap_or_else(|| {
                        "growth is constant, logarithmic, linear, linearithmic or quadratic".into()
                    });
                    self.error_help(
                        Code::BadClaim,
                        shape.span,
                        format!("nothing grows `{shape}`"),
                        help,
                    );
                }
                let (of, over) = self.growth(value, metrics)?;
                let is = is?.1;
                Some(Relation::Growth { of, over, is })
            }
            _ => {
                self.not_a_claim(expr.span);
                None
            }
        }
    }

    fn not_a_claim(&mut self, span: Span) {
        self.error_help(
            Code::BadClaim,
            span,
            "a claim compares what is measured",
            "such as `time(a, t.s) < 2 * time(b, t.s)`, `… in 5..15` or `growth(time, a, t.s) is linear`",
        );
    }

    fn measures_nothing(&mut self, span: Span) {
        self.error_help(
            Code::BadClaim,
            span,
            "no metric stands in this comparison",
            "such as `time(sqlite, notes.read) < 2ms`",
        );
    }

    fn same_unit(&mut self, left: Unit, right: Unit, at: &ast::Expr, span: Span) {
        if left == right {
            return;
        }
        let bare = matches!(at.inner().kind, ExprKind::Number(_));
        let help = match (left, bare) {
            (Unit { time: 1, bytes: 0 }, true) => "write a time, such as `0.2ms`",
            (Unit { time: 0, bytes: 1 }, true) => "write a size, such as `6MB`",
            (Unit { time: 0, bytes: 0 }, true) => "write a plain number",
            _ => "divide two like metrics to compare them with a number",
        };
        self.error_help(
            Code::WrongUnit,
            span,
            format!("{} is compared with {}", left.words(), right.words()),
            help,
        );
    }

    /// Reports a comparison that speaks of no cell at all.
    fn something_selected(&mut self, metrics: &[MetricFacts], clause: Option<&Clause>) {
        let mut last: Option<Span> = None;
        for metric in metrics {
            let Some(points) = self.points(&metric.axes) else {
                continue;
            };
            let runs: Vec<_> = points
                .iter()
                .filter(|point| !metric.skips.iter().any(|s| is(s, point, true)))
                .collect();
            let picked: Vec<_> = runs
                .iter()
                .filter(|point| metric.picks.iter().all(|p| !is(p, point, false)))
                .collect();
            if picked.is_empty() {
                last = Some(metric.span);
                break;
            }
            if let Some(clause) = clause
                && picked.iter().all(|point| is(&clause.expr, point, false))
            {
                last = Some(clause.span);
                break;
            }
        }
        if let Some(at) = last {
            self.error_help(
                Code::NothingSelected,
                at,
                "no point of the trial is like this",
                "look at the values of its sweeps, and at `skip when`",
            );
        }
    }
}

/// Whether the condition has this value at the point (unknown is neither).
fn is(expr: &crate::plan::Expr, point: &super::super::points::Names, value: bool) -> bool {
    super::super::constant::evaluate(expr, point) == Some(crate::base::Value::Bool(value))
}

fn is_plain(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    )
}
