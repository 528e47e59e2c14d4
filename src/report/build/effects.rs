//! What one axis does, all others equal.

use crate::base::Value;
use crate::report::model::{Effect, Measure, Row, StepLine};
use crate::stats::Summary;

/// For each value of each varying axis and each step: the median, over all
/// combinations of the other axes and engines, of the row's figure as a
/// multiple of the best value's in the same combination.
///
/// Only combinations in which every value of the axis is measured count, so
/// that a value is never judged by easier company.
pub(super) fn effects(axes: &[String], steps: &[StepLine], rows: &[Row]) -> Vec<Effect> {
    let mut effects = Vec::new();
    for axis in axes {
        let values = values(axis, rows);
        if values.len() < 2 {
            continue;
        }
        for value in &values {
            let ratios: Vec<Option<f64>> = (0..steps.len())
                .map(|step| effect(axis, value, &values, steps[step].measure, step, rows))
                .collect();
            effects.push(Effect {
                axis: axis.clone(),
                value: (*value).clone(),
                ratios,
            });
        }
    }
    effects
}

/// Values of an axis, in the order of the rows.
fn values<'r>(axis: &str, rows: &'r [Row]) -> Vec<&'r Value> {
    let mut values = Vec::new();
    for value in rows.iter().filter_map(|row| at(row, axis)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

fn at<'r>(row: &'r Row, axis: &str) -> Option<&'r Value> {
    row.point.iter().find(|(a, _)| a == axis).map(|(_, v)| v)
}

fn effect(
    axis: &str,
    value: &Value,
    values: &[&Value],
    measure: Measure,
    step: usize,
    rows: &[Row],
) -> Option<f64> {
    let figure = |row: &Row| {
        let figures = row.steps.get(step)?;
        match measure {
            Measure::Time => figures.wall_ns.map(|s| s.median),
            Measure::Size => figures.allocated_bytes.map(|s| s.median),
            Measure::Expectation => None,
        }
    };
    let ratios = rows
        .iter()
        .filter(|row| at(row, axis) == Some(value))
        .filter_map(|row| {
            let own = figure(row)?;
            let company: Vec<f64> = rows
                .iter()
                .filter(|other| same_but(axis, row, other))
                .filter_map(figure)
                .collect();
            let best = company.iter().copied().min_by(f64::total_cmp)?;
            (company.len() == values.len() && best > 0.0).then(|| own / best)
        });
    Summary::of(ratios).map(|s| s.median)
}

/// Whether two rows differ in nothing but this axis (or not at all).
fn same_but(axis: &str, a: &Row, b: &Row) -> bool {
    a.engine == b.engine
        && a.point.len() == b.point.len()
        && a.point
            .iter()
            .zip(&b.point)
            .all(|(left, right)| left.0 == right.0 && (left.0 == axis || left.1 == right.1))
}
