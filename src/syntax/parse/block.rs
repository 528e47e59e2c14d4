//! `{ … }`: members one after another, each on its own when it is broken.

use super::brackets::Closing;
use super::parser::{Built, Parser};
use super::starts::{Members, Sure};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Block, Broken, Ident, Layout, Trivia};

/// Blocks in blocks deeper than this are not read.
const MAX_BLOCKS: u32 = 16;

/// What came of reading a member.
pub(super) enum Member<T> {
    Read(T),
    /// Not readable; the name it would have declared, where that can be told.
    Broken(Option<Ident>),
    /// Nothing to keep and nothing lost.
    Nothing,
}

impl<'t> Parser<'t> {
    /// Reads the block whose brace is the next token. `member` reads one
    /// member that begins at the next token and moves past it; its last
    /// argument is the token before which the block ends.
    pub fn block<T>(
        &mut self,
        mut member: impl FnMut(&mut Self, Trivia, usize) -> Member<T>,
    ) -> Block<T> {
        let open = self.at;
        let (end, closed) = match self.brackets.closing(open) {
            Some(Closing::At(at)) => (at, true),
            Some(Closing::Missing(at)) => (at.max(open + 1), false),
            None => (open + 1, true),
        };
        let mut block = Block::new(
            Vec::new(),
            self.tokens_span(open, end + usize::from(closed)),
        );
        let mut whole = true;
        if !closed {
            self.report_unclosed(open, end);
            whole = false;
        }
        let one_line =
            self.tokens.get(open).map(|t| t.line) == self.tokens.get(end).map(|t| t.line);
        if closed && one_line {
            block.layout = Layout::OneLine;
        }
        if let Some(line) = self.tokens.get(open).map(|token| token.line) {
            block.opening = self.comment_on_line(line, open + 1);
        }
        self.at = open + 1;
        self.block_depth += 1;
        if self.block_depth > MAX_BLOCKS {
            self.error(Diagnostic::error(
                Code::TooDeep,
                self.token_span(open),
                "blocks are nested too deeply here",
            ));
            self.at = end;
            whole = false;
        }
        while self.at < end {
            let from = self.at;
            let trivia = self.leading(from);
            match self
                .stray_close(from)
                .unwrap_or_else(|| member(self, trivia, end))
            {
                Member::Read(part) => block.members.push(part),
                Member::Broken(name) => {
                    let span = self.tokens_span(from, self.at.max(from + 1));
                    block.broken.push(Broken { name, span });
                }
                Member::Nothing => {}
            }
            for name in self.skipped.drain(..) {
                let span = name.span;
                let name = Some(name);
                block.broken.push(Broken { name, span });
            }
            self.at = self.at.max(from + 1).min(end);
        }
        self.block_depth -= 1;
        if !whole {
            let span = self.token_span(open);
            block.broken.push(Broken { name: None, span });
        }
        if closed {
            block.closing = self.comments_before(self.offset(end));
        }
        self.at = if closed { end + 1 } else { end };
        block
    }

    /// Where the member after a broken one begins. What follows on its line, or
    /// further right below it, belongs to it: a bracket is missing, and what it
    /// would have held is not to blame.
    fn after_broken(&mut self, members: Members, from: usize, next: usize, end: usize) -> usize {
        let mut next = next;
        if !self.line_start(from) {
            return next;
        }
        let column = |at: usize| self.tokens.get(at).map_or(0, |token| token.column);
        while next < end && (!self.line_start(next) || column(next) > column(from)) {
            self.skipped.extend(self.token_ident(next));
            next = self.next_start(members, next, end, Sure::Yes);
        }
        next
    }

    fn report_unclosed(&mut self, open: usize, end: usize) {
        // A text that swallows the brace has its own message.
        if self.unclosed_text(open, end).is_some() {
            return;
        }
        let meant = match self.tokens.get(end) {
            Some(token) => format!("a `}}` is missing before line {}", token.line + 1),
            None => "a `}` is missing at the end of the file".to_owned(),
        };
        self.error(
            Diagnostic::error(
                Code::UnclosedBrace,
                self.token_span(open),
                "this `{` is never closed",
            )
            .label("opened here")
            .help(meant),
        );
    }

    /// A closing bracket where a member should begin.
    fn stray_close<T>(&mut self, at: usize) -> Option<Member<T>> {
        let diagnostic = self.stray(at)?;
        self.error(diagnostic);
        self.at = at + 1;
        Some(Member::Nothing)
    }

    /// Reads a member with `read`, which gives its contents or what is wrong.
    /// On failure a second look is taken up to the next place where a member
    /// surely begins, and reading goes on there.
    pub fn member<T, U>(
        &mut self,
        members: Members,
        mut trivia: Trivia,
        end: usize,
        name: Option<Ident>,
        mut read: impl FnMut(&mut Self, usize) -> Built<T>,
        finish: impl FnOnce(T, Trivia, Span) -> U,
    ) -> Member<U> {
        let from = self.at;
        let comments = self.next_comment;
        let limit = self.next_start(members, from, end, Sure::No);
        let mut result = read(self, limit);
        let mut next = limit;
        if result.is_err() {
            next = self.next_start(members, from, end, Sure::Yes);
            if next < limit {
                self.at = from;
                self.next_comment = comments;
                result = read(self, next);
            }
        }
        match result {
            Ok(part) => {
                let after = self.at;
                self.trailing(&mut trivia, after);
                Member::Read(finish(part, trivia, self.tokens_span(from, after)))
            }
            Err(diagnostic) => {
                self.error(*diagnostic);
                self.at = self.after_broken(members, from, next, end);
                Member::Broken(name)
            }
        }
    }
}
