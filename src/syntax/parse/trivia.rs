//! Comments find the part that they belong to.

use super::parser::Parser;
use super::scan::RawComment;
use crate::base::span::Span;
use crate::syntax::ast::{Comment, Trivia};

impl Parser<'_> {
    /// The comments before a token, with the empty lines.
    pub fn leading(&mut self, at: usize) -> Trivia {
        if self.text_depth > 0 {
            return Trivia::default();
        }
        Trivia {
            leading: self.comments_before(self.offset(at)),
            trailing: None,
            breaks_before: self.tokens.get(at).map_or(0, |token| token.breaks),
        }
    }

    /// Completes the trivia of a part that ends before the token `end`:
    /// comments from within it have no other place than above it.
    pub fn trailing(&mut self, trivia: &mut Trivia, end: usize) {
        if self.text_depth > 0 {
            return;
        }
        let Some(last) = end
            .checked_sub(1)
            .and_then(|at| self.tokens.get(at).copied())
        else {
            return;
        };
        trivia
            .leading
            .extend(self.comments_before(last.end as usize));
        trivia.trailing = self.comment_on_line(last.line, end);
    }

    /// A comment on this line and before this token.
    pub fn comment_on_line(&mut self, line: u32, before: usize) -> Option<Comment> {
        let limit = self.offset(before);
        let comment = self.comments.get(self.next_comment).copied()?;
        if comment.line != line || comment.start as usize >= limit {
            return None;
        }
        self.next_comment += 1;
        Some(self.comment(comment))
    }

    /// Every comment before an offset that no part has taken yet.
    pub fn comments_before(&mut self, offset: usize) -> Vec<Comment> {
        let mut taken = Vec::new();
        if self.text_depth > 0 {
            return taken;
        }
        while let Some(comment) = self.comments.get(self.next_comment).copied() {
            if comment.start as usize >= offset {
                break;
            }
            taken.push(self.comment(comment));
            self.next_comment += 1;
        }
        taken
    }

    fn comment(&self, raw: RawComment) -> Comment {
        Comment {
            text: self.text[raw.start as usize..raw.end as usize].to_owned(),
            blank_before: raw.blank_before,
            span: Span::new(self.file, raw.start, raw.end),
        }
    }
}
