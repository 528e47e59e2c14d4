//! Where the members of a block begin, told by words and line starts alone.

use super::parser::Parser;
use super::scan::Kind;
use crate::diagnostics::closest;
use crate::syntax::ast::{ScalarType, StepKind};

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Members {
    Fields,
    Options,
    Steps,
    /// Settings, limits and quick values: a word and what belongs to it.
    Settings,
    Comparisons,
}

/// How sure a start must be. In a text that parses, only what cannot be
/// anything else begins a member; in one that does not, what looks like one
/// does too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sure {
    No,
    Yes,
}

/// What a search for the next start came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownStart {
    members: Option<Members>,
    from: usize,
    end: usize,
    start: usize,
}

/// Words that open a part of a trial without being verbs.
pub(super) const TRIAL_WORDS: &[&str] = &["skip", "runs", "setup"];

/// Words after which a step goes on, whatever comes next.
const OPEN_WORDS: &[&str] = &[
    "where",
    "by",
    "set",
    "per",
    "compute",
    "and",
    "or",
    "not",
    "in",
    "of",
    "limit",
    "offset",
    "repeat",
    "when",
    "is",
    "like",
    "contains",
    "starts_with",
    "ends_with",
    "mod",
    "else",
    "at",
    "expect",
    "touching",
    "with",
    "order",
];

