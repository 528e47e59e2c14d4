//! Values of engine options against what the engine declares.

use super::checker::Checker;
use super::engines::option_words;
use super::quantities::Kind;
use crate::base::Value;
use crate::base::span::Span;
use crate::diagnostics::{Code, did_you_mean};
use crate::engines::{OptionKind, OptionSpec};
use crate::plan::Expr;

impl Checker<'_> {
    /// Every value that the option takes, on all points, must be one it has.
    pub fn option_value(&mut self, spec: &OptionSpec, value: &Expr, kind: Kind, span: Span) {
        if kind == Kind::Unknown {
            return;
        }
        let values = self.possible(value).unwrap_or_default();
        for one in values {
            let fine = match (&spec.kind, &one) {
                (OptionKind::Symbol(symbols), Value::Text(word)) => {
                    symbols.contains(&word.as_str())
                }
                // SQLite's own `on` and `off` read like bools elsewhere.
                (OptionKind::Symbol(symbols), Value::Bool(b)) => {
                    symbols.contains(&if *b { "true" } else { "false" })
                }
                (OptionKind::Bool, Value::Bool(_)) => true,
                (OptionKind::Int { low, high }, Value::Int(i)) => {
                    matches!(kind, Kind::Int) && (low..=high).contains(&i)
                }
                (OptionKind::Size { low, high }, Value::Int(i)) => {
                    matches!(kind, Kind::Size | Kind::Int) && (low..=high).contains(&i)
                }
                (OptionKind::Duration, Value::Int(i)) => kind == Kind::Duration && *i >= 0,
                _ => false,
            };
            if !fine {
                self.bad_option(spec, &one, span);
                return;
            }
        }
    }

    fn bad_option(&mut self, spec: &OptionSpec, value: &Value, span: Span) {
        let close = match (&spec.kind, value) {
            (OptionKind::Symbol(symbols), Value::Text(word)) => {
                // A name that is nearly a sweep's may be meant as that.
                let names = self.quantities.iter().map(|q| q.name.as_str());
                did_you_mean(word, symbols.iter().copied().chain(names))
            }
            _ => None,
        };
        let help = close.unwrap_or_else(|| format!("it takes {}", option_words(&spec.kind)));
        let shown = match value {
            Value::Text(word) => format!("`{word}`"),
            other => super::constant::words(other),
        };
        self.error_help(
            Code::BadOption,
            span,
            format!("`{}` cannot be {shown}", spec.name),
            help,
        );
    }
}
