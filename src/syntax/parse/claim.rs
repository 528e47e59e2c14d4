//! `claim "what the author says" { comparison … }`.

use super::Rule;
use super::block::Member;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use super::starts::Members;
use crate::syntax::ast::{Claim, Comparison, Trivia};

impl<'t> Parser<'t> {
    pub fn claim_item(&mut self, limit: usize) -> Built<Claim> {
        let from = self.at;
        let mut parts = Parts::of(self.piece(Rule::piece_claim, limit)?);
        parts.skip(Rule::kw_claim);
        let title = parts.next(self)?;
        let title = self.text(title)?;
        let comparisons = self.block(|parser, trivia, end| parser.comparison(trivia, end));
        Ok(Claim {
            title,
            comparisons,
            span: self.tokens_span(from, self.at),
        })
    }

    fn comparison(&mut self, trivia: Trivia, end: usize) -> Member<Comparison> {
        self.member(
            Members::Comparisons,
            trivia,
            end,
            None,
            |parser, limit| {
                let mut parts = Parts::of(parser.piece(Rule::piece_comparison, limit)?);
                let expr = parts.next(parser)?;
                let expr = parser.expr(expr)?;
                let condition = match parts.take(Rule::condition) {
                    Some(pair) => {
                        let mut parts = Parts::of(pair);
                        parts.skip(Rule::kw_for);
                        let condition = parts.next(parser)?;
                        Some(parser.expr(condition)?)
                    }
                    None => None,
                };
                Ok((expr, condition))
            },
            |(expr, condition), trivia, span| Comparison {
                expr,
                condition,
                trivia,
                span,
            },
        )
    }
}
