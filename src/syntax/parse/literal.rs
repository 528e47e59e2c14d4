//! Numbers with units, dates and texts.

use pest::iterators::Pair;

use super::Rule;
use super::pairs::Parts;
use super::parser::{Built, Parser};
use crate::base::span::Span;
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::ast::{DateLit, Number, NumberLit, Text, TextPart};

/// Units of size with their bytes.
const SIZES: &[(&str, u64)] = &[
    ("B", 1),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

/// Units of time with their nanoseconds.
const TIMES: &[(&str, u64)] = &[
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];

/// Endings of counts.
const COUNTS: &[(&str, u64)] = &[("k", 1_000), ("M", 1_000_000)];

/// Whether a word is a unit.
pub(super) fn is_unit(word: &str) -> bool {
    units().any(|unit| unit == word)
}

fn units() -> impl Iterator<Item = &'static str> {
    SIZES
        .iter()
        .chain(TIMES)
        .chain(COUNTS)
        .map(|(unit, _)| *unit)
}

fn factor(table: &[(&str, u64)], unit: &str) -> Option<u64> {
    table
        .iter()
        .find(|(name, _)| *name == unit)
        .map(|(_, factor)| *factor)
}

/// Why a number cannot be read, and what would be right.
type BadNumber = (String, Option<String>);

fn number_value(text: &str) -> Result<Number, BadNumber> {
    let digits_end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '_' || c == '.'))
        .unwrap_or(text.len());
    let (written, unit) = text.split_at(digits_end);
    let digits: String = written.chars().filter(|c| *c != '_').collect();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    if written.ends_with('_') || written.contains("_.") {
        return Err((format!("`{text}` has a `_` that separates nothing"), None));
    }
    if whole.len() > 1 && whole.starts_with('0') {
        let right = format!("{}{}", text.trim_start_matches(['0', '_']), "");
        let right = if right.starts_with(|c: char| c.is_ascii_digit()) {
            right
        } else {
            format!("0{right}")
        };
        return Err((
            format!("`{text}` has leading zeros"),
            Some(format!(
                "write `{right}`; thousands are grouped by `_`: `1_000`"
            )),
        ));
    }
    let too_large = || (format!("`{text}` is too large"), None);
    let scaled = |factor: u64| exactly(whole, fraction, factor);
    match unit {
        "" if fraction.is_empty() => whole.parse().map(Number::Int).map_err(|_| too_large()),
        "" => digits.parse().map(Number::Float).map_err(|_| too_large()),
        "%" => {
            let percent: f64 = digits.parse().map_err(|_| too_large())?;
            Ok(Number::Percent(percent / 100.0))
        }
        _ => {
            if let Some(factor) = factor(COUNTS, unit) {
                let value = scaled(factor).map_err(|why| why.explain(text, "a whole number"))?;
                return i64::try_from(value)
                    .map(Number::Int)
                    .map_err(|_| too_large());
            }
            if let Some(factor) = factor(SIZES, unit) {
                let value =
                    scaled(factor).map_err(|why| why.explain(text, "a whole number of bytes"))?;
                return Ok(Number::Size(value));
            }
            if let Some(factor) = factor(TIMES, unit) {
                let value = scaled(factor)
                    .map_err(|why| why.explain(text, "a whole number of nanoseconds"))?;
                return Ok(Number::Duration(value));
            }
            let help = crate::diagnostics::did_you_mean(unit, units()).unwrap_or_else(|| {
                "units are `k M` for counts, `B kB MB GB TB KiB MiB GiB TiB` for sizes, \
                 `us ms s min h d` for times, and `%`"
                    .to_owned()
            });
            Err((format!("`{unit}` is no unit"), Some(help)))
        }
    }
}

/// Why a scaled number has no exact value.
enum Inexact {
    TooLarge,
    Fraction,
}

