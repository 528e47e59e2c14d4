//! Axes of a metric, and the one that it grows over.

use std::collections::BTreeSet;

use super::super::checker::Checker;
use super::super::constant::evaluate;
use super::metric::MetricFacts;
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::{Code, did_you_mean};
use crate::syntax::ast;

impl Checker<'_> {
    /// Axes over which a trial repeats for an engine.
    pub(super) fn axes_of(&self, trial: usize, engine: &str) -> BTreeSet<String> {
        let mut names = self.trials[trial].names.clone();
        if let Some(engine) = self.engines.iter().find(|e| e.label == engine) {
            names.extend(engine.names.iter().cloned());
        }
        for name in names.clone() {
            if let Some(quantity) = self.quantity(&name) {
                names.extend(quantity.names.iter().cloned());
            }
        }
        names.retain(|name| self.quantity(name).is_some_and(|q| q.is_axis));
        names
    }

    /// The axis that `over` names, or the only one that can be meant.
    pub(super) fn axis_over(
        &mut self,
        over: Option<&ast::Ident>,
        metric: &MetricFacts,
        span: Span,
    ) -> Option<String> {
        let numeric: Vec<String> = metric
            .axes
            .iter()
            .filter(|axis| self.quantity(axis).is_some_and(|q| q.kind.is_numeric()))
            .cloned()
            .collect();
        if let Some(over) = over {
            if numeric.contains(&over.name) {
                return Some(over.name.clone());
            }
            let help =
                did_you_mean(&over.name, numeric.iter().map(String::as_str)).unwrap_or_else(|| {
                    match numeric.as_slice() {
                        [] => "the trial repeats over no sweep of numbers".to_owned(),
                        some => format!("the trial repeats over {}", some.join(", ")),
                    }
                });
            self.error_help(
                Code::AxisNeeded,
                over.span,
                format!("`{over}` is no sweep of numbers of this trial"),
                help,
            );
            return None;
        }
        let open: Vec<&String> = numeric
            .iter()
            .filter(|axis| self.values_left(axis, metric) > 1)
            .collect();
        let candidates: Vec<&String> = if open.is_empty() {
            numeric.iter().collect()
        } else {
            open
        };
        match candidates.as_slice() {
            [one] => Some((*one).clone()),
            [] => {
                self.error_help(
                    Code::AxisNeeded,
                    span,
                    "the trial repeats over no sweep of numbers",
                    "let one of its steps name a sweep, such as `create n User`",
                );
                None
            }
            several => {
                let first = several[0].clone();
                let list: Vec<&str> = several.iter().map(|s| s.as_str()).collect();
                let list = list.join(", ");
                self.error_help(
                    Code::AxisNeeded,
                    span,
                    format!("the trial repeats over {list}: over which is meant?"),
                    format!("write `… over {first}`, and pick the others: `[… == …]`"),
                );
                None
            }
        }
    }

    /// How many values of the axis the metric's cell leaves.
    fn values_left(&self, axis: &str, metric: &MetricFacts) -> usize {
        let Some(points) = self.points(&metric.axes) else {
            return usize::MAX;
        };
        let left = points.iter().filter(|point| {
            metric
                .picks
                .iter()
                .all(|pick| evaluate(pick, *point) != Some(Value::Bool(false)))
        });
        super::super::points::distinct(left.filter_map(|point| point.get(axis).cloned())).len()
    }
}
