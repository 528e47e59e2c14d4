//! Names and paths: case and reserved words.

use pest::iterators::Pair;

use super::Rule;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{Ident, Path};

/// Words that stand for themselves in every expression.
pub(super) const RESERVED: &[&str] = &[
    "and",
    "or",
    "not",
    "in",
    "is",
    "like",
    "contains",
    "starts_with",
    "ends_with",
    "true",
    "false",
    "null",
    "when",
    "where",
    "else",
];

impl<'t> Parser<'t> {
    pub fn ident(&self, pair: &Pair<'t, Rule>) -> Ident {
        let text = pair.as_str().trim_end();
        let start = self.base + pair.as_span().start();
        Ident::new(text, Span::of(self.file, start, start + text.len()))
    }

    /// The word of a token.
    pub fn token_ident(&self, at: usize) -> Option<Ident> {
        self.is_word(at)
            .then(|| Ident::new(self.token_text(at), self.token_span(at)))
    }

    /// The name of a `label`.
    pub fn label(&self, pair: Pair<'t, Rule>) -> Built<Ident> {
        let word = Parts::of(pair).next(self)?;
        Ok(self.ident(&word))
    }

    /// A name being given, of a `name` pair; `what` is said in the message.
    pub fn declared(&self, pair: Pair<'t, Rule>, what: &str) -> Built<Ident> {
        let ident = self.name(pair)?;
        self.check_lower(&ident, what)?;
        Ok(ident)
    }

    /// The word of a `name` pair.
    pub fn name(&self, pair: Pair<'t, Rule>) -> Built<Ident> {
        let word = Parts::of(pair).next(self)?;
        Ok(self.ident(&word))
    }

    pub fn check_lower(&self, ident: &Ident, what: &str) -> Built<()> {
        if RESERVED.contains(&ident.as_str()) {
            return Err(Box::new(self.reserved(ident, what)));
        }
        self.check_case(ident, what)
    }

    /// For what a reserved word may name too.
    pub fn check_case(&self, ident: &Ident, what: &str) -> Built<()> {
        if ident.is_capitalised() {
            let message = format!("the name of {what} is written in lower case");
            return Err(Box::new(
                Diagnostic::error(Code::BadName, ident.span, message)
                    .label("capitalised: a model's name")
                    .help(format!("write `{}`", lower(&ident.name))),
            ));
        }
        Ok(())
    }

    pub fn reserved(&self, ident: &Ident, what: &str) -> Diagnostic {
        let message = format!("`{ident}` is reserved and cannot name {what}");
        Diagnostic::error(Code::BadName, ident.span, message)
            .label("reserved in expressions")
            .help(format!("take another name, such as `{ident}_`"))
    }

    pub fn check_model(&self, ident: &Ident) -> Built<()> {
        if ident.is_capitalised() {
            return Ok(());
        }
        Err(Box::new(
            Diagnostic::error(
                Code::BadName,
                ident.span,
                "a model's name begins with a capital letter",
            )
            .label("not capitalised")
            .help(format!("write `{}`", capital(&ident.name))),
        ))
    }

    /// A `path`, `model_path` or `type_name`.
    pub fn path(&self, pair: Pair<'t, Rule>) -> Path {
        let span = self.span(&pair);
        Path {
            segments: pair.into_inner().map(|word| self.ident(&word)).collect(),
            span,
        }
    }

    /// A `path` of lower-case names, as in an expression.
    pub fn lower_path(&self, pair: Pair<'t, Rule>) -> Built<Path> {
        let path = self.path(pair);
        for ident in &path.segments {
            let small = ident.name.to_ascii_lowercase();
            if RESERVED.contains(&small.as_str()) && small != ident.name {
                let message = format!("`{ident}` is no value");
                return Err(Box::new(
                    Diagnostic::error(Code::BadName, ident.span, message)
                        .help(format!("write `{small}`, in lower case")),
                ));
            }
            if ident.is_capitalised() {
                return Err(Box::new(
                    Diagnostic::error(
                        Code::BadName,
                        ident.span,
                        format!("a model, `{ident}`, cannot stand here"),
                    )
                    .label("capitalised: a model's name")
                    .help(format!(
                        "fields, params and hooks are written in lower case: `{}`",
                        lower(&ident.name)
                    )),
                ));
            }
        }
        Ok(path)
    }
}

/// `first_name` → `FirstName`.
pub(super) fn capital(name: &str) -> String {
    name.split('_')
        .map(|part| {
            let mut letters = part.chars();
            match letters.next() {
                Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
                None => String::new(),
            }
        })
        .collect()
}

/// `FirstName` → `first_name`, `WAL` → `wal`, `userID` → `user_id`.
pub(super) fn lower(name: &str) -> String {
    let mut lowered = String::new();
    let mut after_small = false;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        // A run of capitals is one word; its last one may begin the next.
        let begins = after_small || letters.peek().is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && begins && !lowered.is_empty() && !lowered.ends_with('_') {
            lowered.push('_');
        }
        after_small = !letter.is_uppercase();
        lowered.extend(letter.to_lowercase());
    }
    lowered
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn capitals_become_words() {
        for (name, expected) in [
            ("FirstName", "first_name"),
            ("WAL", "wal"),
            ("userID", "user_id"),
            ("HTTPStatus", "http_status"),
            ("First_Name", "first_name"),
            ("N", "n"),
        ] {
            assert_eq!(lower(name), expected);
        }
    }
}
