//! The state of parsing one file, and how a piece of it is read.

use std::cell::Cell;

use pest::Parser as _;
use pest::iterators::Pair;

use super::brackets::{Brackets, Closing};
use super::scan::{Kind, RawComment, Token, scan};
use super::starts::KnownStart;
use super::{Grammar, Rule};
use crate::base::span::{FileId, Span};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::Ident;

pub(super) struct Parser<'t> {
    pub file: FileId,
    pub text: &'t str,
    pub tokens: Vec<Token>,
    pub comments: Vec<RawComment>,
    /// The first comment that no part has taken yet.
    pub next_comment: usize,
    pub brackets: Brackets,
    pub diagnostics: Vec<Diagnostic>,
    /// The token to read next.
    pub at: usize,
    /// Offset of the piece that is being built.
    pub base: usize,
    /// Height of the expression built last.
    pub height: u32,
    /// Texts around the current place: comments do not belong into them.
    pub text_depth: u32,
    /// Blocks around the current place.
    pub block_depth: u32,
    /// Names of members passed over after a broken one.
    pub skipped: Vec<Ident>,
    /// Where the next member begins, as found last.
    pub known_start: Cell<KnownStart>,
    /// Indices of texts that are never closed.
    pub unclosed_texts: Vec<usize>,
}

/// A part of the tree, or what is wrong with it.
pub(super) type Built<T> = Result<T, Box<Diagnostic>>;

impl<'t> Parser<'t> {
    pub fn new(file: FileId, text: &'t str) -> Self {
        let scan = scan(text);
        let brackets = Brackets::of(&scan.tokens, text);
        let unclosed_texts = scan
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| token.kind == Kind::UnclosedText)
            .map(|(at, _)| at)
            .collect();
        Self {
            file,
            text,
            tokens: scan.tokens,
            comments: scan.comments,
            next_comment: 0,
            brackets,
            diagnostics: Vec::new(),
            at: 0,
            base: 0,
            height: 0,
            text_depth: 0,
            block_depth: 0,
            skipped: Vec::new(),
            known_start: Cell::default(),
            unclosed_texts,
        }
    }

    pub fn token_text(&self, at: usize) -> &'t str {
        match self.tokens.get(at) {
            Some(token) => &self.text[token.start as usize..token.end as usize],
            None => "",
        }
    }

    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    pub fn is_symbol(&self, at: usize, symbol: &str) -> bool {
        self.kind(at) == Some(Kind::Symbol) && self.token_text(at) == symbol
    }

    /// A word before a colon: a name, whatever it is.
    pub fn is_label(&self, at: usize) -> bool {
        self.is_word(at) && self.is_symbol(at + 1, ":")
    }

    pub fn opens_block(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Open(b'{'))
    }

    pub fn line_start(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.line_start)
    }

    /// Offset of a token's first byte; past the last token, the end of text.
    pub fn offset(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(self.text.len(), |token| token.start as usize)
    }

    pub fn token_span(&self, at: usize) -> Span {
        match self.tokens.get(at) {
            Some(token) => Span::new(self.file, token.start, token.end),
            None => Span::of(self.file, self.text.len(), self.text.len()),
        }
    }

    /// From the first byte of one token to the last of the one before `end`.
    pub fn tokens_span(&self, start: usize, end: usize) -> Span {
        let first = self.token_span(start);
        match end.checked_sub(1) {
            Some(last) if last > start => first.to(self.token_span(last)),
            _ => first,
        }
    }

    /// The token that ends or stands at `offset`, or the first one after it.
    pub fn token_at(&self, offset: usize) -> usize {
        self.tokens
            .partition_point(|token| token.end as usize <= offset)
    }

    /// The token after the bracket that closes the one at `open`.
    pub fn after_closing(&self, open: usize) -> usize {
        match self.brackets.closing(open) {
            Some(Closing::At(at)) => at + 1,
            Some(Closing::Missing(at)) => at.max(open + 1),
            None => open + 1,
        }
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reads one piece that begins at the next token and ends before `limit`
    /// at the latest, and moves past it.
    pub fn piece(&mut self, rule: Rule, limit: usize) -> Built<Pair<'t, Rule>> {
        let from = self.at;
        let start = self.offset(from);
        let end = self.offset(limit).max(start);
        self.base = start;
        let pairs = Grammar::parse(rule, &self.text[start..end]);
        let pair = match pairs.map(|mut pairs| pairs.next()) {
            Ok(Some(pair)) => pair,
            Ok(None) => return Err(self.unreadable(from, limit)),
            Err(error) => return Err(Box::new(self.explain(rule, from, limit, &error))),
        };
        let next = start + pair.as_span().end();
        let rest = &self.tokens[from..limit.min(self.tokens.len())];
        self.at = from + rest.partition_point(|token| (token.start as usize) < next);
        let wrong = self
            .unclosed_text(from, self.at)
            .or_else(|| self.spaced_unit(rule))
            .or_else(|| self.value_before_for(rule));
        match wrong {
            Some(diagnostic) => Err(Box::new(diagnostic)),
            None => Ok(pair),
        }
    }

    /// For what the grammar should have refused.
    pub fn unreadable(&self, from: usize, limit: usize) -> Box<Diagnostic> {
        let span = self.tokens_span(from, limit);
        Box::new(Diagnostic::error(
            Code::Unexpected,
            span,
            "this cannot be read",
        ))
    }

    /// Where a pair stands, without spaces and comments at its end.
    pub fn span(&self, pair: &Pair<'t, Rule>) -> Span {
        let inside = pair.as_span();
        let start = self.base + inside.start();
        let mut end = self.base + inside.end();
        let last = pair.as_str().as_bytes().last();
        if last.is_none_or(|byte| byte.is_ascii_whitespace()) || end == self.text.len() {
            let after = self
                .tokens
                .partition_point(|token| (token.start as usize) < end);
            // Within a text there are no tokens to go by.
            let last = after.checked_sub(1).and_then(|at| self.tokens.get(at));
            end = match last {
                Some(token) if (token.end as usize) <= end && (token.end as usize) > start => {
                    token.end as usize
                }
                _ => start + pair.as_str().trim_end().len(),
            };
        }
        Span::of(self.file, start, end)
    }
}
