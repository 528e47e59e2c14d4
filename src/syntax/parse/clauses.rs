//! The clauses of every step, in their order, for messages about them.

use super::Rule;
use super::explain::Failure;
use super::parser::{Built, Parser};
use super::starts::TRIAL_WORDS;
use crate::diagnostics::{Code, Diagnostic, closest};
use crate::syntax::ast::{ItemKind, StepKind};

/// Clauses of a verb in their order, by their first words, and how it is used.
const CLAUSES: &[(&str, &[&str], &str)] = &[
    ("instantiate", &[], "instantiate n User"),
    ("create", &["in"], "create n User in one transaction"),
    ("upsert", &["in"], "upsert n User in one transaction"),
    (
        "read",
        &[
            "where", "order", "limit", "offset", "touching", "compute", "in", "repeat",
        ],
        "read User [where …] [order by …] [limit …] [offset …] [touching …] [compute …] [repeat …]",
    ),
    (
        "count",
        &["where", "per", "in", "repeat"],
        "count User [where …] [per field] [repeat …]",
    ),
    (
        "update",
        &["where", "set", "in", "by", "repeat"],
        "update User [where …] set field = value [in one transaction] [by object|by statement] [repeat …]",
    ),
    (
        "delete",
        &["where", "in", "repeat"],
        "delete User [where …] [in one transaction] [repeat …]",
    ),
    ("repeat", &["in"], "repeat k with p at random User { … }"),
    ("expect", &[], "expect native == hooked"),
];

/// Verbs that a later version will know.
const LATER: &[&str] = &[
    "kill", "power", "together", "mix", "rate", "observe", "migrate",
];

const CLAUSE_WORDS: &[&str] = &[
    "where",
    "order",
    "limit",
    "offset",
    "touching",
    "compute",
    "per",
    "set",
    "in",
    "by",
    "autocommit",
    "repeat",
];

pub(super) fn is_clause_word(word: &str) -> bool {
    CLAUSE_WORDS.contains(&word)
}

fn of(verb: &str) -> Option<&'static (&'static str, &'static [&'static str], &'static str)> {
    CLAUSES.iter().find(|(name, ..)| *name == verb)
}

/// The clause that a word begins; `by f at …` stands where `where` does.
fn clause_of<'w>(parser: &Parser, at: usize, word: &'w str) -> &'w str {
    match word {
        "autocommit" => "in",
        "by" if !matches!(parser.token_text(at + 1), "object" | "statement") => "where",
        _ => word,
    }
}

impl Parser<'_> {
    /// Whether a step begins with a verb, before anything else is said.
    pub fn check_verb(&self, from: usize) -> Built<()> {
        let at = if self.is_label(from) { from + 2 } else { from };
        let word = self.token_text(at);
        let labelled = at > from;
        if StepKind::VERBS.contains(&word) {
            return Ok(());
        }
        let span = self.token_span(at);
        if labelled && self.is_label(at) {
            return Err(Box::new(self.no_step_after(at)));
        }
        let diagnostic = if LATER.contains(&word) {
            Diagnostic::error(
                Code::UnknownStep,
                span,
                format!("`{word}` is kept for a later version"),
            )
        } else if labelled && TRIAL_WORDS.contains(&word) {
            Diagnostic::error(Code::UnknownStep, span, format!("`{word}` takes no label"))
                .help(format!("write `{word} …` without a label before it"))
        } else if TRIAL_WORDS.contains(&word) {
            Diagnostic::error(
                Code::TrialOrder,
                span,
                format!("`{word}` stands only in a trial's own block"),
            )
            .help("a trial begins with `skip`, then `runs`, then one `setup`; its steps follow")
        } else if ItemKind::KEYWORDS.contains(&word) {
            Diagnostic::error(
                Code::UnknownStep,
                span,
                format!("`{word}` is an item, not a step"),
            )
            .help("items stand outside of trials, in column 1")
        } else if self.is_word(at) {
            let all = format!("steps begin with one of {}", StepKind::VERBS.join(", "));
            let help = closest(word, StepKind::VERBS.iter().chain(TRIAL_WORDS).copied())
                .map_or(all, |verb| format!("did you mean `{verb}`?"));
            Diagnostic::error(
                Code::UnknownStep,
                span,
                format!("there is no step `{word}`"),
            )
            .help(help)
        } else if at >= self.tokens.len()
            || matches!(self.kind(at), Some(super::scan::Kind::Close(_)))
        {
            self.no_step_after(at)
        } else {
            let found = super::file::short(word);
            Diagnostic::error(
                Code::Unexpected,
                span,
                format!("expected a step, found `{found}`"),
            )
            .help("a step begins with its verb, such as `read User`")
        };
        Err(Box::new(diagnostic))
    }

    fn no_step_after(&self, at: usize) -> Diagnostic {
        let label = self.token_span(at.saturating_sub(1)).after();
        Diagnostic::error(Code::Unexpected, label, "expected a step after this label")
            .help("such as `read User`")
    }

    /// The verb of a step's piece.
    fn verb(&self, failure: &Failure) -> Option<&str> {
        if failure.rule != Rule::piece_step {
            return None;
        }
        let labelled = self.is_label(failure.from);
        Some(self.token_text(if labelled {
            failure.from + 2
        } else {
            failure.from
        }))
    }
}

