//! `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE`, and ignoring case.

use super::builder::Builder;
use super::comparison::FALSE;
use super::slot::{Operand, Wanted};
use super::subject::Subject;
use crate::base::Value;
use crate::plan::{Scalar, TextOp};

impl Builder<'_> {
    /// Text of a match.
    pub fn text_match(
        &mut self,
        subject: &Subject,
        op: TextOp,
        operand: Operand,
        ignoring_case: bool,
    ) -> Option<String> {
        if !matches!(subject.scalar, Scalar::Text | Scalar::Enum(_)) {
            return None;
        }
        let operand = match operand {
            Operand::Literal(Value::Null) => return Some(FALSE.into()),
            Operand::Literal(Value::Text(text)) => {
                // Realm is asked nothing about empty patterns.
                if text.is_empty() && op != TextOp::Like {
                    return Some(self.null_test(subject, false));
                }
                Operand::Literal(Value::Text(pattern(op, &text, ignoring_case)?))
            }
            Operand::Literal(_) => return None,
            argument => argument,
        };
        let slot = self.slot(operand, Wanted::Pattern { op, ignoring_case });
        let any = if subject.many { "ANY " } else { "" };
        let case = if ignoring_case { "[c]" } else { "" };
        Some(format!("{any}{} {}{case} {slot}", subject.text, word(op)))
    }
}

fn word(op: TextOp) -> &'static str {
    match op {
        TextOp::Contains => "CONTAINS",
        TextOp::StartsWith => "BEGINSWITH",
        TextOp::EndsWith => "ENDSWITH",
        TextOp::Like => "LIKE",
    }
}

/// The pattern as Realm's operation takes it; `None` where it would match
/// something else.
pub fn pattern(op: TextOp, pattern: &str, ignoring_case: bool) -> Option<String> {
    if ignoring_case && !folds_alike(pattern, false) {
        return None;
    }
    if op != TextOp::Like {
        return Some(pattern.to_owned());
    }
    wildcards(pattern, ignoring_case)
}

/// `%` and `_` as `*` and `?`; these have no escape there, and several runs in
/// a row are one, since the end of a text is only looked for at the last.
fn wildcards(pattern: &str, ignoring_case: bool) -> Option<String> {
    let mut written = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        let literal = match c {
            '%' => {
                if !written.ends_with('*') {
                    written.push('*');
                }
                continue;
            }
            // Lower-casing may make one character two.
            '_' if ignoring_case => return None,
            '_' => {
                written.push('?');
                continue;
            }
            '\\' => characters.next().unwrap_or('\\'),
            other => other,
        };
        if matches!(literal, '*' | '?') {
            return None;
        }
        written.push(literal);
    }
    Some(written)
}

/// Whether lower-casing by Unicode and by ASCII (all that Realm does outside
/// Windows: `unicode.cpp`) find this text in the same places. Two characters
/// outside ASCII become letters inside it: the Kelvin sign `k`, and `İ` an `i`
/// with a combining dot, which is no `i` where the whole text must be equal.
pub fn folds_alike(text: &str, whole: bool) -> bool {
    text.chars()
        .all(|c| c.is_ascii() && !matches!(c, 'k' | 'K') && (whole || !matches!(c, 'i' | 'I')))
}
