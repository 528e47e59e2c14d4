//! Taking pest's pairs apart.

use pest::iterators::{Pair, Pairs};

use super::Rule;
use super::parser::{Built, Parser};
use crate::diagnostics::{Code, Diagnostic};

/// The parts of one pair, taken in order.
pub(super) struct Parts<'t> {
    pairs: Pairs<'t, Rule>,
    /// Where to point if a part is missing.
    whole: Pair<'t, Rule>,
}

impl<'t> Parts<'t> {
    pub fn of(pair: Pair<'t, Rule>) -> Self {
        Self {
            pairs: pair.clone().into_inner(),
            whole: pair,
        }
    }

    pub fn peek(&self) -> Option<Rule> {
        self.pairs.peek().map(|pair| pair.as_rule())
    }

    /// The next part, if it is one of this rule.
    pub fn take(&mut self, rule: Rule) -> Option<Pair<'t, Rule>> {
        if self.peek() == Some(rule) {
            self.pairs.next()
        } else {
            None
        }
    }

    /// Steps over words that carry no information of their own.
    pub fn skip(&mut self, rule: Rule) -> bool {
        self.take(rule).is_some()
    }

    pub fn any(&mut self) -> Option<Pair<'t, Rule>> {
        self.pairs.next()
    }

    /// The next part; the grammar promises that there is one.
    pub fn next(&mut self, parser: &Parser<'t>) -> Built<Pair<'t, Rule>> {
        match self.pairs.next() {
            Some(pair) => Ok(pair),
            None => Err(misread(parser, &self.whole)),
        }
    }
}

/// For a pair that the grammar should not have let through.
pub(super) fn misread<'t>(parser: &Parser<'t>, pair: &Pair<'t, Rule>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        Code::Unexpected,
        parser.span(pair),
        "this cannot be read",
    ))
}