/// A clause that stands too late, twice, or with a verb that has none such.
pub(super) fn out_of_order(parser: &Parser, failure: &Failure) -> Option<Diagnostic> {
    let verb = parser.verb(failure)?;
    let word = parser.token_text(failure.at);
    if !is_clause_word(word) || failure.at >= failure.limit || !completes(failure) {
        return None;
    }
    let (_, order, usage) = of(verb)?;
    let clause = clause_of(parser, failure.at, word);
    let span = parser.token_span(failure.at);
    let Some(rank) = order.iter().position(|name| *name == clause) else {
        let message = format!("`{verb}` has no clause `{word}`");
        return Some(
            Diagnostic::error(Code::ClauseOrder, span, message).help(format!("write `{usage}`")),
        );
    };
    // The clause that should have come later.
    let later = (failure.from..failure.at).find_map(|at| {
        let found = parser.token_text(at);
        let earlier = is_clause_word(found)
            && parser.is_word(at)
            && order
                .iter()
                .position(|name| *name == clause_of(parser, at, found))
                .is_some_and(|other| other >= rank);
        earlier.then_some((at, found))
    });
    let (at, found) = later?;
    let message = if clause_of(parser, at, found) == clause {
        format!("`{word}` stands here a second time")
    } else {
        format!("`{word}` stands before `{found}`, not after it")
    };
    Some(
        Diagnostic::error(Code::ClauseOrder, span, message)
            .help(format!("the order is `{usage}`"))
            .related(parser.token_span(at), format!("`{found}` stands here")),
    )
}

/// `create User`, without how many.
pub(super) fn no_amount(parser: &Parser, failure: &Failure) -> Option<Diagnostic> {
    let verb = parser.verb(failure)?;
    let (_, _, usage) = of(verb)?;
    let after = if parser.is_label(failure.from) { 3 } else { 1 };
    let model = parser.token_ident(failure.from + after)?;
    let amount = matches!(verb, "create" | "upsert" | "instantiate");
    if !amount || !model.is_capitalised() || failure.from + after >= failure.limit {
        return None;
    }
    Some(
        Diagnostic::error(
            Code::Unexpected,
            model.span,
            format!("expected a number before `{model}`"),
        )
        .label("how many?")
        .help(format!("write `{usage}`")),
    )
}

/// `repeat k` where there is nothing it could repeat.
pub(super) fn nothing_to_repeat(parser: &Parser, failure: &Failure) -> Option<Diagnostic> {
    let misplaced = parser.verb(failure)? == "repeat"
        && failure.positives.contains(&Rule::kw_with)
        && !parser.line_start(failure.from)
        && !parser.is_label(failure.from);
    if !misplaced {
        return None;
    }
    let span = parser.token_span(failure.from);
    let diagnostic = Diagnostic::error(Code::ClauseOrder, span, "there is nothing to repeat here");
    Some(diagnostic.help(
        "`repeat k` ends a `read`, `count`, `update` or `delete`; \
         for a block, write `repeat k with p at random User { … }`",
    ))
}

/// Whether the step could have ended where it failed.
fn completes(failure: &Failure) -> bool {
    failure.positives.is_empty() || failure.positives.contains(&Rule::step_start)
}

/// Adds how a step is used, where nothing more telling is known.
pub(super) fn usage(parser: &Parser, failure: &Failure, diagnostic: Diagnostic) -> Diagnostic {
    match parser.verb(failure).and_then(of) {
        Some((_, _, usage)) => diagnostic.help(format!("write `{usage}`")),
        None => diagnostic,
    }
}
