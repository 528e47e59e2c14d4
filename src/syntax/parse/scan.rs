//! Words, numbers, texts, brackets and comments of a file: enough to cut it
//! into pieces, and to say what stands at the place of a mistake.

use super::rhai_body;
use crate::syntax::ast::ItemKind;

/// What a token is; its text is found by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Date,
    Text,
    /// A text whose line ends before its closing quote.
    UnclosedText,
    /// `{`, `(` or `[`.
    Open(u8),
    /// `}`, `)` or `]`.
    Close(u8),
    /// The script between the braces of a hook.
    HookBody,
    /// Any other sign; operators of several characters are one token.
    Symbol,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// Bytes from the start of the line.
    pub column: u32,
    /// Line, from 0.
    pub line: u32,
    /// First on its line.
    pub line_start: bool,
    /// Line breaks before it since the last token or comment: 0, 1, or 2 for
    /// an empty line.
    pub breaks: u8,
    /// Deepest nesting of brackets and texts within a text.
    pub nesting: u8,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RawComment {
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub blank_before: bool,
}

#[derive(Debug, Default)]
pub(super) struct Scan {
    pub tokens: Vec<Token>,
    pub comments: Vec<RawComment>,
}

/// Texts within texts deeper than this are cut off, and refused later.
pub(super) const MAX_TEXT_NESTING: usize = 8;

/// Texts in which texts are nested are followed for this many bytes.
const MAX_FILLED_TEXT: usize = 16 << 10;

/// Some editors begin a file with it.
const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) fn scan(text: &str) -> Scan {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 0,
        line_begin: 0,
        line_end: 0,
        breaks: 1,
        line_has_token: false,
        hook_head: false,
        out: Scan::default(),
    };
    scanner.run();
    scanner.out
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    line: u32,
    line_begin: usize,
    /// End of the line that a text was found on last.
    line_end: usize,
    breaks: u8,
    line_has_token: bool,
    /// Between a `hook` and its brace.
    hook_head: bool,
    out: Scan,
}

