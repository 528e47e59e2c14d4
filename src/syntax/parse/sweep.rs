//! `param n = 10k`, `sweep n = 100, 1k`, `sweep n = 100..10M by *10`.

use pest::iterators::Pair;

use super::Rule;
use super::pairs::{Parts, misread};
use super::parser::{Built, Parser};
use crate::base::span::Spanned;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{ExprKind, Param, Sweep, SweepStep, SweepValues};

impl<'t> Parser<'t> {
    pub fn param_item(&mut self, limit: usize) -> Built<Param> {
        let pair = self.piece(Rule::piece_param, limit)?;
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_param);
        let name = self.declared(parts.next(self)?, "a param")?;
        parts.skip(Rule::assign);
        let value = parts.next(self)?;
        Ok(Param {
            name,
            value: self.expr(value)?,
            span,
        })
    }

    pub fn sweep_item(&mut self, limit: usize) -> Built<Sweep> {
        let pair = self.piece(Rule::piece_sweep, limit)?;
        let span = self.span(&pair);
        let mut parts = Parts::of(pair);
        parts.skip(Rule::kw_sweep);
        let name = self.declared(parts.next(self)?, "a sweep")?;
        parts.skip(Rule::assign);
        let values = parts.next(self)?;
        Ok(Sweep {
            name,
            values: self.values(values)?,
            span,
        })
    }

    pub fn values(&mut self, pair: Pair<'t, Rule>) -> Built<SweepValues> {
        let span = self.span(&pair);
        let mut parts = Parts::of(pair.clone());
        let mut list = self.exprs(&mut parts)?;
        let Some(step) = parts.take(Rule::by_step) else {
            return match list.as_slice() {
                [only] if matches!(only.kind, ExprKind::Range { .. }) => Err(Box::new(
                    Diagnostic::error(Code::Unexpected, span, "a range of values needs its steps")
                        .help("write `100..10M by *10`, or list the values: `100, 1k, 10k`"),
                )),
                _ => Ok(SweepValues::List(list)),
            };
        };
        let place = self.span(&step);
        let (Some(range), true) = (list.pop(), list.is_empty()) else {
            return Err(by_without_range(place));
        };
        let ExprKind::Range { from, to } = range.kind else {
            return Err(by_without_range(place));
        };
        let mut parts = Parts::of(step);
        parts.skip(Rule::kw_by);
        let sign = parts.next(self)?;
        let step = match sign.as_str().trim() {
            "*" => SweepStep::Times,
            "+" => SweepStep::Plus,
            _ => return Err(misread(self, &sign)),
        };
        let step = Spanned::new(step, self.span(&sign));
        let by = parts.next(self)?;
        Ok(SweepValues::Range {
            from: *from,
            to: *to,
            step,
            by: self.expr(by)?,
        })
    }
}

fn by_without_range(place: crate::base::span::Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(Code::Unexpected, place, "`by` follows one range")
            .help("write `100..10M by *10`"),
    )
}
