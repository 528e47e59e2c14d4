//! `engine kind [as label] [{ … }]`, `preset label = kind { … }`.

use super::Rule;
use super::block::Member;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use super::starts::Members;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Block, Engine, EngineOption, Preset, Trivia};

impl<'t> Parser<'t> {
    pub fn engine_item(&mut self, limit: usize) -> Built<Engine> {
        let from = self.at;
        let mut parts = Parts::of(self.piece(Rule::piece_engine, limit)?);
        parts.skip(Rule::kw_engine);
        let kind = self.lower_path(parts.next(self)?)?;
        let label = self.alias(&mut parts, "an engine")?;
        let options = self.options();
        Ok(Engine {
            kind,
            label,
            options,
            span: self.tokens_span(from, self.at),
        })
    }

    pub fn preset_item(&mut self, limit: usize) -> Built<Preset> {
        let from = self.at;
        let mut parts = Parts::of(self.piece(Rule::piece_preset, limit)?);
        parts.skip(Rule::kw_preset);
        let label = self.declared(parts.next(self)?, "a preset")?;
        parts.skip(Rule::assign);
        let kind = self.lower_path(parts.next(self)?)?;
        let options = self.options();
        Ok(Preset {
            label,
            kind,
            options,
            span: self.tokens_span(from, self.at),
        })
    }

    fn options(&mut self) -> Option<Block<EngineOption>> {
        self.opens_block(self.at)
            .then(|| self.block(|parser, trivia, end| parser.option(trivia, end)))
    }

    fn option(&mut self, trivia: Trivia, end: usize) -> Member<EngineOption> {
        let name = self.token_ident(self.at);
        self.member(
            Members::Options,
            trivia,
            end,
            name,
            |parser, limit| {
                parser.option_colon()?;
                let mut parts = Parts::of(parser.piece(Rule::piece_option, limit)?);
                let label = parts.next(parser)?;
                let name = parser.label(label)?;
                let value = parts.next(parser)?;
                Ok((name, parser.expr(value)?))
            },
            |(name, value), trivia, span| EngineOption {
                name,
                value,
                trivia,
                span,
            },
        )
    }

    /// `journal_mode = wal` is the likeliest mistake in an option.
    fn option_colon(&self) -> Built<()> {
        if self.is_word(self.at) && self.is_symbol(self.at + 1, "=") {
            let name = self.token_text(self.at);
            return Err(Box::new(
                Diagnostic::error(
                    Code::Unexpected,
                    self.token_span(self.at + 1),
                    "an option's value follows a colon",
                )
                .label("expected `:`")
                .help(format!("write `{name}: …`")),
            ));
        }
        Ok(())
    }
}
