//! `experiment "title" { … }`.

use super::Rule;
use super::block::Member;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use super::starts::Members;
use crate::base::span::Spanned;
use crate::diagnostics::{Code, Diagnostic, did_you_mean};
use crate::syntax::ast::{
    CacheState, Experiment, Ident, Limit, LimitKind, QuickValue, RoundOrder, Setting, SettingKind,
    Trivia,
};

const SETTINGS: &[&str] = &[
    "source", "about", "authors", "seed", "runs", "warmup", "order", "cache", "budget", "limits",
    "tiers", "quick",
];

impl<'t> Parser<'t> {
    pub fn experiment_item(&mut self, limit: usize) -> Built<Experiment> {
        let from = self.at;
        let mut parts = Parts::of(self.piece(Rule::piece_experiment, limit)?);
        parts.skip(Rule::kw_experiment);
        let title = parts.next(self)?;
        let title = self.text(title)?;
        let settings = self.block(|parser, trivia, end| parser.setting(trivia, end));
        Ok(Experiment {
            title,
            settings,
            span: self.tokens_span(from, self.at),
        })
    }

    fn setting(&mut self, trivia: Trivia, end: usize) -> Member<Setting> {
        let name = self.token_ident(self.at);
        self.member(
            Members::Settings,
            trivia,
            end,
            name,
            |parser, limit| parser.setting_kind(limit),
            |(keyword, kind), trivia, span| Setting {
                kind,
                keyword,
                trivia,
                span,
            },
        )
    }

    fn setting_kind(&mut self, limit: usize) -> Built<(Ident, SettingKind)> {
        let keyword = self.first_word(SETTINGS, "a setting of the experiment")?;
        let kind = match keyword.as_str() {
            "source" => SettingKind::Source(self.setting_text(limit)?),
            "about" => SettingKind::About(self.setting_text(limit)?),
            "authors" => SettingKind::Authors(self.setting_text(limit)?),
            "seed" => SettingKind::Seed(self.setting_value(limit)?),
            "runs" => SettingKind::Runs(self.setting_value(limit)?),
            "warmup" => SettingKind::Warmup(self.setting_value(limit)?),
            "budget" => SettingKind::Budget(self.setting_value(limit)?),
            "order" => SettingKind::Order(self.setting_word(
                limit,
                &keyword,
                &[
                    ("interleaved", RoundOrder::Interleaved),
                    ("sequential", RoundOrder::Sequential),
                ],
            )?),
            "cache" => SettingKind::Cache(self.setting_word(
                limit,
                &keyword,
                &[("warm", CacheState::Warm), ("cold", CacheState::Cold)],
            )?),
            "tiers" => {
                let mixed = self.setting_word(limit, &keyword, &[("mixed", ())])?;
                SettingKind::TiersMixed(mixed.span)
            }
            "limits" => {
                self.piece(Rule::piece_setting_block, limit)?;
                SettingKind::Limits(self.block(|parser, trivia, end| parser.limit(trivia, end)))
            }
            _ => {
                self.piece(Rule::piece_setting_block, limit)?;
                SettingKind::Quick(self.block(|parser, trivia, end| parser.quick(trivia, end)))
            }
        };
        Ok((keyword, kind))
    }

    /// The word at the start of a member, if it is one of these.
    fn first_word(&self, words: &[&str], what: &str) -> Built<Ident> {
        let span = self.token_span(self.at);
        let written = self.token_text(self.at);
        let known = format!("there are `{}`", words.join("`, `"));
        match self.token_ident(self.at) {
            Some(ident) if words.contains(&ident.as_str()) => Ok(ident),
            _ => Err(Box::new(
                Diagnostic::error(Code::Unexpected, span, format!("`{written}` is not {what}"))
                    .help(did_you_mean(written, words.iter().copied()).unwrap_or(known)),
            )),
        }
    }

    fn setting_text(&mut self, limit: usize) -> Built<crate::syntax::ast::Text> {
        let mut parts = Parts::of(self.piece(Rule::piece_setting_text, limit)?);
        parts.skip(Rule::word);
        let text = parts.next(self)?;
        self.plain_text(text, "a remark on the experiment")
    }

    fn setting_value(&mut self, limit: usize) -> Built<crate::syntax::ast::Expr> {
        let mut parts = Parts::of(self.piece(Rule::piece_setting_value, limit)?);
        parts.skip(Rule::word);
        let value = parts.next(self)?;
        self.expr(value)
    }

    fn setting_word<T: Copy>(
        &mut self,
        limit: usize,
        keyword: &Ident,
        choices: &[(&str, T)],
    ) -> Built<Spanned<T>> {
        let mut parts = Parts::of(self.piece(Rule::piece_setting_word, limit)?);
        parts.skip(Rule::word);
        let word = self.name(parts.next(self)?)?;
        match choices.iter().find(|(name, _)| *name == word.name) {
            Some((_, choice)) => Ok(Spanned::new(*choice, word.span)),
            None => {
                let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
                let all = format!("`{keyword}` is `{}`", names.join("` or `"));
                Err(Box::new(
                    Diagnostic::error(
                        Code::Unexpected,
                        word.span,
                        format!("`{word}` is no value of `{keyword}`"),
                    )
                    .help(did_you_mean(&word.name, names.iter().copied()).unwrap_or(all)),
                ))
            }
        }
    }

    fn limit(&mut self, trivia: Trivia, end: usize) -> Member<Limit> {
        const KINDS: &[(&str, LimitKind)] = &[
            ("memory", LimitKind::Memory),
            ("time", LimitKind::Time),
            ("disk", LimitKind::Disk),
        ];
        let name = self.token_ident(self.at);
        self.member(
            Members::Settings,
            trivia,
            end,
            name,
            |parser, limit| {
                let word = parser.first_word(&["memory", "time", "disk"], "a limit")?;
                let kind = KINDS.iter().find(|(name, _)| *name == word.name);
                let kind = kind.map_or(LimitKind::Memory, |(_, kind)| *kind);
                let mut parts = Parts::of(parser.piece(Rule::piece_limit, limit)?);
                parts.skip(Rule::name);
                let value = parts.next(parser)?;
                Ok((Spanned::new(kind, word.span), parser.expr(value)?))
            },
            |(kind, value), trivia, span| Limit {
                kind,
                value,
                trivia,
                span,
            },
        )
    }

    fn quick(&mut self, trivia: Trivia, end: usize) -> Member<QuickValue> {
        let name = self.token_ident(self.at);
        self.member(
            Members::Settings,
            trivia,
            end,
            name,
            |parser, limit| {
                let mut parts = Parts::of(parser.piece(Rule::piece_quick, limit)?);
                let name = parser.declared(parts.next(parser)?, "a param or a sweep")?;
                parts.skip(Rule::assign);
                let values = parts.next(parser)?;
                Ok((name, parser.values(values)?))
            },
            |(name, values), trivia, span| QuickValue {
                name,
                values,
                trivia,
                span,
            },
        )
    }
}
