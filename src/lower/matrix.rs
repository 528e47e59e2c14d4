//! The points of one trial under one engine.

use crate::base::Value;
use crate::diagnostics::{Code, Diagnostic};
use crate::plan::Point;

use super::fold::{Names, fold};
use super::names::{NameSet, of_expr};
use super::quick::{QUICK_CEILING, Variables};

/// Points beyond this are a mistake, not an experiment.
const MOST_POINTS: usize = 100_000;

/// Values of all params.
///
/// A param may be an expression over params before it.
pub fn params(variables: &Variables) -> Result<Names, Diagnostic> {
    let mut names = Names::new();
    for param in &variables.params {
        let value = fold(&param.value, &names)?;
        names.insert(param.name.clone(), value);
    }
    Ok(names)
}

/// All points over the axes that `named` asks for, in the order of the file,
/// each with the names in force there. An axis whose values name another axis
/// brings that one in. Equal points are merged.
pub fn points(
    variables: &Variables,
    params: &Names,
    named: &NameSet,
) -> Result<Vec<(Point, Names)>, Diagnostic> {
    let mut needed = named.clone();
    // Axes name only axes before them, so one pass from the end closes the set.
    for axis in variables.axes.iter().rev() {
        if needed.contains(&axis.name) {
            axis.values.iter().for_each(|v| of_expr(v, &mut needed));
        }
    }
    let mut points: Vec<(Point, Names)> = vec![(Point::new(), params.clone())];
    for (axis, capped) in variables.axes.iter().zip(&variables.capped) {
        if !needed.contains(&axis.name) {
            continue;
        }
        let mut longer = Vec::new();
        for (point, names) in &points {
            let mut values: Vec<Value> = Vec::new();
            for value in &axis.values {
                let value = fold(value, names)?;
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            if *capped {
                cap(&mut values);
            }
            for value in values {
                let mut point = point.clone();
                let mut names = names.clone();
                point.push((axis.name.clone(), value.clone()));
                names.insert(axis.name.clone(), value);
                longer.push((point, names));
            }
            if longer.len() > MOST_POINTS {
                return Err(Diagnostic::general(
                    Code::TooManyCells,
                    format!("the sweeps make more than {MOST_POINTS} points"),
                )
                .help("shorten a sweep, or narrow it with `--set`"));
            }
        }
        points = longer;
    }
    Ok(points)
}

/// Leaves out what a quick run has no time for; the smallest always stays.
fn cap(values: &mut Vec<Value>) {
    let over = |value: &Value| matches!(value, Value::Int(i) if *i > QUICK_CEILING);
    if values.iter().all(over) {
        let smallest = values.iter().filter_map(|value| match value {
            Value::Int(i) => Some(*i),
            _ => None,
        });
        if let Some(smallest) = smallest.min() {
            values.retain(|value| *value == Value::Int(smallest));
        }
    } else {
        values.retain(|value| !over(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::model::{Axis, Param};
    use crate::plan::Expr;

    fn int(i: i64) -> Expr {
        Expr::Literal(Value::Int(i))
    }

    fn variables(capped: bool) -> Variables {
        let axis = |name: &str, values: Vec<Expr>| Axis {
            name: name.into(),
            values,
        };
        Variables {
            params: vec![Param {
                name: "m".into(),
                value: int(7),
            }],
            axes: vec![
                axis("n", vec![int(100), int(1_000), int(100_000)]),
                axis("batch", vec![int(1), int(100), Expr::Name("n".into())]),
                axis("other", vec![int(1), int(2)]),
            ],
            capped: vec![capped; 3],
        }
    }

    fn at(variables: &Variables, named: &[&str]) -> Vec<Vec<i64>> {
        let params = params(variables).unwrap();
        let named = named.iter().map(|name| name.to_string()).collect();
        let points = points(variables, &params, &named).unwrap();
        let value = |(_, value): &(String, Value)| match value {
            Value::Int(i) => *i,
            _ => unreachable!(),
        };
        points
            .iter()
            .map(|(point, _)| point.iter().map(value).collect())
            .collect()
    }

    #[test]
    fn an_axis_brings_in_those_its_values_name_and_equal_points_merge() {
        assert_eq!(
            at(&variables(false), &["batch"]),
            [
                vec![100, 1],
                vec![100, 100],
                vec![1_000, 1],
                vec![1_000, 100],
                vec![1_000, 1_000],
                vec![100_000, 1],
                vec![100_000, 100],
                vec![100_000, 100_000],
            ]
        );
    }

    #[test]
    fn params_alone_make_one_point() {
        assert_eq!(at(&variables(false), &["m"]), [Vec::<i64>::new()]);
    }

    #[test]
    fn a_quick_run_leaves_out_large_values_but_never_all() {
        assert_eq!(at(&variables(true), &["n"]), [[100], [1_000]]);
        let mut large = variables(true);
        large.axes[0].values = vec![int(50_000), int(20_000)];
        assert_eq!(at(&large, &["n"]), [[20_000]]);
    }
}
