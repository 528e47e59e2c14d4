//! `--quick` and `--set`: which params and sweeps a run really has.

use crate::base::Value;
use crate::check::model::{Axis, Experiment, Param};
use crate::diagnostics::{Code, Diagnostic, did_you_mean_or_all};
use crate::plan::Expr;

use super::overrides::Overrides;

/// Largest number that a quick run keeps in a param or a sweep.
pub const QUICK_CEILING: i64 = 10_000;

/// Params and axes after the command line and `quick { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variables {
    /// Params, in order.
    pub params: Vec<Param>,
    /// Axes, in order; a param that was given several values comes first.
    pub axes: Vec<Axis>,
    /// Whether sweep values above [`QUICK_CEILING`] are left out of this axis.
    pub capped: Vec<bool>,
}

/// Applies `--set` first, then the file's own `quick` block, then the ceiling.
pub fn variables(
    experiment: &Experiment,
    overrides: &Overrides,
) -> Result<Variables, Vec<Diagnostic>> {
    let known: Vec<&str> = experiment
        .params
        .iter()
        .map(|p| p.name.as_str())
        .chain(experiment.axes.iter().map(|a| a.name.as_str()))
        .collect();
    let errors: Vec<Diagnostic> = overrides
        .set
        .iter()
        .filter(|(name, _)| !known.contains(&name.as_str()))
        .map(|(name, _)| {
            Diagnostic::general(
                Code::UnknownOverride,
                format!("`--set {name}=…`: the file has no param or sweep `{name}`"),
            )
            .maybe_help(did_you_mean_or_all(name, known.iter().copied()))
        })
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let given = |name: &str| -> Option<&Vec<Expr>> {
        // The last one counts, as with any command-line option.
        let set = overrides.set.iter().rev();
        let quick = experiment.facts.quick.iter().filter(|_| overrides.quick);
        set.chain(quick).find(|(n, _)| n == name).map(|(_, v)| v)
    };
    let mut variables = Variables {
        params: Vec::new(),
        axes: Vec::new(),
        capped: Vec::new(),
    };
    for param in &experiment.params {
        match given(&param.name) {
            Some(values) if values.len() > 1 => variables.push_axis(
                Axis {
                    name: param.name.clone(),
                    values: values.clone(),
                },
                false,
            ),
            Some(values) => variables.params.push(Param {
                name: param.name.clone(),
                value: values.first().unwrap_or(&param.value).clone(),
            }),
            None => variables.params.push(Param {
                name: param.name.clone(),
                value: if overrides.quick {
                    clamp(&param.value)
                } else {
                    param.value.clone()
                },
            }),
        }
    }
    for axis in &experiment.axes {
        match given(&axis.name) {
            Some(values) => variables.push_axis(
                Axis {
                    name: axis.name.clone(),
                    values: values.clone(),
                },
                false,
            ),
            None => variables.push_axis(axis.clone(), overrides.quick),
        }
    }
    Ok(variables)
}

impl Variables {
    fn push_axis(&mut self, axis: Axis, capped: bool) {
        self.axes.push(axis);
        self.capped.push(capped);
    }
}

fn clamp(value: &Expr) -> Expr {
    match value {
        Expr::Literal(Value::Int(i)) => Expr::Literal(Value::Int((*i).min(QUICK_CEILING))),
        other => other.clone(),
    }
}