impl Inexact {
    fn explain(self, text: &str, what: &str) -> BadNumber {
        match self {
            Self::TooLarge => (format!("`{text}` is too large"), None),
            Self::Fraction => (format!("`{text}` is not {what}"), None),
        }
    }
}

/// `whole.fraction · factor`, without going through floats.
fn exactly(whole: &str, fraction: &str, factor: u64) -> Result<u64, Inexact> {
    let parse = |digits: &str| digits.parse::<u128>().map_err(|_| Inexact::TooLarge);
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 18 {
        return Err(Inexact::Fraction);
    }
    let mut value = parse(whole)?
        .checked_mul(u128::from(factor))
        .ok_or(Inexact::TooLarge)?;
    if !fraction.is_empty() {
        let part = parse(fraction)? * u128::from(factor);
        let scale = 10u128.pow(fraction.len() as u32);
        if part % scale != 0 {
            return Err(Inexact::Fraction);
        }
        value += part / scale;
    }
    u64::try_from(value).map_err(|_| Inexact::TooLarge)
}

/// Whether a number that cannot be read is the month or the day of a date
/// that lacks its `@`: `2024-01-31`.
fn in_bare_date(before: &str, number: &str) -> bool {
    let two_digits = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
    let word = before
        .rsplit(|c: char| !(c.is_ascii_digit() || c == '-'))
        .next()
        .unwrap_or_default();
    let parts: Vec<&str> = word.split('-').collect();
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let day = digits == 2;
    match parts.as_slice() {
        [year, ""] => year.len() == 4 && day,
        [year, month, ""] => year.len() == 4 && two_digits(month) && day,
        _ => false,
    }
}

impl<'t> Parser<'t> {
    pub fn number(&self, pair: &Pair<'t, Rule>) -> Built<NumberLit> {
        let span = self.span(pair);
        let text = pair.as_str();
        match number_value(text) {
            Ok(value) => Ok(NumberLit {
                text: text.to_owned(),
                value,
                span,
            }),
            Err((message, help)) => {
                let before = self.text.get(..span.start as usize).unwrap_or_default();
                let help = if in_bare_date(before, text) {
                    Some("a date begins with `@`: `@2024-01-31T00:00Z`".to_owned())
                } else {
                    help
                };
                Err(Box::new(
                    Diagnostic::error(Code::BadNumber, span, message).maybe_help(help),
                ))
            }
        }
    }

    pub fn date(&self, pair: &Pair<'t, Rule>) -> Built<DateLit> {
        let span = self.span(pair);
        let text = pair.as_str();
        match unix_ms(text) {
            Some(unix_ms) => Ok(DateLit {
                text: text.to_owned(),
                unix_ms,
                span,
            }),
            None => Err(Box::new(
                Diagnostic::error(Code::BadDate, span, format!("`{text}` is no date")).help(
                    "a date is written to the minute or the second, in UTC: `@2024-01-31T00:00Z`",
                ),
            )),
        }
    }

    pub fn text(&mut self, pair: Pair<'t, Rule>) -> Built<Text> {
        let span = self.span(&pair);
        let written = pair.as_str().trim_end();
        let raw = written
            .get(1..written.len().saturating_sub(1))
            .unwrap_or("");
        let raw = raw.to_owned();
        let mut parts = Vec::new();
        let mut height = 0;
        for part in pair.into_inner() {
            if part.as_rule() == Rule::text_fill {
                let expr = Parts::of(part).next(self)?;
                self.text_depth += 1;
                let expr = self.expr(expr);
                self.text_depth -= 1;
                parts.push(TextPart::Fill(expr?));
                height = height.max(self.height);
            } else {
                let start = self.base + part.as_span().start();
                parts.push(TextPart::Plain(self.unescaped(part.as_str(), start)?));
            }
        }
        self.grown(height, span)?;
        Ok(Text { raw, parts, span })
    }

