//! From the place where the grammar gave up to what the author did.
//!
//! The likeliest mistakes are looked for first, each with its own help; what
//! is left is said as expectation and finding.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::Rule;
use super::brackets::Closing;
use super::clauses;
use super::expect::{in_words, join};
use super::file::short;
use super::literal::is_unit;
use super::name::RESERVED;
use super::parser::Parser;
use super::scan::Kind;
use super::types::TYPE_HELP;
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};

/// Where and in what a piece failed.
pub(super) struct Failure<'r> {
    pub rule: Rule,
    /// The piece's tokens.
    pub from: usize,
    pub limit: usize,
    /// The token that does not fit; `limit` if the piece breaks off.
    pub at: usize,
    pub positives: &'r [Rule],
}

impl Failure<'_> {
    fn expects(&self, rules: &[Rule]) -> bool {
        rules.iter().any(|rule| self.positives.contains(rule))
    }

    fn expects_value(&self) -> bool {
        self.expects(&[Rule::expr, Rule::operation, Rule::operand, Rule::amount])
    }

    fn expects_operator(&self) -> bool {
        self.expects(&[Rule::op_compare, Rule::op_add, Rule::kw_and])
    }
}

impl Parser<'_> {
    pub fn explain(
        &self,
        rule: Rule,
        from: usize,
        limit: usize,
        error: &Error<Rule>,
    ) -> Diagnostic {
        let offset = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => self.base + at,
        };
        let positives: &[Rule] = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives,
            ErrorVariant::CustomError { .. } => &[],
        };
        let failure = Failure {
            rule,
            from,
            limit,
            at: self.before_lookahead(self.token_at(offset).clamp(from, limit)),
            positives,
        };
        self.unclosed_text(from, limit)
            .or_else(|| self.within_text(&failure, offset))
            .or_else(|| self.unclosed_parenthesis(&failure))
            .or_else(|| self.foreign_operator(&failure))
            .or_else(|| self.bad_number(&failure))
            .or_else(|| self.spaced_call(&failure))
            .or_else(|| self.closes_nothing(&failure))
            .or_else(|| clauses::no_amount(self, &failure))
            .or_else(|| clauses::nothing_to_repeat(self, &failure))
            .or_else(|| clauses::out_of_order(self, &failure))
            .or_else(|| self.bad_name(&failure))
            .unwrap_or_else(|| self.generic(&failure))
    }

    /// The grammar looks ahead over `in one transaction`; what does not fit is
    /// its first word.
    fn before_lookahead(&self, at: usize) -> usize {
        let is = |back: usize, word: &str| at >= back && self.token_text(at - back) == word;
        match self.token_text(at) {
            "transaction" if is(1, "one") && is(2, "in") => at - 2,
            "one" | "transactions" if is(1, "in") => at - 1,
            _ => at,
        }
    }

    /// The first text in a range of tokens that is never closed.
    pub fn unclosed_text(&self, from: usize, end: usize) -> Option<Diagnostic> {
        let first = self.unclosed_texts.partition_point(|at| *at < from);
        let at = *self.unclosed_texts.get(first).filter(|at| **at < end)?;
        let span = self.token_span(at);
        let diagnostic = Diagnostic::error(Code::UnclosedText, span, "this text is never closed")
            .label("opened here");
        Some(diagnostic.help(
            "a text ends with `\"` on the line it begins on; for a quote within it, write `\\\"`",
        ))
    }

    /// A closing bracket that closes nothing.
    pub fn stray(&self, at: usize) -> Option<Diagnostic> {
        let Some(Kind::Close(close)) = self.kind(at) else {
            return None;
        };
        let close = close as char;
        let diagnostic = Diagnostic::error(
            Code::StrayBrace,
            self.token_span(at),
            format!("this `{close}` closes nothing"),
        );
        Some(diagnostic.help("remove it, or write what it should close before it"))
    }

    fn within_text(&self, failure: &Failure, offset: usize) -> Option<Diagnostic> {
        let token = self.tokens.get(failure.at)?;
        if token.kind != Kind::Text || offset <= token.start as usize {
            return None;
        }
        let text = self.token_text(failure.at);
        let before = &text[..text.floor_char_boundary(offset - token.start as usize)];
        let start = token.start as usize + before.rfind('{').unwrap_or(0);
        let end = self.text[start..token.end as usize].find('}');
        let end = end.map_or(token.end as usize - 1, |length| start + length + 1);
        let diagnostic = Diagnostic::error(
            Code::BadText,
            Span::of(self.file, start, end.max(start + 1)),
            "what stands between these braces cannot be filled in",
        )
        .label("expected an expression");
        Some(diagnostic.help(
            "`{expr}` fills in a value, such as `\"user {row}\"`; for a brace itself, write `{{`",
        ))
    }

    /// A parenthesis within the piece that nothing closes.
    fn unclosed_parenthesis(&self, failure: &Failure) -> Option<Diagnostic> {
        let unclosed = |at: &usize| match self.kind(*at) {
            Some(Kind::Open(open)) if open != b'{' || self.is_object(failure, *at) => {
                !matches!(self.brackets.closing(*at), Some(Closing::At(close)) if close < failure.limit)
            }
            _ => false,
        };
        let at = (failure.from..failure.limit.min(failure.at + 1)).rfind(unclosed)?;
        let bracket = self.token_text(at);
        let close = match bracket {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let diagnostic = Diagnostic::error(
            Code::UnclosedBrace,
            self.token_span(at),
            format!("this `{bracket}` is never closed"),
        );
        Some(
            diagnostic
                .label("opened here")
                .help(format!("a `{close}` is missing")),
        )
    }

    /// Whether a brace in the piece is part of an expression.
    fn is_object(&self, failure: &Failure, at: usize) -> bool {
        matches!(
            failure.rule,
            Rule::piece_field | Rule::piece_param | Rule::piece_sweep
        ) && at > failure.from
    }

    fn foreign_operator(&self, failure: &Failure) -> Option<Diagnostic> {
        let span = self.token_span(failure.at);
        let wrong = |right: &str| {
            let symbol = self.token_text(failure.at);
            Diagnostic::error(
                Code::BadOperator,
                span,
                format!("there is no operator `{symbol}`"),
            )
            .help(format!("write {right}"))
        };
        if failure.at >= failure.limit {
            return None;
        }
        if self.is_word(failure.at) {
            return self.foreign_word(failure);
        }
        Some(match self.token_text(failure.at) {
            "&&" => wrong("`and`"),
            "||" => wrong("`or`"),
            "!" => wrong("`not`"),
            "<>" => wrong("`!=`"),
            "%" => wrong("`mod` for the remainder; a `%` touches its number"),
            "**" => wrong("a product: there are no powers"),
            "=>" | "=<" => wrong("`>=` or `<=`"),
            "=" if failure.at > 0 && matches!(self.token_text(failure.at - 1), "==" | "!=") => {
                wrong("`==` or `!=`")
            }
            "=" if failure.expects_operator() && self.compares(failure) => {
                Diagnostic::error(Code::BadOperator, span, "`=` does not compare")
                    .label("gives a value")
                    .help("to compare, write `==`")
            }
            ":=" | "+=" | "-=" => wrong("`=`, such as `set stock = stock - 1`"),
            ";" => Diagnostic::error(Code::Unexpected, span, "there are no semicolons here")
                .help("leave it out: steps and fields need nothing between them"),
            "'" | "\u{201c}" | "\u{201d}" | "\u{201e}" | "\u{2018}" | "\u{2019}" => {
                Diagnostic::error(Code::Unexpected, span, "a text stands in double quotes")
                    .help("write `\"…\"`")
            }
            "\u{2212}" | "\u{2013}" => wrong("a plain `-`"),
            "\u{d7}" => wrong("`*`"),
            "\u{2264}" => wrong("`<=`"),
            "\u{2265}" => wrong("`>=`"),
            "\u{2260}" => wrong("`!=`"),
            "\u{a0}" => Diagnostic::error(Code::Unexpected, span, "a no-break space stands here")
                .help("replace it by a plain space"),
            "#" => Diagnostic::error(Code::Unexpected, span, "`#` begins nothing")
                .help("a comment begins with `//`"),
            _ => return None,
        })
    }

    /// `AND`, and `x not in (…)`.
    fn foreign_word(&self, failure: &Failure) -> Option<Diagnostic> {
        let span = self.token_span(failure.at);
        let word = self.token_text(failure.at);
        let small = word.to_ascii_lowercase();
        if word != small && RESERVED.contains(&small.as_str()) {
            let message = format!("there is no operator `{word}`");
            return Some(
                Diagnostic::error(Code::BadOperator, span, message)
                    .help(format!("write `{small}`, in lower case")),
            );
        }
        if word == "not" && failure.expects_operator() {
            let message = "`not` stands before a comparison, not within it";
            return Some(
                Diagnostic::error(Code::BadOperator, span, message)
                    .help("write `not age in (1, 2)`, or `note is not null`"),
            );
        }
        None
    }

    /// Whether the piece is one in which a comparison is likelier than a value
    /// being given.
    fn compares(&self, failure: &Failure) -> bool {
        let compares = [
            "where", "when", "expect", "for", "and", "or", "not", "any", "all", "none",
        ];
        matches!(failure.rule, Rule::piece_comparison)
            || (failure.from..failure.at)
                .rev()
                .map(|at| self.token_text(at))
                .take_while(|word| *word != "set")
                .any(|word| compares.contains(&word))
    }

    fn bad_number(&self, failure: &Failure) -> Option<Diagnostic> {
        let span = self.token_span(failure.at);
        let word = self.token_text(failure.at);
        let before = failure.at.checked_sub(1)?;
        if failure.at < failure.limit && self.kind(before) == Some(Kind::Number) && is_unit(word) {
            return Some(self.unit_apart(failure.at));
        }
        if self.is_symbol(failure.at, ".") && self.kind(failure.at + 1) == Some(Kind::Number) {
            let fraction = self.token_text(failure.at + 1);
            let diagnostic = Diagnostic::error(
                Code::BadNumber,
                span.to(self.token_span(failure.at + 1)),
                "a number begins with a digit",
            );
            return Some(diagnostic.help(format!("write `0.{fraction}`")));
        }
        None
    }

    fn unit_apart(&self, at: usize) -> Diagnostic {
        let number = self.token_text(at - 1);
        let unit = self.token_text(at);
        Diagnostic::error(
            Code::BadNumber,
            self.token_span(at - 1).to(self.token_span(at)),
            "a unit touches its number",
        )
        .help(format!("write `{number}{unit}`"))
    }

    /// A unit apart from the number at the end of a member that a name may
    /// follow: it would be read as the next member.
    pub fn spaced_unit(&self, rule: Rule) -> Option<Diagnostic> {
        let followed = matches!(
            rule,
            Rule::piece_comparison
                | Rule::piece_setting_value
                | Rule::piece_limit
                | Rule::piece_quick
        );
        let at = self.at;
        let apart = followed
            && self.kind(at.checked_sub(1)?) == Some(Kind::Number)
            && !self.line_start(at)
            && is_unit(self.token_text(at))
            && (self.line_start(at + 1)
                || matches!(self.kind(at + 1), None | Some(Kind::Word | Kind::Close(_))));
        apart.then(|| self.unit_apart(at))
    }

    /// `< for n == 1k`: a name is what `for` is not here.
    pub fn value_before_for(&self, rule: Rule) -> Option<Diagnostic> {
        let last = self.at.checked_sub(1)?;
        if rule != Rule::piece_comparison || self.token_text(last) != "for" {
            return None;
        }
        let span = self.token_span(last);
        Some(
            Diagnostic::error(Code::Unexpected, span, "expected a value before `for`")
                .help("such as `time(sqlite, notes.edit) < 3ms for n == 1k`"),
        )
    }

    fn spaced_call(&self, failure: &Failure) -> Option<Diagnostic> {
        let name = failure.at.checked_sub(1)?;
        let spaced = failure.at < failure.limit
            && self.kind(failure.at) == Some(Kind::Open(b'('))
            && name >= failure.from
            && self.is_word(name)
            && self.has_space_before(failure.at)
            && (failure.expects_operator() || self.token_text(name) == "zipf");
        if !spaced {
            return None;
        }
        let written = self.token_text(name);
        let diagnostic = Diagnostic::error(
            Code::CallSpacing,
            self.token_span(name).to(self.token_span(failure.at)),
            "the `(` of a call touches its name",
        );
        Some(diagnostic.help(format!("write `{written}(…)`")))
    }

    fn closes_nothing(&self, failure: &Failure) -> Option<Diagnostic> {
        let Some(Kind::Close(close)) = self.kind(failure.at) else {
            return None;
        };
        if failure.at >= failure.limit {
            return None;
        }
        let opened = (failure.from..failure.at).any(|at| {
            matches!(self.kind(at), Some(Kind::Open(_)))
                && self.brackets.closing(at) == Some(Closing::At(failure.at))
        });
        let mistaken = close != b'}' && !opened && !failure.expects_value();
        if mistaken || (close == b'}' && !opened) {
            return self.stray(failure.at);
        }
        None
    }

    fn bad_name(&self, failure: &Failure) -> Option<Diagnostic> {
        let ident = self
            .token_ident(failure.at)
            .filter(|_| failure.at < failure.limit)?;
        let model = failure.expects(&[Rule::model_path, Rule::capital_word]);
        let word = ident.as_str();
        if model && !ident.is_capitalised() && !clauses::is_clause_word(word) {
            return self.check_model(&ident).err().map(|diagnostic| *diagnostic);
        }
        let name = failure.expects(&[
            Rule::path,
            Rule::name,
            Rule::word,
            Rule::order_key,
            Rule::assignment,
        ]);
        let name = name || failure.positives.is_empty();
        if name && RESERVED.contains(&word) && !failure.expects_value() {
            return Some(self.reserved(&ident, "anything here"));
        }
        None
    }

    fn generic(&self, failure: &Failure) -> Diagnostic {
        let words = in_words(failure.positives);
        let breaks_off = failure.at >= failure.limit;
        let span = self.failed_at(failure);
        let expected = join(&words);
        let before = failure
            .at
            .checked_sub(1)
            .filter(|before| *before >= failure.from)
            .map(|before| short(self.token_text(before)));
        let found = short(self.token_text(failure.at));
        let must = failure
            .positives
            .iter()
            .filter_map(|rule| super::expect::expected(*rule));
        let complete = !must
            .clone()
            .any(|e| matches!(e, super::expect::Expected::Must(_)))
            && must
                .clone()
                .any(|e| !matches!(e, super::expect::Expected::Word(_)));
        let diagnostic = if breaks_off {
            let after = before.map_or(String::new(), |before| format!(" after `{before}`"));
            Diagnostic::error(
                Code::Unexpected,
                span,
                format!("expected {expected}{after}"),
            )
            .label("something is missing here")
        } else if complete || words.is_empty() || words.len() > 5 {
            let diagnostic = Diagnostic::error(
                Code::Unexpected,
                span,
                format!("`{found}` does not belong here"),
            )
            .label("unexpected");
            if words.is_empty() {
                diagnostic
            } else {
                diagnostic.help(format!("what may stand here: {expected}"))
            }
        } else {
            Diagnostic::error(
                Code::Unexpected,
                span,
                format!("expected {expected}, found `{found}`"),
            )
            .label(format!(
                "expected {}",
                words.first().map_or("", |w| w.as_str())
            ))
        };
        if failure.expects(&[Rule::field_type, Rule::type_name]) {
            return diagnostic.help(TYPE_HELP);
        }
        clauses::usage(self, failure, diagnostic)
    }

    /// Where to point: at what does not fit, or just after the last token.
    fn failed_at(&self, failure: &Failure) -> Span {
        if failure.at < failure.limit {
            return self.token_span(failure.at);
        }
        match failure
            .at
            .checked_sub(1)
            .filter(|last| *last >= failure.from)
        {
            Some(last) => self.token_span(last).after(),
            None => self.token_span(failure.from),
        }
    }
}
