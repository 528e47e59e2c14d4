//! A whole file, item by item.

use super::parser::{Built, Parser};
use super::scan::Kind;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic, closest};
use crate::syntax::ast::{Broken, File, Ident, Item, ItemKind};

impl Parser<'_> {
    pub fn file(&mut self) -> File {
        let mut file = File {
            id: self.file,
            items: Vec::new(),
            broken: Vec::new(),
            closing: Vec::new(),
            span: Span::of(self.file, 0, self.text.len()),
        };
        let mut region = 0;
        while self.at < self.tokens.len() {
            let from = self.at;
            while self
                .brackets
                .regions
                .get(region + 1)
                .is_some_and(|end| *end as usize <= from)
            {
                region += 1;
            }
            let end = self
                .brackets
                .regions
                .get(region + 1)
                .map_or(self.tokens.len(), |end| *end as usize);
            let too_deep = self.brackets.too_deep.get(region) == Some(&true);
            let result = if too_deep {
                Err(Some(self.too_deep(from, end)))
            } else {
                self.item(end)
            };
            match result {
                Ok(item) => file.items.push(item),
                Err(diagnostic) => {
                    if let Some(diagnostic) = diagnostic {
                        self.error(diagnostic);
                    }
                    let next = if too_deep {
                        end
                    } else {
                        self.next_item(from, end)
                    };
                    file.broken.push(self.broken_item(from, next));
                    self.at = next;
                }
            }
            self.at = self.at.max(from + 1);
        }
        file.closing = self.comments_before(self.text.len() + 1);
        file
    }

    /// Reads the item that begins at the next token. Without a diagnostic, the
    /// error is one that has been said already.
    fn item(&mut self, end: usize) -> Result<Item, Option<Diagnostic>> {
        let from = self.at;
        if let Some(diagnostic) = self.stray(from) {
            return Err(Some(diagnostic));
        }
        let mut trivia = self.leading(from);
        let kind = self
            .item_kind(end)
            .map_err(|diagnostic| Some(*diagnostic))?;
        let after = self.at;
        self.trailing(&mut trivia, after);
        Ok(Item {
            kind,
            trivia,
            span: self.tokens_span(from, after),
        })
    }

    fn item_kind(&mut self, end: usize) -> Built<ItemKind> {
        let from = self.at;
        let limit = self.item_limit(from, end);
        let said = self.diagnostics.len();
        let whole = self.item_within(limit);
        if whole.is_ok() {
            return whole;
        }
        // Perhaps a misspelt keyword follows, which is a mistake of its own. Only
        // now, since any line may begin with any part of an item.
        let Some(cut) = self.misspelt_item(from, limit) else {
            return whole;
        };
        let (at, told) = (self.at, self.diagnostics.split_off(said));
        self.at = from;
        let part = self.item_within(cut);
        if part.is_err() || self.diagnostics.len() > said {
            self.at = at;
            self.diagnostics.truncate(said);
            self.diagnostics.extend(told);
            return whole;
        }
        part
    }

    fn item_within(&mut self, limit: usize) -> Built<ItemKind> {
        let from = self.at;
        match self.token_text(from) {
            "use" => self.use_item(limit).map(ItemKind::Use),
            "experiment" => self.experiment_item(limit).map(ItemKind::Experiment),
            "model" => self.model_item(limit).map(ItemKind::Model),
            "enum" => self.enum_item(limit).map(ItemKind::Enum),
            "pool" => self.pool_item(limit).map(ItemKind::Pool),
            "hook" => self.hook_item(limit).map(ItemKind::Hook),
            "engine" => self.engine_item(limit).map(ItemKind::Engine),
            "preset" => self.preset_item(limit).map(ItemKind::Preset),
            "param" => self.param_item(limit).map(ItemKind::Param),
            "sweep" => self.sweep_item(limit).map(ItemKind::Sweep),
            "trial" => self.trial_item(limit).map(ItemKind::Trial),
            "claim" => self.claim_item(limit).map(ItemKind::Claim),
            _ => Err(Box::new(self.unknown_item(from))),
        }
    }

    /// The end of what an item's head may reach: its block, if it has one,
    /// included by its brace.
    fn item_limit(&self, from: usize, end: usize) -> usize {
        let mut at = from;
        while at < end {
            match self.kind(at) {
                // A json object in a param does not end it.
                Some(Kind::Open(b'{')) if !self.holds_values(from) => return at + 1,
                Some(Kind::Open(_)) => at = self.after_closing(at),
                _ => at += 1,
            }
        }
        end
    }

    fn holds_values(&self, from: usize) -> bool {
        matches!(self.token_text(from), "param" | "sweep" | "pool")
    }

    fn unknown_item(&self, at: usize) -> Diagnostic {
        let written = self.token_text(at);
        let keywords = ItemKind::KEYWORDS;
        let diagnostic = Diagnostic::error(
            Code::UnknownItem,
            self.token_span(at),
            format!("`{}` begins no item", short(written)),
        );
        match closest(written, keywords.iter().copied()) {
            Some(keyword) => diagnostic.help(format!("did you mean `{keyword}`?")),
            None => diagnostic.help(format!(
                "an item begins with one of {}",
                keywords.join(", ")
            )),
        }
    }

    fn too_deep(&self, from: usize, end: usize) -> Diagnostic {
        let mut depth = 0usize;
        let mut place = from;
        for at in from..end {
            match self.kind(at) {
                Some(Kind::Open(_)) => depth += 1,
                Some(Kind::Close(_)) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > super::brackets::MAX_NESTING {
                place = at;
                break;
            }
        }
        Diagnostic::error(
            Code::TooDeep,
            self.token_span(place),
            "brackets are nested too deeply here",
        )
    }

    /// Where reading goes on after a broken item: at the next item keyword in
    /// column 1, or at a word there that is nearly one.
    fn next_item(&self, from: usize, end: usize) -> usize {
        let mut at = from + 1;
        let mut next = from + 1;
        while at < end {
            if at >= next && self.nearly_item(at) {
                return at;
            }
            if at >= next && matches!(self.kind(at), Some(Kind::Open(_))) {
                next = self.after_closing(at);
            }
            at += 1;
        }
        end
    }

    /// The first misspelt keyword after the head of an item that may stand
    /// without a block.
    fn misspelt_item(&self, from: usize, limit: usize) -> Option<usize> {
        let mut at = from;
        while at < limit {
            if at > from + 1 && self.nearly_item(at) {
                return Some(at);
            }
            at = match self.kind(at) {
                Some(Kind::Open(_)) => self.after_closing(at),
                _ => at + 1,
            };
        }
        None
    }

    fn nearly_item(&self, at: usize) -> bool {
        let word = self.token_text(at);
        self.is_word(at)
            && self.line_start(at)
            && self.tokens.get(at).is_some_and(|token| token.column == 0)
            && (ItemKind::KEYWORDS.contains(&word)
                || closest(word, ItemKind::KEYWORDS.iter().copied()).is_some())
    }

    /// What a broken item would have declared.
    fn broken_item(&self, from: usize, end: usize) -> Broken {
        let span = self.tokens_span(from, end);
        let mut name = None;
        if self.is_word(from) {
            // The name after the keyword, or the label after `as`.
            let label = (from + 1..end.min(from + 8)).find(|at| self.token_text(*at) == "as");
            name = label
                .and_then(|at| self.token_ident(at + 1))
                .or_else(|| self.token_ident(from + 1));
        }
        if self.token_text(from) == "model"
            && let Some(Ident { name, .. }) = &mut name
        {
            *name = super::name::capital(name);
        }
        Broken { name, span }
    }
}

/// At most a line's worth of what was written.
pub(super) fn short(written: &str) -> String {
    const LONGEST: usize = 40;
    let line = written.lines().next().unwrap_or("");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None if line.len() < written.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}
