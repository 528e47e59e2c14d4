//! `--set n=1k,10k`: values from the command line.

use super::checker::Checker;
use super::constant::evaluate;
use super::imports::Unit;
use crate::base::Value;
use crate::check::model::Experiment;
use crate::diagnostics::{Code, Diagnostic, Sources};
use crate::plan::Expr;
use crate::syntax::{self, ast::ItemKind};

/// Reads `name=value[,value…]` with the grammar of sweeps, ranges too
/// (`n=100..10k by *10`). A bare word stays open ([`Expr::Name`]): it is a
/// param, a sweep or a symbol, as [`set`] finds out.
///
/// # Errors
/// Where it is no name with values. The place, if any, is in the text itself.
pub fn parse_override(text: &str) -> Result<(String, Vec<Expr>), Diagnostic> {
    read(text)
}

/// The same for a checked experiment: the name must be one of its params or
/// sweeps and the values of its kind; words that are no names are symbols.
///
/// # Errors
/// See there.
pub fn set(experiment: &Experiment, text: &str) -> Result<(String, Vec<Expr>), Diagnostic> {
    let (name, values) = read(text)?;
    let known = |word: &str| experiment.param(word).is_some() || experiment.axis(word).is_some();
    if !known(&name) {
        let all = experiment.params.iter().map(|p| p.name.as_str());
        let all = all.chain(experiment.axes.iter().map(|a| a.name.as_str()));
        return Err(Diagnostic::general(
            Code::UnknownOverride,
            format!("`--set {text}`: the file has no param or sweep `{name}`"),
        )
        .maybe_help(crate::diagnostics::did_you_mean_or_all(&name, all)));
    }
    let values: Vec<Expr> = values
        .into_iter()
        .map(|value| match value {
            Expr::Name(word) if !known(&word) || word == name => Expr::Literal(Value::Text(word)),
            other => other,
        })
        .collect();
    let own: Vec<&Expr> = match experiment.param(&name) {
        Some(param) => vec![&param.value],
        None => experiment
            .axis(&name)
            .map_or(Vec::new(), |a| a.values.iter().collect()),
    };
    let none = std::collections::BTreeMap::new();
    let sample = own.iter().find_map(|value| evaluate(value, &none));
    for value in values.iter().filter_map(|value| evaluate(value, &none)) {
        let fits = match (&sample, &value) {
            (None, _) => true,
            (Some(Value::Float(_)), Value::Int(_)) | (Some(Value::Int(_)), Value::Float(_)) => true,
            (Some(own), value) => std::mem::discriminant(own) == std::mem::discriminant(value),
        };
        if !fits {
            let shown = super::constant::words(&value);
            let like = sample
                .as_ref()
                .map(super::constant::words)
                .unwrap_or_default();
            return Err(Diagnostic::general(
                Code::UnknownOverride,
                format!("`--set {text}`: `{shown}` is of another kind than the file's `{like}`"),
            ));
        }
    }
    Ok((name, values))
}

fn read(text: &str) -> Result<(String, Vec<Expr>), Diagnostic> {
    let wrong = |why: String| {
        Diagnostic::general(Code::UnknownOverride, format!("`--set {text}`: {why}"))
            .help("write `--set n=10k` or `--set n=1k,10k`")
    };
    let mut sources = Sources::new();
    let written = format!("sweep {}\n", text.replacen('=', " = ", 1));
    let id = sources.add("--set", written.clone());
    let parsed = syntax::parse(id, &written);
    if let Some(first) = parsed.diagnostics.first() {
        return Err(wrong(first.message.clone()));
    }
    let units = [Unit::alone(parsed.file)];
    let mut checker = Checker::new(&units, &sources);
    let sweep = match units[0].file.items.as_slice() {
        [item] => match &item.kind {
            ItemKind::Sweep(sweep) => sweep,
            _ => return Err(wrong("a name and values belong here".to_owned())),
        },
        _ => return Err(wrong("a name and values belong here".to_owned())),
    };
    checker.open_words = true;
    let (values, _) = checker.sweep_values(&sweep.values, sweep.name.span);
    match checker.out.first() {
        Some(first) => Err(wrong(first.message.clone())),
        None => Ok((sweep.name.name.clone(), values)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(i: i64) -> Expr {
        Expr::Literal(Value::Int(i))
    }

    #[test]
    fn values_and_ranges_are_read() {
        let (name, values) = parse_override("n=1k,10k").expect("values");
        assert_eq!(
            (name.as_str(), values),
            ("n", vec![int(1_000), int(10_000)])
        );
        let (_, values) = parse_override("n=100..10k by *10").expect("range");
        assert_eq!(values, [int(100), int(1_000), int(10_000)]);
        let (_, values) = parse_override("journal=wal").expect("symbol");
        assert_eq!(values, [Expr::Name("wal".to_owned())]);
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for text in [
            "n",
            "n=",
            "=1",
            "n=1,,2",
            "n=1\nengine sqlite",
            "n={",
            "9=1",
        ] {
            assert!(parse_override(text).is_err(), "{text}");
        }
    }
}