impl Parser<'_> {
    /// The first token after `from` and before `end` that begins a member of
    /// this kind, or `end`. `Sure::Yes` is for after a mistake.
    pub fn next_start(&self, members: Members, from: usize, end: usize, recovery: Sure) -> usize {
        if recovery == Sure::Yes {
            return self.find_start(members, from, end, recovery);
        }
        // The same for every broken member before it: without this, a block of
        // nothing else would be searched to its end for each of them.
        let known = self.known_start.get();
        if known.members == Some(members)
            && known.end == end
            && (known.from..known.start).contains(&from)
        {
            return known.start;
        }
        let start = self.find_start(members, from, end, recovery);
        self.known_start.set(KnownStart {
            members: Some(members),
            from,
            end,
            start,
        });
        start
    }

    fn find_start(&self, members: Members, from: usize, end: usize, recovery: Sure) -> usize {
        let mut at = from + 1;
        while at < end {
            if self.starts_member(members, at, recovery) {
                return at;
            }
            match self.kind(at) {
                Some(Kind::Open(b'{')) => at = self.after_closing(at),
                Some(Kind::Open(_)) if recovery == Sure::Yes => {
                    at = self.after_parentheses(members, at, end);
                }
                Some(Kind::Open(_)) => at = self.after_closing(at),
                _ => at += 1,
            }
        }
        end
    }

    /// Past parentheses, unless a member surely begins within them: then they
    /// are not closed where they seem to be.
    fn after_parentheses(&self, members: Members, open: usize, end: usize) -> usize {
        let after = self.after_closing(open);
        let spans_member = (open + 1..after.min(end)).any(|at| self.is_hard_start(members, at));
        if spans_member { open + 1 } else { after }
    }

    /// `name: type` or `label: verb` at the start of a line.
    fn is_hard_start(&self, members: Members, at: usize) -> bool {
        if !self.line_start(at) || !self.is_label(at) {
            return false;
        }
        let next = self.token_text(at + 2);
        match members {
            Members::Fields => {
                ScalarType::ALL.iter().any(|scalar| scalar.word() == next)
                    || next == "enum"
                    || next.starts_with(|c: char| c.is_ascii_uppercase())
            }
            Members::Steps => StepKind::VERBS.contains(&next) && !self.is_operand(at + 2),
            _ => false,
        }
    }

    fn starts_member(&self, members: Members, at: usize, recovery: Sure) -> bool {
        let sure = recovery == Sure::Yes;
        match members {
            Members::Options => self.is_label(at),
            Members::Fields => self.is_label(at) || self.starts_composite(at),
            Members::Steps => {
                self.is_label(at)
                    || self.line_start(at)
                        && (self.starts_step(at, recovery) || (sure && self.nearly_starts_step(at)))
            }
            Members::Settings => sure && self.line_start(at) && self.is_word(at),
            Members::Comparisons => sure && self.line_start(at) && self.starts_comparison(at),
        }
    }

    /// `index (` and `unique (`.
    pub fn starts_composite(&self, at: usize) -> bool {
        matches!(self.token_text(at), "index" | "unique")
            && self.kind(at + 1) == Some(Kind::Open(b'('))
            && (self.line_start(at) || self.has_space_before(at + 1))
    }

    fn starts_step(&self, at: usize, recovery: Sure) -> bool {
        let word = self.token_text(at);
        if !StepKind::VERBS.contains(&word) && !TRIAL_WORDS.contains(&word) {
            return false;
        }
        if self.is_operand(at) || (word == "repeat" && !self.opens_repeat_block(at)) {
            return false;
        }
        recovery == Sure::Yes || !self.is_open_ended(at)
    }

    /// A word close to a verb where a verb might stand.
    fn nearly_starts_step(&self, at: usize) -> bool {
        let word = self.token_text(at);
        self.is_word(at)
            && !OPEN_WORDS.contains(&word)
            && !self.is_operand(at)
            && closest(word, StepKind::VERBS.iter().copied()).is_some()
            && !StepKind::VERBS.contains(&word)
    }

    /// Whether the word at `at` is part of an expression, by what follows it.
    fn is_operand(&self, at: usize) -> bool {
        let next = at + 1;
        match self.kind(next) {
            Some(Kind::Symbol) => !self.is_symbol(next, "@"),
            Some(Kind::Open(b'(')) => !self.has_space_before(next),
            Some(Kind::Close(close)) => close != b'}',
            Some(Kind::Word) => matches!(
                self.token_text(next),
                "in" | "is"
                    | "and"
                    | "or"
                    | "mod"
                    | "like"
                    | "contains"
                    | "starts_with"
                    | "ends_with"
                    | "desc"
            ),
            _ => false,
        }
    }

    /// Whether the token before shows that something must follow.
    fn is_open_ended(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        match self.kind(before) {
            Some(Kind::Word) => OPEN_WORDS.contains(&self.token_text(before)),
            Some(Kind::Symbol) => true,
            Some(Kind::Open(open)) => open != b'{',
            _ => false,
        }
    }

    /// `repeat k with` always opens a block; without `with` it is a clause.
    pub fn opens_repeat_block(&self, at: usize) -> bool {
        const LOOK_AHEAD: usize = 24;
        (at + 1..at + LOOK_AHEAD)
            .take_while(|at| {
                self.kind(*at)
                    .is_some_and(|kind| !matches!(kind, Kind::Close(b'}')))
                    && !self.is_label(*at)
                    && self.token_text(*at) != "repeat"
            })
            .any(|at| self.token_text(at) == "with")
    }

    /// A line that does not continue the one before.
    fn starts_comparison(&self, at: usize) -> bool {
        let continues = match self.kind(at) {
            Some(Kind::Word) => matches!(
                self.token_text(at),
                "for" | "over" | "in" | "is" | "and" | "or" | "mod" | "of"
            ),
            Some(Kind::Number | Kind::Open(b'(')) => false,
            _ => true,
        };
        let before = at.checked_sub(1);
        let open_ended = match before.and_then(|before| self.kind(before)) {
            Some(Kind::Word) => {
                before.is_some_and(|b| matches!(self.token_text(b), "and" | "or" | "not" | "mod"))
            }
            _ => self.is_open_ended(at),
        };
        !continues && !open_ended
    }

    pub fn has_space_before(&self, at: usize) -> bool {
        match (
            at.checked_sub(1).and_then(|b| self.tokens.get(b)),
            self.tokens.get(at),
        ) {
            (Some(before), Some(token)) => before.end < token.start,
            _ => false,
        }
    }
}