impl Scanner<'_> {
    fn run(&mut self) {
        if self.text.starts_with(BYTE_ORDER_MARK) {
            self.at = BYTE_ORDER_MARK.len_utf8();
            self.line_begin = self.at;
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => self.line_break(),
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.bytes.get(self.at + 1) == Some(&b'/') => self.comment(),
                _ => self.token(byte),
            }
        }
    }

    fn line_break(&mut self) {
        self.at += 1;
        self.line += 1;
        self.line_begin = self.at;
        self.line_has_token = false;
        self.breaks = (self.breaks + 1).min(2);
    }

    fn comment(&mut self) {
        let length = memchr_newline(&self.bytes[self.at..]);
        let end = self.at + length;
        self.out.comments.push(RawComment {
            start: self.at as u32,
            end: (self.at + self.text[self.at..end].trim_end().len()) as u32,
            line: self.line,
            blank_before: self.breaks >= 2,
        });
        self.at = end;
        self.breaks = 0;
    }

    fn token(&mut self, byte: u8) {
        let start = self.at;
        let mut nesting = 0;
        let kind = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.run_while(Kind::Word, is_word),
            b'0'..=b'9' => self.number(),
            b'@' => self.run_while(Kind::Date, |b| is_word(b) || b == b'-' || b == b':'),
            b'"' => self.quoted(&mut nesting),
            b'{' | b'(' | b'[' => self.one(Kind::Open(byte)),
            b'}' | b')' | b']' => self.one(Kind::Close(byte)),
            _ => self.symbol(),
        };
        self.push(kind, start, nesting);
        match kind {
            Kind::Word => self.note_hook(start),
            Kind::Open(b'(') => self.note_hook_parameters(),
            Kind::Open(b'{') if self.hook_head => self.hook_body(),
            _ => {}
        }
    }

    fn push(&mut self, kind: Kind, start: usize, nesting: u8) {
        self.out.tokens.push(Token {
            kind,
            start: start as u32,
            end: self.at as u32,
            column: (start.saturating_sub(self.line_begin)) as u32,
            line: self.line,
            line_start: !self.line_has_token,
            breaks: self.breaks,
            nesting,
        });
        self.line_has_token = true;
        self.breaks = 0;
    }

    fn one(&mut self, kind: Kind) -> Kind {
        self.at += 1;
        kind
    }

    fn run_while(&mut self, kind: Kind, accept: impl Fn(u8) -> bool) -> Kind {
        self.at += 1;
        while self.bytes.get(self.at).is_some_and(|b| accept(*b)) {
            self.at += 1;
        }
        kind
    }

    fn number(&mut self) -> Kind {
        let digits = |b: u8| b.is_ascii_digit() || b == b'_';
        self.run_while(Kind::Number, digits);
        let next = |ahead: usize| self.bytes.get(self.at + ahead).copied();
        if next(0) == Some(b'.') && next(1).is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
            self.run_while(Kind::Number, digits);
        }
        match self.bytes.get(self.at) {
            Some(b'%') => self.at += 1,
            Some(b) if is_word(*b) => {
                self.run_while(Kind::Number, is_word);
            }
            _ => {}
        }
        Kind::Number
    }

    fn symbol(&mut self) -> Kind {
        const LONG: &[&str] = &[
            "==", "!=", "<=", ">=", "..", "&&", "||", "<>", "=>", "->", ":=", "+=", "-=", "**",
        ];
        let rest = &self.text[self.at..];
        let long = LONG.iter().find(|symbol| rest.starts_with(**symbol));
        self.at += match long {
            Some(symbol) => symbol.len(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        Kind::Symbol
    }

    /// A text, with the texts in its filled-in expressions. Without a closing
    /// quote that fits them, the first quote closes it; without any, its line.
    fn quoted(&mut self, nesting: &mut u8) -> Kind {
        let start = self.at;
        if self.line_end <= start {
            self.line_end = start + memchr_newline(&self.bytes[start..]);
        }
        let line_end = self.line_end;
        let line = &self.bytes[start..line_end];
        if let Some(length) = nested_text_length(line, nesting) {
            self.at = start + length;
            return Kind::Text;
        }
        if let Some(length) = plain_text_length(line) {
            self.at = start + length;
            return Kind::Text;
        }
        self.at = start + self.text[start..line_end].trim_end().len();
        Kind::UnclosedText
    }

    /// A hook's head begins at its keyword and ends at its brace, or where
    /// another item begins.
    fn note_hook(&mut self, start: usize) {
        let word = &self.text[start..self.at];
        if start != self.line_begin || !ItemKind::KEYWORDS.contains(&word) {
            return;
        }
        let rest = self.text[self.at..].trim_start_matches([' ', '\t']);
        self.hook_head = word == "hook" && !rest.starts_with(':');
    }

    /// `hook name (`, wherever it stands.
    fn note_hook_parameters(&mut self) {
        if let [.., hook, name, _] = self.out.tokens.as_slice()
            && hook.kind == Kind::Word
            && name.kind == Kind::Word
            && &self.text[hook.start as usize..hook.end as usize] == "hook"
        {
            self.hook_head = true;
        }
    }

    fn hook_body(&mut self) {
        self.hook_head = false;
        let start = self.at;
        let body = rhai_body::length(&self.text[start..]);
        let end = start + body.unwrap_or_else(|| until_item(&self.text[start..]));
        self.at = end;
        self.push(Kind::HookBody, start, 0);
        for (at, byte) in self.bytes[start..end].iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.line_begin = start + at + 1;
                self.line_has_token = false;
            }
        }
        let tail = &self.bytes[self.line_begin.max(start)..end];
        self.line_has_token |= tail.iter().any(|b| !b.is_ascii_whitespace());
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Bytes up to the next line break, or all.
fn memchr_newline(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|b| *b == b'\n')
        .unwrap_or(bytes.len())
}

/// Length with both quotes, where filled-in expressions may hold texts.
/// `deepest` becomes the deepest nesting of brackets and texts within.
fn nested_text_length(line: &[u8], deepest: &mut u8) -> Option<usize> {
    // One entry per open text: the depth of braces within its fill.
    let mut open: Vec<u32> = vec![0];
    let mut nesting = 0u8;
    let mut at = 1;
    while at < line.len().min(MAX_FILLED_TEXT) {
        let depth = open.last_mut()?;
        match line[at] {
            b'\\' if *depth == 0 => at += 1,
            b'"' if *depth == 0 => {
                open.pop();
                nesting = nesting.saturating_sub(1);
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            b'"' => {
                if open.len() > MAX_TEXT_NESTING {
                    return None;
                }
                open.push(0);
                nesting = nesting.saturating_add(1);
            }
            b'{' if *depth == 0 && line.get(at + 1) == Some(&b'{') => at += 1,
            b'{' => {
                *depth += 1;
                nesting = nesting.saturating_add(1);
            }
            b'}' if *depth > 0 => {
                *depth -= 1;
                nesting = nesting.saturating_sub(1);
            }
            b'(' | b'[' if *depth > 0 => nesting = nesting.saturating_add(1),
            b')' | b']' if *depth > 0 => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        *deepest = (*deepest).max(nesting);
        at += 1;
    }
    None
}

/// Length up to the first quote that is not escaped.
fn plain_text_length(line: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < line.len() {
        match line[at] {
            b'\\' => at += 1,
            b'"' => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Bytes up to the next line that begins with an item keyword in column 1.
fn until_item(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next();
        if at > 0 && word.is_some_and(|w| ItemKind::KEYWORDS.contains(&w)) {
            return at;
        }
        at += line.len();
    }
    text.len()
}