    /// A text in which nothing may be filled in; `where_` says what it is.
    pub fn plain_text(&mut self, pair: Pair<'t, Rule>, what: &str) -> Built<Text> {
        let text = self.text(pair)?;
        if text.has_fill() {
            return Err(Box::new(
                Diagnostic::error(
                    Code::MisplacedFill,
                    text.span,
                    format!("nothing is filled in here: this is {what}"),
                )
                .help("for a brace itself, write `{{`"),
            ));
        }
        Ok(text)
    }

    fn unescaped(&self, raw: &str, start: usize) -> Built<String> {
        let mut out = String::with_capacity(raw.len());
        let mut letters = raw.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '{' => {
                    letters.next();
                    out.push('{');
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, escaped @ ('"' | '\\'))) => out.push(escaped),
                    other => {
                        let length = other.map_or(1, |(_, c)| 1 + c.len_utf8());
                        let span = Span::of(self.file, start + at, start + at + length);
                        let written = &raw[at..at + length];
                        return Err(Box::new(
                            Diagnostic::error(
                                Code::BadText,
                                span,
                                format!("`{written}` is no escape"),
                            )
                            .help(r#"escapes are `\"`, `\\` and `\n`; for a backslash write `\\`"#),
                        ));
                    }
                },
                _ => out.push(letter),
            }
        }
        Ok(out)
    }
}

/// Milliseconds since 1970 of `@2024-01-31T00:00Z` or `@2024-01-31T00:00:00Z`.
fn unix_ms(text: &str) -> Option<i64> {
    let body = text.strip_prefix('@')?.strip_suffix('Z')?;
    if !body.is_ascii() || (body.len() != 16 && body.len() != 19) {
        return None;
    }
    let format = if body.len() == 16 {
        "%Y-%m-%dT%H:%M"
    } else {
        "%Y-%m-%dT%H:%M:%S"
    };
    let civil = jiff::civil::DateTime::strptime(format, body).ok()?;
    let timestamp = jiff::tz::Offset::UTC.to_timestamp(civil).ok()?;
    Some(timestamp.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_without_its_sign_is_told_from_a_number() {
        assert!(in_bare_date("sent < 2024-", "01"));
        assert!(in_bare_date("sequence(2024-11-", "05T00"));
        assert!(!in_bare_date("row - ", "01"));
        assert!(!in_bare_date("24-", "01"));
        assert!(!in_bare_date("2024-", "007"));
        assert!(!in_bare_date("", "01"));
    }

    #[test]
    fn numbers_mean_what_their_units_say() {
        let value = |text| number_value(text).map_err(|(message, _)| message);
        assert_eq!(value("1_000"), Ok(Number::Int(1000)));
        assert_eq!(value("10k"), Ok(Number::Int(10_000)));
        assert_eq!(value("1.5M"), Ok(Number::Int(1_500_000)));
        assert_eq!(value("0.5"), Ok(Number::Float(0.5)));
        assert_eq!(value("60%"), Ok(Number::Percent(0.6)));
        assert_eq!(value("8GiB"), Ok(Number::Size(8 << 30)));
        assert_eq!(value("6MB"), Ok(Number::Size(6_000_000)));
        assert_eq!(value("0.2ms"), Ok(Number::Duration(200_000)));
        assert_eq!(value("15min"), Ok(Number::Duration(900_000_000_000)));
        for wrong in [
            "007",
            "10x",
            "0.5B",
            "99999999999999999999",
            "99999999999999M",
            "1_",
        ] {
            assert!(value(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn dates_are_utc_milliseconds() {
        assert_eq!(unix_ms("@1970-01-02T00:00Z"), Some(86_400_000));
        assert_eq!(unix_ms("@1970-01-01T00:00:01Z"), Some(1_000));
        for wrong in [
            "@2024-02-30T00:00Z",
            "@2024-01-31",
            "@2024-01-31T00:00",
            "@",
        ] {
            assert_eq!(unix_ms(wrong), None, "{wrong}");
        }
    }
}
