//! Enums: cases and weights.

use super::checker::Checker;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{EnumCase, ItemKind, Number};

impl<'a> Checker<'a> {
    /// Checks the enums that are items.
    pub fn check_enums(&mut self) {
        for (_, item) in self.items() {
            if let ItemKind::Enum(one) = &item.kind {
                self.enum_cases(&one.cases, one.name.span);
            }
        }
    }

    /// Cases with their weights, reporting what is wrong with them.
    pub fn enum_cases(&mut self, cases: &'a [EnumCase], at: Span) -> Vec<(String, f64)> {
        if cases.is_empty() {
            self.error(Code::BadEnum, at, "an enum has at least one case");
        }
        for (position, case) in cases.iter().enumerate() {
            let first = cases[..position]
                .iter()
                .find(|c| c.name.name == case.name.name);
            if let Some(first) = first {
                self.out.push(
                    Diagnostic::error(
                        Code::BadEnum,
                        case.name.span,
                        format!("`{}` stands twice", case.name),
                    )
                    .related(first.name.span, "first here"),
                );
            }
            if let Some(weight) = &case.weight
                && !matches!(weight.value, Number::Percent(_))
            {
                self.error_help(
                    Code::BadEnum,
                    weight.span,
                    "a weight is a percentage",
                    "such as `pending: 20%`",
                );
            }
        }
        let given: f64 = cases.iter().filter_map(percent).sum();
        let all = cases.iter().all(|c| c.weight.is_some());
        if given > 1.0 + 1e-9 {
            self.error_help(
                Code::BadEnum,
                at,
                format!("the weights sum to {}%", rounded(given * 100.0)),
                "they sum to 100% at most; cases without one share the rest",
            );
        } else if all && !cases.is_empty() && given < 1.0 - 1e-9 {
            self.error_help(
                Code::BadEnum,
                at,
                format!("the weights sum to {}% only", rounded(given * 100.0)),
                "leave one out, and that case gets the rest",
            );
        }
        self.weights(cases)
    }

    /// Cases with their weights; those without share the rest evenly.
    pub fn weights(&self, cases: &[EnumCase]) -> Vec<(String, f64)> {
        let given: f64 = cases.iter().filter_map(percent).sum();
        let open = cases.iter().filter(|c| c.weight.is_none()).count();
        #[allow(clippy::cast_precision_loss)]
        let share = (1.0 - given).max(0.0) / open.max(1) as f64;
        cases
            .iter()
            .map(|case| (case.name.name.clone(), percent(case).unwrap_or(share)))
            .collect()
    }
}

fn percent(case: &EnumCase) -> Option<f64> {
    match case.weight.as_ref()?.value {
        Number::Percent(share) => Some(share),
        _ => Some(0.0),
    }
}

fn rounded(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}
