//! Which bracket closes which, and where the items of a file may begin.
//!
//! A file is cut into regions at item keywords in column 1. A balanced region
//! is taken as it stands, whatever its layout. In any other, indentation tells
//! where a block that is never closed was meant to end.

use super::scan::{Kind, Token};
use crate::syntax::ast::ItemKind;

/// For every opening bracket the index of the token that closes it.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    closing: Vec<u32>,
    /// Where a region begins, and the number of tokens at the end.
    pub regions: Vec<u32>,
    /// Per region, whether it nests too deeply to be read.
    pub too_deep: Vec<bool>,
}

/// What an opening bracket comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    /// Closed by this token.
    At(usize),
    /// Never closed; its block was meant to end before this token.
    Missing(usize),
}

const NONE: u32 = u32::MAX;
/// Set on the index of a token before which an unclosed block ends.
const MISSING: u32 = 1 << 31;

/// Brackets nested deeper than this cannot be read.
pub(super) const MAX_NESTING: usize = 48;

impl Brackets {
    pub fn of(tokens: &[Token], text: &str) -> Self {
        let mut brackets = Self {
            closing: vec![NONE; tokens.len()],
            regions: regions(tokens, text),
            too_deep: Vec::new(),
        };
        for at in 1..brackets.regions.len() {
            let region = brackets.regions[at - 1] as usize..brackets.regions[at] as usize;
            let (balanced, deepest) = brackets.plainly(tokens, region.clone());
            if !balanced {
                brackets.by_indentation(tokens, region);
            }
            brackets.too_deep.push(deepest > MAX_NESTING);
        }
        brackets
    }

    /// Of an opening bracket; a token of another kind is never closed.
    pub fn closing(&self, open: usize) -> Option<Closing> {
        match self.closing.get(open).copied() {
            None | Some(NONE) => None,
            Some(at) if at & MISSING != 0 => Some(Closing::Missing((at & !MISSING) as usize)),
            Some(at) => Some(Closing::At(at as usize)),
        }
    }

    /// Whether every bracket has its counterpart, and the deepest nesting.
    fn plainly(&mut self, tokens: &[Token], region: std::ops::Range<usize>) -> (bool, usize) {
        let mut open: Vec<usize> = Vec::new();
        let mut deepest = 0;
        let mut balanced = true;
        for at in region {
            match tokens[at].kind {
                Kind::Open(_) => {
                    open.push(at);
                    deepest = deepest.max(open.len());
                }
                Kind::Text => deepest = deepest.max(open.len() + tokens[at].nesting as usize),
                Kind::Close(close) => match open.last() {
                    Some(&top) if tokens[top].kind == Kind::Open(opening(close)) => {
                        self.closing[top] = at as u32;
                        open.pop();
                    }
                    _ => balanced = false,
                },
                _ => {}
            }
        }
        (balanced && open.is_empty(), deepest)
    }

    fn by_indentation(&mut self, tokens: &[Token], region: std::ops::Range<usize>) {
        self.closing[region.clone()].fill(NONE);
        let end = region.end;
        let mut braces: Vec<Brace> = Vec::new();
        let mut outside = Vec::new();
        let mut indent = 0;
        for at in region {
            let token = tokens[at];
            if token.line_start {
                indent = token.column;
                let closes = token.kind == Kind::Close(b'}');
                while let Some(brace) = braces.pop_if(|brace| brace.ends_at(indent, closes)) {
                    self.closing[brace.open] = at as u32 | MISSING;
                }
            }
            let others = match braces.last_mut() {
                Some(brace) => &mut brace.others,
                None => &mut outside,
            };
            match token.kind {
                Kind::Open(b'{') => braces.push(Brace {
                    open: at,
                    indent,
                    others: Vec::new(),
                }),
                Kind::Open(_) => others.push(at),
                Kind::Close(b'}') => {
                    if let Some(brace) = braces.pop_if(|brace| !brace.is_closed_below(tokens, at)) {
                        self.closing[brace.open] = at as u32;
                    }
                }
                Kind::Close(close) => {
                    let fits = |top: &mut usize| tokens[*top].kind == Kind::Open(opening(close));
                    if let Some(top) = others.pop_if(fits) {
                        self.closing[top] = at as u32;
                    }
                }
                _ => {}
            }
        }
        for brace in braces {
            self.closing[brace.open] = end as u32 | MISSING;
        }
    }
}

/// An open brace.
struct Brace {
    open: usize,
    /// Of the line it stands on.
    indent: u32,
    /// Parentheses and square brackets open within it.
    others: Vec<usize>,
}

impl Brace {
    /// Whether a line of this indentation shows that the block has ended.
    fn ends_at(&self, indent: u32, closes: bool) -> bool {
        self.indent > indent || (self.indent == indent && !closes)
    }

    /// Whether the closing brace at `at`, within a later line, is one too many.
    fn is_closed_below(&self, tokens: &[Token], at: usize) -> bool {
        let token = tokens[at];
        let closes_line = token.line_start && token.column <= self.indent;
        let within = !closes_line && token.line != tokens[self.open].line;
        within && closed_below(tokens, at, self.indent)
    }
}

/// Whether a brace that begins a line at this indentation follows before
/// anything else does.
fn closed_below(tokens: &[Token], at: usize, indent: u32) -> bool {
    const LOOK_AHEAD: usize = 4_000;
    tokens
        .iter()
        .skip(at + 1)
        .take(LOOK_AHEAD)
        .find(|token| token.line_start && token.column <= indent)
        .is_some_and(|token| token.column == indent && token.kind == Kind::Close(b'}'))
}

fn opening(close: u8) -> u8 {
    match close {
        b'}' => b'{',
        b')' => b'(',
        _ => b'[',
    }
}

/// Indices of the tokens that begin a region, from 0, with the end.
fn regions(tokens: &[Token], text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    for (at, token) in tokens.iter().enumerate().skip(1) {
        if token.kind == Kind::Word && token.column == 0 && token.line_start {
            let word = &text[token.start as usize..token.end as usize];
            if ItemKind::KEYWORDS.contains(&word) && !is_operand(tokens.get(at + 1), text) {
                starts.push(at as u32);
            }
        }
    }
    starts.push(tokens.len() as u32);
    starts
}

/// Whether the token after a keyword shows that it is a name after all.
fn is_operand(next: Option<&Token>, text: &str) -> bool {
    let Some(next) = next else { return false };
    let symbol = &text[next.start as usize..next.end as usize];
    match next.kind {
        Kind::Symbol => symbol != "=",
        // The type `enum (a, b)`, or a call.
        Kind::Open(open) => open == b'(',
        Kind::Word => matches!(symbol, "in" | "is" | "and" | "or" | "mod" | "like"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    /// What the first bracket comes to: the line (from 0) of its closing, or
    /// of the token before which it is missing.
    fn first(text: &str) -> (bool, u32) {
        let tokens = scan(text).tokens;
        let brackets = Brackets::of(&tokens, text);
        let open = tokens.iter().position(|t| matches!(t.kind, Kind::Open(_)));
        match brackets.closing(open.unwrap()).unwrap() {
            Closing::At(at) => (true, tokens[at].line),
            Closing::Missing(at) => (false, tokens.get(at).map_or(99, |t| t.line)),
        }
    }

    #[test]
    fn balanced_regions_are_taken_as_they_stand() {
        assert_eq!(
            first("trial \"a\" {\n        setup { \nx\n }\n}"),
            (true, 4)
        );
        assert_eq!(first("model A { a: int }"), (true, 0));
    }

    #[test]
    fn an_unclosed_block_ends_where_its_indentation_does() {
        assert_eq!(
            first("model A {\n  a: int\n\nmodel B {\n  b: int\n}"),
            (false, 3)
        );
        let inner = "trial \"a\" {\n  setup { create 1 A\n  b: read A\n}";
        assert_eq!(first(inner), (true, 3));
        let tokens = scan(inner).tokens;
        let brackets = Brackets::of(&tokens, inner);
        let open = tokens.iter().rposition(|t| matches!(t.kind, Kind::Open(_)));
        let Some(Closing::Missing(at)) = brackets.closing(open.unwrap()) else {
            panic!("closed")
        };
        assert_eq!(tokens[at].line, 2);
    }

    #[test]
    fn a_brace_too_many_leaves_the_block_whole() {
        assert_eq!(
            first("trial \"a\" {\n  setup { x } }\n  b: read A\n}"),
            (true, 3)
        );
    }
}
